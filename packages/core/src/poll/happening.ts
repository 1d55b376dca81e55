import type { JsonObject } from "../event/parse-payload.ts";
import type { HostEventName } from "../event/event.ts";

/**
 * One thing that a listing shows to have happened, in the shape of the host's own webhook:
 * normalising and deciding are the same for both. `identity` names the happening by the host's ids,
 * as the semantic key does; the delivery id is its hash.
 */
export type Happening = {
  readonly event: HostEventName;
  readonly payload: JsonObject;
  readonly identity: string;
  /** When it happened by the host's clock, ISO 8601. */
  readonly at: string;
  readonly kind: HappeningKind;
  /** Issue or pull request that it is about; null for CI. */
  readonly number: number | null;
  /** The item as the host shows it now, while the payload shows it as it was then; null for CI. */
  readonly current: JsonObject | null;
  /**
   * Set where somebody may have changed the text since: the host's node id, to ask who (comments.ts).
   */
  readonly editedNode: string | null;
};

/** In one second things happen in this order. */
export type HappeningKind = "opened" | "change" | "comment" | "push" | "ci" | "closed";

const order: readonly HappeningKind[] = ["opened", "change", "comment", "push", "ci", "closed"];

/**
 * Oldest first; in the same second by kind, then by identity, so that the same listings always give
 * the same row. Nothing twice.
 */
export function sortHappenings(happenings: readonly Happening[]): readonly Happening[] {
  const known = new Map<string, Happening>();
  for (const each of happenings) if (!known.has(each.identity)) known.set(each.identity, each);
  return [...known.values()].toSorted(
    (a, b) =>
      compare(a.at, b.at) ||
      order.indexOf(a.kind) - order.indexOf(b.kind) ||
      a.identity.length - b.identity.length ||
      compare(a.identity, b.identity),
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** An item with what is known of its past, and the repository around it. */
export type PolledItem = {
  readonly repository: JsonObject;
  readonly type: "issue" | "pull-request";
  readonly number: number;
  readonly item: JsonObject;
};

/** The payload's fields that name the item, as each event of the host has them. */
export function about(subject: PolledItem, item: JsonObject): JsonObject {
  return subject.type === "issue"
    ? { issue: item, repository: subject.repository }
    : { number: subject.number, pull_request: item, repository: subject.repository };
}
