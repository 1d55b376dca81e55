import { formatInstant, instantOf } from "../decide/instant.ts";
import { isJsonObject, type JsonObject, parsePayload } from "../delivery/admit.ts";
import { text } from "../normalise/fields.ts";

/**
 * How far the poller has read one repository (table `poll_cursor`). All instants are the host's
 * own, ISO 8601 as it sent them, so that a clock of ours that is wrong loses nothing.
 *
 *     first sight ── newest of each stream grows ──▶ each poll asks from `newest` less an overlap
 *
 * A stream that fails keeps its `newest`, and reads the same again at the next poll; delivery ids
 * make that harmless.
 */
export type PollCursor = {
  /**
   * When the repository was polled for the first time. What happened before is judged by
   * first-sight.ts.
   */
  readonly firstSight: string;
  /** Newest instant that each stream has delivered; a stream that was never read is missing. */
  readonly newest: Readonly<Partial<Record<PollStream, string>>>;
  /**
   * Pages of the last poll, by path: asked again with their tag they cost nothing while they are
   * unchanged.
   */
  readonly pages: Readonly<Record<string, PageMark>>;
  /** Head of each open pull request, by number, so that a push is noticed. */
  readonly heads: Readonly<Record<string, string>>;
  /**
   * Digests of description and title of each item on record, by number, with a dot between, so that
   * an edit is noticed. Of earlier versions the first alone.
   */
  readonly texts: Readonly<Record<string, string>>;
  /** The repository as payloads show it. */
  readonly repository: JsonObject | null;
  /** When the complete list of open items was last compared with ours; null for never. */
  readonly reconciledAt: string | null;
};

/**
 * What is listed of a repository. Reviews belong to `pulls`, checks and statuses have no time to
 * ask from.
 */
export type PollStream = "items" | "events" | "comments" | "diff-comments" | "pulls";
export const pollStreams: readonly PollStream[] = [
  "items",
  "pulls",
  "events",
  "comments",
  "diff-comments",
];

/** A page's entity tag, and the path of the page after it. */
export type PageMark = { readonly tag: string; readonly next: string | null };

/**
 * Listings of the host lag a little behind, and its clocks differ by seconds: each poll reads this
 * much again, in milliseconds.
 */
export const overlapMs = 60_000;
/**
 * How far back the first poll looks, in milliseconds: a control comment that is older is stale
 * anyway.
 */
export const lookBackMs: number = 7 * 24 * 60 * 60 * 1000;
/** How often the complete list of open items is read, in milliseconds. */
export const reconcileEveryMs: number = 10 * 60 * 1000;

export function firstCursor(hostNow: string): PollCursor {
  return {
    firstSight: hostNow,
    newest: {},
    pages: {},
    heads: {},
    texts: {},
    repository: null,
    reconciledAt: null,
  };
}

/**
 * The instant from which a stream is asked. The same while nothing new came, so that the address
 * and its tag stay the same.
 */
export function sinceOf(cursor: PollCursor, stream: PollStream): string {
  const newest = cursor.newest[stream];
  const at = instantOf(newest ?? cursor.firstSight) ?? 0;
  return formatInstant(at - (newest === undefined ? lookBackMs : overlapMs));
}

/** The newer of two instants; `null` counts as older than any. */
export function newerOf(one: string | null, other: string | null): string | null {
  const [a, b] = [instantOf(one), instantOf(other)];
  return a === null || (b !== null && b > a) ? other : one;
}

/** Reads what was stored; null when it cannot be read, which makes the next poll a first one. */
export function parseCursor(stored: string): PollCursor | null {
  const parsed = parsePayload(stored);
  if (!parsed.ok) return null;
  const { firstSight, newest, pages, heads, texts, repository, reconciledAt } = parsed.payload;
  const first = readInstant(firstSight);
  if (first === null) return null;
  const streams: ReadonlySet<string> = new Set(pollStreams);
  return {
    firstSight: first,
    newest: entriesOf(newest, (value, stream) => (streams.has(stream) ? readInstant(value) : null)),
    pages: entriesOf(pages, (mark) =>
      isJsonObject(mark) && typeof mark["tag"] === "string"
        ? { tag: mark["tag"], next: text(mark["next"]) }
        : null,
    ),
    heads: entriesOf(heads, text),
    texts: entriesOf(texts, text),
    repository: isJsonObject(repository) ? repository : null,
    reconciledAt: readInstant(reconciledAt),
  };
}

export function formatCursor(cursor: PollCursor): string {
  return JSON.stringify(cursor);
}

function readInstant(value: unknown): string | null {
  return instantOf(text(value)) === null ? null : text(value);
}

/** The entries of an object that can be read; what cannot is left out. */
function entriesOf<T>(
  value: unknown,
  read: (value: unknown, key: string) => T | null,
): Readonly<Record<string, T>> {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    entries.flatMap(([key, each]) => {
      const found = read(each, key);
      return found === null ? [] : [[key, found]];
    }),
  );
}
