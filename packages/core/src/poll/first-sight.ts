import { instantOf } from "../text/instant.ts";
import { hasLabel } from "../event/labels.ts";
import type { JsonObject } from "../event/parse-payload.ts";
import { readLabels } from "../event/fields.ts";
import { lookBackMs } from "./cursor.ts";
import type { Happening } from "./happening.ts";

/**
 * What counts of the time before a repository was polled first. A repository's past is none of our
 * business, with two exceptions, without which a `loop start` that somebody wrote a minute too
 * early would be silent for good:
 *
 * - an open item that carries the auto-execute label: its comments and its label, up to the age at
 *   which a control comment
 *   is stale;
 * - an item that is on record: everything in that time, for it is at work here already and was only
 *   not heard.
 *
 * From the first poll on everything counts. `recorded` are numbers of items and pull requests on
 * record.
 */
export function countsAtFirstSight(
  happening: Happening,
  { firstSight, autoExecuteLabel, recorded }: FirstSight,
): boolean {
  // What happened at a time that nobody can read is not known to be old.
  const [at, from] = [
    instantOf(happening.at) ?? Number.POSITIVE_INFINITY,
    instantOf(firstSight) ?? 0,
  ];
  if (at >= from) return true;
  if (at < from - lookBackMs) return false;
  if (happening.number === null || recorded.has(happening.number)) return true;
  const arms = happening.kind === "comment" || happening.payload["action"] === "labeled";
  return arms && isOpenWithLabel(happening.current, autoExecuteLabel);
}

export type FirstSight = {
  readonly firstSight: string;
  readonly autoExecuteLabel: string;
  readonly recorded: ReadonlySet<number>;
};

/**
 * Whether an item is open and carries the label, as it is now, not as it was then: somebody may
 * have labelled it after the comment.
 */
export function isOpenWithLabel(current: JsonObject | null, label: string): boolean {
  return (
    current !== null &&
    current["state"] !== "closed" &&
    hasLabel(readLabels(current["labels"]), label)
  );
}
