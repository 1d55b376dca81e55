import type { DecisionRow } from "@loopwork/core/ports";
import type { World } from "../world/world.ts";

/**
 * What is told late opens nothing again: no comment starts, resumes or lets in what something newer
 * had ended before it was decided. Times are those that people can read: the host's of a comment or
 * a closing, the machine's of a request that was made there.
 */
export function judgeLate({ data }: World): readonly string[] {
  const decided = [...(data.instances.get("default")?.decisions.values() ?? [])];
  return decided.flatMap((row, n) => {
    if (row.event?.kind !== "comment") return [];
    const before = decided.slice(0, n).filter(({ workItem }) => workItem === row.workItem);
    const undone = before.find(
      (each) =>
        secondOf(each) > secondOf(row) &&
        ((begins(row) && ends(each)) || (letsIn(row) && letsOut(each))),
    );
    return undone === undefined
      ? []
      : [
          `${begins(row) ? "undone-late" : "let-in-late"}: ${row.delivery.id} on ${row.workItem ?? ""} counts, though ${undone.delivery.id} is newer and was decided before`,
        ];
  });
}

const begins = ({ decision: { verdict } }: DecisionRow): boolean =>
  verdict.kind === "started" || verdict.kind === "resumed";
const ends = ({ decision: { verdict } }: DecisionRow): boolean =>
  verdict.kind === "stopped" || verdict.kind === "cleaned-up" || verdict.kind === "paused";
const letsIn = ({ decision: { verdict } }: DecisionRow): boolean => verdict.kind === "granted";

/** Somebody was taken off, was none, or the item was closed, whoever did it. */
function letsOut({ event, decision: { verdict, reason } }: DecisionRow): boolean {
  const closes =
    event?.kind === "closed" &&
    (reason === "closed-by-authorized" ||
      reason === "closed-by-unauthorized" ||
      reason === "closing-overtaken" ||
      reason === "close-without-session");
  return (
    verdict.kind === "revoked" ||
    reason === "not-a-collaborator" ||
    (closes && verdict.kind !== "ignored")
  );
}

/** Hosts tell whole seconds. */
function secondOf({ event, delivery }: DecisionRow): number {
  const written =
    event?.kind === "comment" ? (event.comment.createdAt ?? event.at) : (event?.at ?? null);
  return Math.floor((written === null ? delivery.receivedAt : Date.parse(written)) / 1000);
}
