import type { InboundEvent, Item, Repository } from "../normalise/event.ts";
import { idleControl, type ItemState, type WorkItem } from "../work-item/records.ts";
import { formatRef, type RefText } from "../work-item/ref.ts";
import type { DecidedFact } from "./effect.ts";
import { putLink } from "./fold-sessions.ts";
import { isBefore } from "./instant.ts";
import { isStale, isStaleOf, itemIn, refOfItem } from "./item-view.ts";

/** The record of an item of which nothing was known. */
export function emptyRecord(ref: RefText): WorkItem {
  return {
    ref,
    hostId: null,
    repositoryId: null,
    type: "issue",
    title: "",
    url: null,
    cloneUrl: null,
    defaultBranch: null,
    open: true,
    armed: false,
    labels: [],
    control: idleControl,
    closeDeferred: false,
    spend: { turns: 0, usd: 0, minutes: 0 },
    hostUpdatedAt: null,
  };
}

/** Remembers what an event shows of the work item, or of one of its recorded pull requests. */
export function seeItem(item: ItemState, fact: DecidedFact): ItemState {
  if (fact.target === null) return item;
  const ref = formatRef(fact.target.workItem);
  const record = item.workItem ?? { ...emptyRecord(ref), ...ofRepository(fact.event.repository) };
  const known = record === item.workItem ? item : { ...item, workItem: record };
  const found = itemIn(fact.event);
  if (found === null) return known;
  const seen = formatRef(refOfItem(fact.event, found));
  if (seen !== ref) return seePullRequest(known, seen, found, fact.event);
  const workItem = shown(record, found, fact);
  return isEqual(workItem, record) ? known : { ...known, workItem };
}

/**
 * Head and state of a pull request are remembered only where it was recorded; inference records
 * nothing.
 */
function seePullRequest(
  item: ItemState,
  seen: RefText,
  shown: Item,
  event: InboundEvent,
): ItemState {
  const index = item.pullRequests.findIndex((link) => link.pullRequest === seen);
  const link = item.pullRequests[index];
  if (link === undefined || isStaleOf(link, event, shown)) return item;
  const { branches, open } = shown;
  const updatedAt = shown.updatedAt ?? link.updatedAt;
  // In a fork a branch of that name is another one than here, so that it must not be checked out.
  const headBranch =
    branches === null ? link.headBranch : branches.sameRepository ? branches.head : null;
  return putLink(item, index, {
    ...link,
    open,
    headSha: branches?.headSha ?? link.headSha,
    headBranch,
    ...(updatedAt === undefined ? {} : { updatedAt }),
  });
}

/**
 * The record as the event shows it, unless the record is newer. A title is what somebody wrote, so
 * a stranger's is taken only before anybody started the item.
 */
function shown(
  record: WorkItem,
  item: Item,
  { event, authority, labelled }: DecidedFact,
): WorkItem {
  if (isStale(event, item, record)) return record;
  const { closedAgain: _, ...before } = record;
  const titled =
    authority === "authorized" || record.title === "" || record.control.status === "idle";
  return {
    ...before,
    ...ofRepository(event.repository, record),
    hostId: item.id ?? record.hostId,
    type: item.type,
    title: titled ? item.title : record.title,
    url: item.url ?? record.url,
    open: item.open,
    closeDeferred: record.closeDeferred && !item.open,
    armed: labelled ?? record.armed,
    labels: item.labels,
    hostUpdatedAt: item.updatedAt ?? record.hostUpdatedAt,
    ...(isClosedAgain(record, item, event) ? { closedAgain: true } : {}),
  };
}

/**
 * Between two closings of different seconds lies a reopening; what else is told of the second one's
 * second does not change that.
 */
function isClosedAgain(record: WorkItem, item: Item, event: InboundEvent): boolean {
  if (record.open || item.open) return false;
  return isBefore(record.hostUpdatedAt, item.updatedAt)
    ? event.kind === "closed"
    : record.closedAgain === true;
}

function ofRepository(
  repository: Repository,
  known: Pick<WorkItem, "repositoryId" | "cloneUrl" | "defaultBranch"> = {
    repositoryId: null,
    cloneUrl: null,
    defaultBranch: null,
  },
): Pick<WorkItem, "repositoryId" | "cloneUrl" | "defaultBranch"> {
  return {
    repositoryId: repository.id ?? known.repositoryId,
    cloneUrl: repository.cloneUrl ?? known.cloneUrl,
    defaultBranch: repository.defaultBranch ?? known.defaultBranch,
  };
}

/** Compares what `shown` may change. */
function isEqual(one: WorkItem, other: WorkItem): boolean {
  const scalars = [
    "hostId",
    "repositoryId",
    "type",
    "title",
    "url",
    "cloneUrl",
    "defaultBranch",
    "open",
    "closeDeferred",
    "armed",
    "hostUpdatedAt",
    "closedAgain",
  ] as const;
  return (
    scalars.every((key) => one[key] === other[key]) &&
    one.labels.length === other.labels.length &&
    one.labels.every((label, n) => label === other.labels[n])
  );
}
