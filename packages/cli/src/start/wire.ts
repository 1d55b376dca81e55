import type { Lock } from "@loopwork/core/ports";
import { createDispatcher, type Dispatcher } from "../runtime/dispatcher.ts";
import { createEndSessionHandler } from "../runtime/handlers/end-session.ts";
import { createReactHandler } from "../runtime/handlers/react.ts";
import { createReleaseHandler } from "../runtime/handlers/release.ts";
import { createReplyHandler } from "../runtime/handlers/reply.ts";
import { createTurnHandler } from "../runtime/handlers/turn.ts";
import { createIngest } from "../runtime/ingest.ts";
import type { RuntimeParts } from "../runtime/parts.ts";
import { keepForgetting } from "../runtime/retention.ts";
import { createRunProcess } from "../runtime/run-process.ts";
import { createLivingTurns } from "../runtime/turn/living.ts";
import { connectHarnesses } from "./harnesses.ts";
import type { Daemons, LoadedConfig } from "./load-config.ts";
import type { Log } from "./log.ts";
import { openHostOf, openLocksOf, openMarksOf, openStoreOf, systemClock, systemIds } from "./open.ts";
import type { Io } from "./ports.ts";
import type { Unwind } from "./unwind.ts";
import { type ConfigChange, watchConfig } from "./watch-config.ts";

/**
 * The composition root: the one place that knows every part by name. Read it first.
 *
 *     receiver ─▶ store (inbox) ─▶ ingest ─▶ lanes, outbox ─▶ dispatcher ─▶ handlers ─▶ workspace, harness, code host
 *
 * Parts of sibling packages are loaded here and handed on as ports; nothing else imports a sibling.
 */
export type Wired = { readonly parts: RuntimeParts; readonly dispatcher: Dispatcher };

/** Every part of the runtime, open; `unwind` gets what must be closed. */
export async function openParts(loaded: LoadedConfig, daemons: Daemons, io: Io, log: Log, unwind: Unwind): Promise<RuntimeParts> {
  const store = await openStoreOf(loaded);
  unwind.defer("store", () => store.close());
  const locks = await openLocksOf(loaded);
  const run = createRunProcess();
  const { createWorkspace, ownBaseOf } = await import("@loopwork/workspace");
  const config = watchConfig(loaded, daemons, io, (change) => void recordChange(change, parts, log));
  const parts: RuntimeParts = {
    store,
    locks,
    run,
    clock: systemClock,
    ids: systemIds,
    log: log.say,
    settings: config.settings,
    host: await openHostOf(loaded),
    marks: await openMarksOf(loaded),
    workspace: createWorkspace({ ...workspaceOptions(loaded, locks), ownBase: ownBaseOf(loaded.config.integrations.codeHost.apiBaseUrl), env: loaded.env, onNote: (note: string) => log.say("warn", note) }),
    harnesses: await connectHarnesses(loaded, io, run),
  };
  return parts;
}

/** Deciding and dispatching over the parts, running. */
export function wire(parts: RuntimeParts, unwind: Unwind): Wired {
  const living = createLivingTurns();
  const handlers = {
    react: createReactHandler(parts),
    reply: createReplyHandler(parts),
    "end-session": createEndSessionHandler(parts, living),
    release: createReleaseHandler(parts),
  };
  const dispatcher = createDispatcher(parts, createIngest(parts), createTurnHandler(parts, living), handlers, living);
  unwind.defer("dispatcher", () => dispatcher.stop(stopGraceMs));
  unwind.defer("retention", keepForgetting(parts));
  return { parts, dispatcher };
}

/** What a turn in flight gets at a stop; one that needs longer goes on without us and is waited for by the next life. */
const stopGraceMs = 5_000;

function workspaceOptions(loaded: LoadedConfig, locks: Lock): { readonly root: string | null; readonly spawnWorkdir: string; readonly stateRoot: string; readonly home: string; readonly locks: Lock; readonly strategy: "worktree" | "clone"; readonly keepCheckoutOnClose: boolean } {
  const { strategy, keepCheckoutOnClose } = loaded.config.routing.workspace;
  return { root: loaded.paths.workspaceRoot, spawnWorkdir: loaded.paths.spawnWorkdir, stateRoot: loaded.paths.stateRoot, home: loaded.env["HOME"] ?? "", locks, strategy, keepCheckoutOnClose };
}

async function recordChange(change: ConfigChange, parts: RuntimeParts, log: Log): Promise<void> {
  const { eventLine } = await import("../runtime/event-line.ts");
  if (change.kind === "rejected") log.say("error", `the changed configuration is not taken up: ${change.why}`);
  else log.say("info", "the changed configuration is in force");
  const line = change.kind === "loaded" ? eventLine(parts, "config.loaded") : eventLine(parts, "config.rejected", { level: "error", fields: { why: change.why } });
  await parts.store.events.append([line]).catch(() => {});
}
