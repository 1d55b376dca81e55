import { afterGate, type HarnessId, type Next, remindersOf, type Session } from "@loopwork/core";
import type { GateAnswer, TakenLane } from "@loopwork/core/ports";
import type { RuntimeParts } from "../parts.ts";

/**
 * Asks whether the work is complete before a turn counts as done, where the harness has no stop hook that asked already
 * (harness B in headless turns).
 */
export async function pastTheGate(next: Next, harness: HarnessId, taken: TakenLane, session: Session | null, parts: RuntimeParts): Promise<Next> {
  const turns = parts.harnesses[harness]?.turns;
  if (next.turn.state !== "done" || session?.workdir == null || session.runner !== "headless" || turns === undefined || turns.capabilities.stopGateInHeadless) return next;
  const answer = await asked({ workItem: taken.turn.workItem, workdir: session.workdir }, parts);
  const retried = await parts.store.events.list({ workItem: taken.turn.workItem, kind: "turn.retried", limit: 500, newestFirst: true });
  return afterGate(next, answer, remindersOf(taken.turn.id, retried));
}

/** A gate that breaks its promise and throws must not make a turn that is done look undone. */
async function asked(request: Parameters<RuntimeParts["gate"]["check"]>[0], parts: RuntimeParts): Promise<GateAnswer> {
  return parts.gate.check(request).catch((error: unknown) => ({ kind: "unknown", why: error instanceof Error ? error.message : String(error) }));
}
