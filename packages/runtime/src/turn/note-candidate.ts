import type { Policy } from "@loopwork/core";
import type { RefText, Turn } from "@loopwork/core/ports";
import { candidateOf, oneLine, type Said, whyUnfit } from "@loopwork/core/learnings";
import type { RuntimeParts, TeamLearnings } from "../parts.ts";
import type { TurnAnswer } from "./requests.ts";
import { refOf } from "./session.ts";

/** As much of the runtime as noting needs. */
export type NotingParts = Pick<RuntimeParts, "redact" | "clock"> & {
  readonly learnings: Pick<TeamLearnings, "keep"> | null;
} & { readonly settings: () => { readonly policy: Pick<Policy, "instance" | "defaultHost"> } };

/**
 * Keeps what an agent says it learned, as the one occurrence of its work item. Who vouches for it
 * follows from what reached the turn and never from what the agent says. `purpose` makes a repeated
 * request the same occurrence; `untouched`: nobody was heard in the whole conversation but people
 * who may steer.
 */
export async function learn(
  said: Said,
  purpose: string,
  turn: Pick<Turn, "createdAt" | "workItem"> & {
    readonly inputs: readonly Pick<Turn["inputs"][number], "authority">[];
  },
  untouched: boolean,
  parts: NotingParts,
): Promise<TurnAnswer> {
  if (parts.learnings === null) return refuse("this service keeps no learnings");
  const text = parts.redact(oneLine(said.text));
  const fault = whyUnfit(text);
  if (fault !== null) return refuse(fault);
  if (parts.redact(said.ref) !== said.ref) return refuse("--ref holds a secret");
  const where = {
    id: `${String(turn.createdAt).padStart(15, "0")}-${purpose}`.toLowerCase().slice(0, 80),
    workItem: turn.workItem,
    harness: "",
    instance: parts.settings().policy.instance.name,
    at: parts.clock.now(),
  };
  const candidate = candidateOf(
    { ...said, text },
    {
      ...where,
      by: { kind: "agent", heard: turn.inputs.map(({ authority }) => authority), untouched },
    },
  );
  if (typeof candidate === "string") return refuse(candidate);
  await parts.learnings.keep(repositoryOf(turn.workItem, parts), candidate);
  return {
    ok: true,
    message: "noted; it becomes a learning when it was met in three work items or runs",
    data: { id: candidate.id },
  };
}

/** Name of a work item's repository, as its learnings are kept by it. */
export function repositoryOf(
  workItem: RefText,
  { settings }: { readonly settings: () => { readonly policy: Pick<Policy, "defaultHost"> } },
): string {
  const { owner, repo, host } = refOf(workItem);
  return `${host ?? settings().policy.defaultHost}/${owner}/${repo}`;
}

function refuse(message: string): TurnAnswer {
  return {
    ok: false,
    code: "LOOP_E_LEARNING",
    message,
    hint: "`loop learnings capture --help` shows what a learning is",
  };
}
