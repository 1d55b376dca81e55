import { evolve } from "@loopwork/core";
import type { OutboxEffect, OutboxEntry } from "@loopwork/core/ports";
import type { Carried, OutboxHandlers } from "./handlers/index.ts";
import { eventLine } from "./event-line.ts";
import type { RuntimeParts } from "./parts.ts";

const atOnce = 20;
const retryBugAfterMs = 60_000;

/** Carries out what waits in the outbox while `goOn` says so; resolves to how many effects were looked at. */
export async function drainOutbox(parts: RuntimeParts, handlers: OutboxHandlers, goOn: () => boolean = () => true): Promise<number> {
  const due = await parts.store.outbox.due(parts.clock.now(), atOnce);
  for (const entry of due) if (goOn()) await carryOut(entry, parts, handlers);
  return due.length;
}

async function carryOut(entry: OutboxEntry, parts: RuntimeParts, handlers: OutboxHandlers): Promise<void> {
  const carried = await dispatch(entry, handlers).catch((error: unknown): Carried => {
    const note = error instanceof Error ? error.message : String(error);
    parts.log("error", `the effect ${entry.effect.kind} of ${entry.workItem} failed unexpectedly: ${note}`);
    return entry.attempts >= 5 ? { kind: "failed", note, lines: [eventLine(parts, "daemon.warning", { level: "error", workItem: entry.workItem, fields: { effect: entry.effect.kind, detail: note } })] } : { kind: "later", notBefore: parts.clock.now() + retryBugAfterMs, note };
  });
  if (carried.kind === "later") return parts.store.outbox.settle(entry.id, { state: "pending", notBefore: carried.notBefore, note: carried.note }, null, []);
  if (carried.kind === "failed") return parts.store.outbox.settle(entry.id, { state: "failed", note: carried.note }, null, carried.lines);
  return parts.store.outbox.settle(entry.id, { state: "done", note: carried.note }, (item) => evolve(item, carried.recorded), carried.lines);
}

/** TypeScript cannot see that the handler under `effect.kind` takes this effect; the switch shows it. */
function dispatch(entry: OutboxEntry, handlers: OutboxHandlers): Promise<Carried> {
  const effect: OutboxEffect = entry.effect;
  switch (effect.kind) {
    case "react":
      return handlers.react(effect, entry);
    case "reply":
      return handlers.reply(effect, entry);
    case "end-session":
      return handlers["end-session"](effect, entry);
    case "release":
      return handlers.release(effect, entry);
  }
}
