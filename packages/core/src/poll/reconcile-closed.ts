import { parseRef, type RefText, sameName } from "../ref/ref.ts";
import type { ItemState } from "../work-item/records.ts";

/**
 * Which issues or pull requests of a repository matter here although nothing new was heard of them.
 */
export type TrackedItems = {
  /** On record as open, with a session or a request: their closing must not be missed. */
  readonly open: ReadonlySet<number>;
  /** Everything on record. */
  readonly recorded: ReadonlySet<number>;
  /**
   * Heads of the open pull requests that were recorded against a work item: their checks are read.
   */
  readonly heads: ReadonlySet<string>;
};

/** What the records say of one repository. `host` is null for the default host. */
export function trackedIn(
  items: readonly ItemState[],
  repository: { readonly host: string | null; readonly owner: string; readonly name: string },
): TrackedItems {
  const numberOf = (text: RefText): readonly number[] => {
    const ref = parseRef(text);
    return ref !== null &&
      ref.host === repository.host &&
      sameName(ref.owner, repository.owner) &&
      sameName(ref.repo, repository.name)
      ? [ref.number]
      : [];
  };
  const [open, recorded, heads] = [new Set<number>(), new Set<number>(), new Set<string>()];
  for (const { workItem, sessions, pullRequests } of items) {
    if (workItem !== null) for (const number of numberOf(workItem.ref)) recorded.add(number);
    const atWork =
      workItem !== null &&
      workItem.open &&
      (workItem.control.status === "started" ||
        workItem.control.status === "paused" ||
        sessions.some(({ status }) => status !== "closed"));
    if (atWork) for (const number of numberOf(workItem.ref)) open.add(number);
    for (const { endpoint, status } of sessions) {
      if (status === "closed") continue;
      for (const number of numberOf(endpoint)) {
        recorded.add(number);
        // A session of the item itself is at work while the item is open; one of a pull request has
        // no other record.
        if (endpoint !== workItem?.ref) open.add(number);
      }
    }
    for (const link of pullRequests) {
      for (const number of numberOf(link.pullRequest)) {
        recorded.add(number);
        if (link.open && link.headSha !== null) heads.add(link.headSha);
      }
    }
  }
  return { open, recorded, heads };
}

/**
 * What a listing of open items gave. `complete` is true only when its last page was read without a
 * failure.
 */
export type OpenListing = { readonly complete: boolean; readonly numbers: ReadonlySet<number> };

/**
 * Items that ought to be open and are missing from the host's list of open items. A list that is
 * not complete proves nothing: then there are none, however many are missing. What is named here is
 * still looked at one by one before anything counts as closed.
 */
export function missingFromListing(
  listing: OpenListing,
  tracked: Pick<TrackedItems, "open">,
): readonly number[] {
  return listing.complete
    ? [...tracked.open].filter((number) => !listing.numbers.has(number)).toSorted((a, b) => a - b)
    : [];
}
