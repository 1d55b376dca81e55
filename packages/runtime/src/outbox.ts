import { endAgainAfterMs, evolve, triesUntilStuck } from "@loopwork/core";
import {
  type EventLine,
  isEndingEffect,
  type OutboxEffect,
  type OutboxEntry,
} from "@loopwork/core/ports";
import type { Carried, OutboxHandlers } from "./handlers/index.ts";
import { eventLine } from "./event-line.ts";
import type { RuntimeParts } from "./parts.ts";

const atOnce = 20;
const retryBugAfterMs = 60_000;
/** After so many tries a post that fails for no reason that is known is given up. */
const mostBugs = 5;

/**
 * Carries out what waits in the outbox while `goOn` says so; resolves to how many effects were
 * looked at.
 */
export async function drainOutbox(
  parts: RuntimeParts,
  handlers: OutboxHandlers,
  goOn: () => boolean = () => true,
): Promise<number> {
  const due = await parts.store.outbox.due(parts.clock.now(), atOnce);
  for (const entry of due) if (goOn()) await carryOut(entry, parts, handlers);
  return due.length;
}

async function carryOut(
  entry: OutboxEntry,
  parts: RuntimeParts,
  handlers: OutboxHandlers,
): Promise<void> {
  const carried = await dispatch(entry, handlers).catch((error: unknown) =>
    unexpected(entry, error, parts),
  );
  const { outbox } = parts.store;
  const { note } = carried;
  switch (carried.kind) {
    case "elsewhere":
      return parts.log(
        "warn",
        `the effect ${entry.effect.kind} of ${entry.workItem} is left: ${note}`,
      );
    case "waits":
      return void (await outbox.settle(
        entry.id,
        { state: "pending", notBefore: carried.notBefore, note, tried: false },
        null,
        [],
      ));
    case "again":
      return void (await outbox.settle(
        entry.id,
        { state: "pending", notBefore: carried.notBefore, note, tried: true },
        null,
        stuckLines(entry, note, parts),
      ));
    case "failed":
      return void (await outbox.settle(entry.id, { state: "failed", note }, null, carried.lines));
    case "done":
      return void (await outbox.settle(
        entry.id,
        { state: "done", note },
        (item) => evolve(item, carried.recorded),
        carried.lines,
      ));
  }
}

/**
 * What a handler does not expect may be a bug of ours. A post is given up in the end; for an end a
 * lane waits, so it goes on.
 */
function unexpected(
  { effect, workItem, attempts }: OutboxEntry,
  error: unknown,
  parts: RuntimeParts,
): Carried {
  const note = error instanceof Error ? error.message : String(error);
  parts.log("error", `the effect ${effect.kind} of ${workItem} failed unexpectedly: ${note}`);
  if (isEndingEffect(effect))
    return { kind: "again", notBefore: parts.clock.now() + endAgainAfterMs(attempts + 1), note };
  if (attempts < mostBugs)
    return { kind: "again", notBefore: parts.clock.now() + retryBugAfterMs, note };
  return {
    kind: "failed",
    note,
    lines: [
      eventLine(parts, "daemon.warning", {
        level: "error",
        workItem,
        fields: { effect: effect.kind, detail: note },
      }),
    ],
  };
}

/** Told once, when it is time that somebody looks. */
function stuckLines(
  { id, effect, workItem, deliveryId, attempts }: OutboxEntry,
  note: string,
  parts: RuntimeParts,
): readonly EventLine[] {
  if (!isEndingEffect(effect) || attempts + 1 !== triesUntilStuck) return [];
  parts.log(
    "error",
    `the effect ${effect.kind} of ${workItem} failed ${triesUntilStuck} times, and is tried again: ${note}; \`loop status\` says what helps`,
  );
  return [
    eventLine(parts, "effect.stuck", {
      level: "error",
      workItem,
      delivery: deliveryId,
      reason: effect.kind,
      fields: { effect: id, detail: note },
    }),
  ];
}

/**
 * TypeScript cannot see that the handler under `effect.kind` takes this effect; the switch shows
 * it.
 */
function dispatch(entry: OutboxEntry, handlers: OutboxHandlers): Promise<Carried> {
  const effect: OutboxEffect = entry.effect;
  switch (effect.kind) {
    case "react":
      return handlers.react(effect, entry);
    case "reply":
      return handlers.reply(effect, entry);
    case "phase-label":
      return handlers["phase-label"](effect, entry);
    case "end-session":
      return handlers["end-session"](effect, entry);
    case "release":
      return handlers.release(effect, entry);
  }
}
