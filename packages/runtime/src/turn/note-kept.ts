import type { Turn } from "@loopwork/core/ports";
import type { RuntimeParts } from "../parts.ts";
import { keepMissing } from "./capture-at-end.ts";
import type { TurnAnswer } from "./requests.ts";

/**
 * The Stop gate says that it kept the session. Whoever works in the turn can say so as well, so
 * nothing of what is said counts: the service asks its own gate, and keeps what that finds missing
 * now.
 */
export async function noteKept(turn: Turn, parts: RuntimeParts): Promise<TurnAnswer> {
  const item = await parts.store.items.load(turn.workItem);
  const session = item.sessions.find(
    ({ endpoint, status }) => endpoint === turn.lane && status === "active",
  );
  if (session?.workdir == null || !(await parts.workspace.hasChosenLoop(session.workdir)))
    return nothing;
  const answer = await parts.gate
    ?.check({ workItem: turn.workItem, workdir: session.workdir })
    .catch(() => null);
  if (answer?.kind !== "incomplete") return nothing;
  await keepMissing(answer.missing, turn, session, parts);
  return { ok: true, message: "noted what is missing", data: { missing: answer.missing } };
}

const nothing: TurnAnswer = { ok: true, message: "nothing is missing", data: { missing: [] } };
