import type { Policy, Turn } from "@loopwork/core";
import { candidateOf, oneLine, type Said, unfit } from "@loopwork/core/learnings";
import type { RuntimeParts } from "../parts.ts";
import type { TurnAnswer } from "./requests.ts";
import { refOf } from "./session.ts";

/** As much of the runtime as noting needs. */
export type NotingParts = Pick<RuntimeParts, "redact" | "clock" | "keepCandidate"> & { readonly settings: () => { readonly policy: Pick<Policy, "instance" | "defaultHost"> } };

/**
 * Keeps what an agent says it learned, as an occurrence of this turn. Who vouches for it follows from what reached the turn
 * and never from what the agent says. `purpose` makes a repeated request the same occurrence.
 */
export async function learn(said: Said, purpose: string, turn: Pick<Turn, "id" | "createdAt" | "workItem"> & { readonly inputs: readonly Pick<Turn["inputs"][number], "authority">[] }, parts: NotingParts): Promise<TurnAnswer> {
  const text = parts.redact(oneLine(said.text));
  const fault = unfit(text);
  if (fault !== null) return refuse(fault);
  const { owner, repo, host } = refOf(turn.workItem);
  const where = { id: `${String(turn.createdAt).padStart(15, "0")}-${purpose}`.toLowerCase().slice(0, 80), workItem: turn.workItem, run: `turn-${turn.id}`, harness: "", instance: parts.settings().policy.instance.name, at: parts.clock.now() };
  const candidate = candidateOf({ ...said, text }, { ...where, heard: turn.inputs.map(({ authority }) => authority) });
  if (typeof candidate === "string") return refuse(candidate);
  await parts.keepCandidate(`${host ?? parts.settings().policy.defaultHost}/${owner}/${repo}`, candidate);
  return { ok: true, message: "noted; it becomes a learning at its third occurrence", data: { id: candidate.id } };
}

function refuse(message: string): TurnAnswer {
  return { ok: false, code: "LOOP_E_LEARNING", message, hint: "`loop learnings capture --help` shows what a learning is" };
}
