import type { StoredDelivery } from "@loopwork/core/ports";
import { createDispatcher, type Dispatcher } from "./dispatcher.ts";
import { createEndSessionHandler } from "./handlers/end-session.ts";
import { createPhaseLabelHandler } from "./handlers/phase-label.ts";
import { createReactHandler } from "./handlers/react.ts";
import { createReleaseHandler } from "./handlers/release.ts";
import { createReplyHandler } from "./handlers/reply.ts";
import { createTurnHandler } from "./handlers/turn.ts";
import { createIngest } from "./ingest.ts";
import type { RuntimeParts } from "./parts.ts";
import { keepForgetting } from "./retention.ts";
import { createActiveTurns } from "./active-turns.ts";
import type { Unwind } from "./unwind.ts";

/** Deciding and dispatching over the parts. */
export type Runtime = { readonly parts: RuntimeParts; readonly dispatcher: Dispatcher };

export type RuntimeOptions = {
  /** Whether this process may begin to dispatch; asked again and again until it says yes. */
  readonly mayBegin?: (() => boolean) | undefined;
  /** Told of each test delivery once it was decided. */
  readonly onCanary?: (delivery: StoredDelivery) => void;
};

/**
 * Puts the parts together:
 *
 *     inbox ─▶ ingest ─▶ lanes, outbox ─▶ dispatcher ─▶ handlers ─▶ workspace, harness, code host
 *
 * It runs once `mayBegin` says so, and it was poked. Graph, learnings and gate are parts that it
 * does without where they are null. `unwind` gets what must be stopped.
 */
export function createRuntime(
  parts: RuntimeParts,
  unwind: Unwind,
  { mayBegin, onCanary }: RuntimeOptions = {},
): Runtime {
  const living = createActiveTurns();
  const handlers = {
    react: createReactHandler(parts),
    reply: createReplyHandler(parts),
    "phase-label": createPhaseLabelHandler(parts),
    "end-session": createEndSessionHandler(parts, living),
    release: createReleaseHandler(parts),
  };
  const dispatcher = createDispatcher(
    parts,
    createIngest(parts, onCanary),
    createTurnHandler(parts, living),
    handlers,
    living,
    mayBegin,
  );
  unwind.defer("dispatcher", () => dispatcher.stop(stopGraceMs));
  unwind.defer("retention", keepForgetting(parts));
  return { parts, dispatcher };
}

/**
 * What a turn in flight gets at a stop; one that needs longer goes on without us and is waited for
 * by the next life.
 */
export const stopGraceMs = 5_000;
