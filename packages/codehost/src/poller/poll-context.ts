import { CodeHostError } from "@loopwork/core/ports";
import {
  countsAtFirstSight,
  type FirstSight,
  type Happening,
  instantOf,
  type ListedChange,
  type PollCursor,
  type PolledItem,
  type PollStream,
  type TrackedItems,
} from "@loopwork/core";
import type { Client } from "../client.ts";
import { numberAt, textAt } from "../fields.ts";
import type { Pages } from "./pages.ts";
import type { Streams } from "./streams.ts";
import type { Subjects } from "./subjects.ts";

/** All that one poll of a repository is made of. */
export type Gathering = {
  readonly client: Client;
  readonly base: string;
  readonly pages: Pages;
  readonly cursor: PollCursor;
  readonly tracked: TrackedItems;
  readonly firstSight: FirstSight;
  readonly streams: Streams;
  readonly subjects: Subjects;
  readonly repository: PolledItem["repository"];
  readonly stuck: Stuck;
};

/**
 * What could not be looked at in this poll. One item that fails stops neither the others nor its
 * repository: the list in which it stands is read again from where it was, and the inbox knows what
 * of that it has.
 */
export type Stuck = {
  /** Does the work; null when the host failed at it. A limit ends the poll. */
  around<T>(stream: PollStream | null, work: () => Promise<T>): Promise<T | null>;
  readonly streams: ReadonlySet<PollStream>;
  readonly failures: readonly CodeHostError[];
};

export function createStuck(): Stuck {
  const [streams, failures] = [new Set<PollStream>(), [] as CodeHostError[]];
  return {
    streams,
    failures,
    async around(stream, work) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof CodeHostError) || error.code === "LOOP_E_HOST_LIMIT") throw error;
        if (stream !== null) streams.add(stream);
        failures.push(error);
        return null;
      }
    },
  };
}

/** The changes of one item, as far as they were listed. */
export type ChangesOf = (number: number) => readonly ListedChange[];

/** Only what happened since the last poll, and what first sight lets through. */
export const keep = (
  poll: Gathering,
  ...happenings: readonly (Happening | null)[]
): readonly Happening[] =>
  happenings
    .filter((each) => each !== null)
    .filter((each) => countsAtFirstSight(each, poll.firstSight));

export const isSince = (at: string | null, since: string): boolean =>
  (instantOf(at) ?? 0) >= (instantOf(since) ?? 0);

/**
 * Whether an item is worth a question: of the time before the first poll only what is on record is,
 * others were listed.
 */
export function worthAsking(poll: Gathering, number: number, at: string): boolean {
  if (isSince(at, poll.cursor.firstSight) || poll.tracked.recorded.has(number)) return true;
  return [...poll.streams.entries.items, ...poll.streams.entries.pulls].some(
    (entry) => numberAt(entry, "number") === number,
  );
}

/**
 * Whether anything about an item can count: at first sight most of what is listed cannot, and
 * asking for its reviews is spared.
 */
export function mayHaveCounted(poll: Gathering, { number, item }: PolledItem): boolean {
  const at = textAt(item, "updated_at") ?? poll.cursor.firstSight;
  return (
    keep(poll, {
      event: "pull_request_review",
      payload: {},
      identity: "",
      at,
      kind: "comment",
      number,
      current: item,
      editedNode: null,
    }).length > 0
  );
}

/** For lists that not every host has, or not every token may see: those are empty. */
export function noneWhereMissing(error: unknown): readonly unknown[] {
  if (error instanceof CodeHostError && (error.missing || error.code === "LOOP_E_HOST_FORBIDDEN"))
    return [];
  throw error;
}
