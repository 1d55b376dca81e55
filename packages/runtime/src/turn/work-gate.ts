import { afterGate, type NextStep, remindersOf } from "@loopwork/core";
import {
  type GateAnswer,
  type HarnessId,
  maxReminders,
  type Session,
  type TakenLane,
  type WorkGate,
} from "@loopwork/core/ports";
import type { RuntimeParts } from "../parts.ts";
import { attemptFiles } from "./attempt.ts";

/**
 * Asks whether the work is complete before a turn counts as done. A harness without a stop hook in
 * headless turns (harness B) is reminded here alone. Where a hook asked already it is looked at
 * once more: the hook gives way after so many reminders, and a slow one is ended by its harness;
 * neither may pass in silence. In a terminal nobody is reminded from here, because a person may sit
 * there.
 */
export async function pastTheGate(
  next: NextStep,
  harness: HarnessId,
  taken: TakenLane,
  session: Session | null,
  parts: RuntimeParts,
): Promise<NextStep> {
  const { gate } = parts;
  if (gate === null || next.turn.state !== "done") return next;
  if (session?.workdir == null || parts.harnesses[harness] === null) return next;
  const answer = await asked({ workItem: taken.turn.workItem, workdir: session.workdir }, gate);
  if (answer.kind === "complete") return next;
  return afterGate(
    next,
    answer,
    await reminded(taken, parts),
    session.runner === "headless" ? maxReminders : 0,
  );
}

/** Reminders of the driver and of the harness's own hook. */
async function reminded({ turn }: TakenLane, parts: RuntimeParts): Promise<number> {
  const { turnDir } = attemptFiles(parts.settings().turnsDir, turn.id, turn.attempt?.receipt ?? "");
  const retried = await parts.store.events.list({
    workItem: turn.workItem,
    kind: "turn.retried",
    limit: 500,
    newestFirst: true,
  });
  return remindersOf(turn.id, retried) + (await parts.files.reminders(turnDir));
}

/** A gate that breaks its promise and throws must not make a turn that is done look undone. */
async function asked(
  request: Parameters<WorkGate["check"]>[0],
  gate: WorkGate,
): Promise<GateAnswer> {
  return gate.check(request).catch((error: unknown) => ({
    kind: "unknown",
    why: error instanceof Error ? error.message : String(error),
  }));
}
