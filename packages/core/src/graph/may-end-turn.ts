import type { ItemState } from "../work-item/records.ts";
import type { RefText } from "../ref/ref.ts";
import { type GraphProgress, progressAt } from "./progress.ts";

/**
 * Whether a session may end its turn (`loop check`, the Stop gate):
 *
 *     complete      everything of its node is there, or what is left is the service's to do: hooks and critics run after the turn
 *     waiting       a person must give something: an approval, an answer to a question
 *     incomplete    the session owes what `missing` says, a sentence each
 */
export type FinishedCheck = {
  readonly answer: "complete" | "waiting" | "incomplete";
  /** Id of the node that was looked at. */ readonly node: string;
  readonly missing: readonly string[];
};

/**
 * Judges the node that the session was asked to do; `assigned` is null where nobody was asked, and
 * then the first open node counts. Work before it that is not complete any more counts as well:
 * what was assigned is not trusted. `asked`: a question of the agent has no answer yet.
 */
export function nodeFinished(
  progress: GraphProgress,
  assigned: string | null,
  asked: boolean,
): FinishedCheck {
  const at = progress.nodes.findIndex(({ node }) => node.id === assigned);
  const open = progress.nodes.findIndex(({ node }) => node.id === progress.position.id);
  const node = progress.nodes[Math.min(at, open)]?.node ?? progress.position;
  const { lacks = [] } = progressAt(progress, node.id) ?? {};
  const missing = lacks.filter(({ owes }) => owes === "session").map(({ text }) => text);
  if (missing.length > 0 && !asked) return { answer: "incomplete", node: node.id, missing };
  const waiting = asked || lacks.some(({ owes }) => owes === "person");
  return {
    answer: waiting ? "waiting" : "complete",
    node: node.id,
    missing: [...(asked ? ["a question has no answer yet"] : []), ...lacks.map(({ text }) => text)],
  };
}

/**
 * The same of an item on record: at the node that its session was asked for last, with the question
 * that it may have asked.
 */
export function itemFinished(
  progress: GraphProgress,
  workItem: RefText,
  item: ItemState,
): FinishedCheck {
  return nodeFinished(progress, item.workItem?.graph?.node ?? null, isAsking(workItem, item));
}

/** Whether a question of the session at the endpoint has no answer yet. */
export function isAsking(endpoint: RefText, { sessions }: Pick<ItemState, "sessions">): boolean {
  return sessions.some(
    (session) =>
      session.endpoint === endpoint && session.status === "active" && session.asked != null,
  );
}
