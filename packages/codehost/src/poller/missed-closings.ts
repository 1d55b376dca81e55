import { foldName, type JsonObject } from "@loopwork/core/ports";
import {
  closedHappening,
  goneHappening,
  type Happening,
  instantOf,
  missingFromListing,
  type PollCursor,
  reconcileEveryMs,
  type TrackedItems,
} from "@loopwork/core";
import type { Client } from "../client.ts";
import { at, numberAt, textAt } from "../fields.ts";
import type { Stuck } from "./poll-context.ts";
import { type Pages, perPage } from "./pages.ts";
import { isObject, readItem } from "./subjects.ts";

/**
 * What reconciliation found. `at` is null when it did not take place, so that the next poll tries
 * again.
 */
export type Closings = {
  readonly happenings: readonly Happening[];
  readonly at: string | null;
  readonly note: string | null;
};

/**
 * Looks for closings that were never heard of: what ought to be open and is missing from the
 * complete list of open items. Each is then looked at by itself, and who closed it is taken from
 * its events. One that cannot be looked at holds up nothing, and is looked at again when the list
 * is read next.
 */
export async function findClosings(
  client: Client,
  base: string,
  pages: Pages,
  repository: JsonObject,
  cursor: PollCursor,
  tracked: TrackedItems,
  hostNow: string,
  stuck: Stuck,
): Promise<Closings> {
  const due =
    cursor.reconciledAt === null ||
    (instantOf(hostNow) ?? 0) - (instantOf(cursor.reconciledAt) ?? 0) >= reconcileEveryMs;
  if (!due) return { happenings: [], at: null, note: null };
  if (tracked.open.size === 0) return { happenings: [], at: hostNow, note: null };
  const listed = await pages.whole(
    "listing open items",
    `${base}/issues?state=open&sort=created&direction=asc&per_page=${perPage}`,
  );
  const numbers = new Set((listed ?? []).flatMap((entry) => numberAt(entry, "number") ?? []));
  const missing = missingFromListing({ complete: listed !== null, numbers }, tracked);
  const happenings: Happening[] = [];
  for (const number of missing) {
    const happening = await stuck.around(null, () =>
      lookAt(number, client, base, pages, repository, hostNow),
    );
    if (happening !== null) happenings.push(happening);
  }
  return listed === null
    ? {
        happenings,
        at: null,
        note: "the list of open items could not be read whole, so nothing was taken from it",
      }
    : { happenings, at: hostNow, note: null };
}

async function lookAt(
  number: number,
  client: Client,
  base: string,
  pages: Pages,
  repository: JsonObject,
  hostNow: string,
): Promise<Happening | null> {
  const item = await readItem(client, `${base}/issues/${number}`);
  const subject = { repository, type: "issue", number, item: item ?? {} } as const;
  if (item === null) return goneHappening(subject, "deleted", hostNow);
  // A transferred issue answers from the repository to which it went.
  const from = textAt(item, "repository_url");
  const here = foldName(`/repos/${textAt(repository, "full_name") ?? ""}`);
  if (from !== null && ![here, foldName(base)].some((end) => foldName(from).endsWith(end)))
    return goneHappening(subject, "transferred", hostNow);
  if (textAt(item, "state") !== "closed") return null;
  const actor = await closerOf(number, item, base, pages);
  if (textAt(item, "pull_request", "url") === null) return closedHappening(subject, actor);
  const pull = await readItem(client, `${base}/pulls/${number}`);
  return pull === null
    ? null
    : closedHappening({ ...subject, type: "pull-request", item: pull }, actor);
}

/** Who closed it, by its events; else as the item itself says; undefined when neither does. */
async function closerOf(
  number: number,
  item: JsonObject,
  base: string,
  pages: Pages,
): Promise<unknown> {
  const events = await pages.whole(
    "asking who closed an item",
    `${base}/issues/${number}/events?per_page=${perPage}`,
  );
  const actor = at(
    (events ?? []).findLast((event) => textAt(event, "event") === "closed"),
    "actor",
  );
  return isObject(actor) ? actor : item["closed_by"];
}
