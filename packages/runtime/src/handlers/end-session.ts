import { stillDue } from "@loopwork/core";
import { formatRef, type RefText } from "@loopwork/core/ports";
import { eventLine } from "../event-line.ts";
import type { RuntimeParts } from "../parts.ts";
import { repositoryOf } from "../turn/note-candidate.ts";
import type { ActiveTurns, Stoppable } from "../active-turns.ts";
import type { Carried, OutboxHandlers } from "./index.ts";

const lookAgainMs = 1_000;
/**
 * What ending a child may take: longer than its grace and a KILL. One that outlives both must not
 * keep other effects waiting.
 */
const stopMs = 15_000;
const offNow: Carried = {
  kind: "done",
  recorded: { kind: "nothing", why: "called off" },
  note: "the end was called off",
  lines: [],
};

/**
 * Ends the endpoint's running turn, then closes its session. A closing lets the turn run up to
 * `graceMs`; stop and cleanup end it at once.
 */
export function createEndSessionHandler(
  parts: RuntimeParts,
  living: ActiveTurns,
): OutboxHandlers["end-session"] {
  return async (effect, entry) => {
    const lane = formatRef(effect.endpoint);
    const running = living.find(lane);
    const now = parts.clock.now();
    const calledOff = async (): Promise<boolean> =>
      !stillDue(effect, await parts.store.items.load(entry.workItem));
    if (await calledOff()) return offNow;
    if (running !== null && now < entry.createdAt + effect.graceMs)
      return {
        kind: "waits",
        notBefore: now + lookAgainMs,
        note: "the running turn may still end by itself",
      };
    if (running !== null) await stopWithin(stopMs, running, parts);
    if (running !== null && (await calledOff())) return offNow; // A reopening was decided while the turn ended.
    const injecting = await parts.store.lanes.turns({ lane, states: ["injecting"], limit: 1 });
    if (injecting.length > 0)
      return {
        kind: "waits",
        notBefore: parts.clock.now() + lookAgainMs,
        note: "its turn is being ended",
      };
    await endConversations(entry.workItem, lane, parts);
    await parts.learnings?.ask(repositoryOf(entry.workItem, parts));
    const line = eventLine(parts, "session.closed", {
      workItem: entry.workItem,
      delivery: entry.deliveryId,
      reason: effect.why,
      fields: { endpoint: lane },
    });
    return {
      kind: "done",
      recorded: { kind: "session-closed", endpoint: effect.endpoint },
      note: `closed the session of ${formatRef(effect.endpoint)}`,
      lines: [line],
    };
  };
}

async function stopWithin(
  ms: number,
  child: Stoppable,
  { timers }: Pick<RuntimeParts, "timers">,
): Promise<void> {
  let callOff = (): void => {};
  await Promise.race([
    child.stop("asked"),
    new Promise<void>((resolve) => (callOff = timers.after(ms, resolve))),
  ]);
  callOff();
}

/**
 * What the endpoint's harness still runs between turns goes with its session: the next start opens
 * a new one.
 */
async function endConversations(
  workItem: RefText,
  lane: RefText,
  parts: RuntimeParts,
): Promise<void> {
  const { sessions } = await parts.store.items.load(workItem);
  for (const session of sessions.filter(({ endpoint }) => endpoint === lane))
    await parts.harnesses[session.harness]?.endConversation(session.harnessSessionId);
}
