import { instantOf } from "../decide/instant.ts";
import { isJsonObject, type JsonObject, parsePayload } from "../delivery/admit.ts";

/**
 * How far the poller has read one repository (decisions.md 5, 6; table `poll_cursor`). All instants are the host's own,
 * ISO 8601 as it sent them, so that a clock of ours that is wrong loses nothing.
 *
 *     first sight ── newest of each stream grows ──▶ each poll asks from `newest` less an overlap
 *
 * A stream that fails keeps its `newest`, and reads the same again at the next poll; delivery ids make that harmless.
 */
export type PollCursor = {
  /** When the repository was polled for the first time. What happened before is judged by first-sight.ts. */
  readonly firstSight: string;
  /** Newest instant that each stream has delivered; a stream that was never read is missing. */
  readonly newest: Readonly<Partial<Record<PollStream, string>>>;
  /** Pages of the last poll, by path: asked again with their tag they cost nothing while they are unchanged. */
  readonly pages: Readonly<Record<string, PageMark>>;
  /** Head of each open pull request, by number, so that a push is noticed. */
  readonly heads: Readonly<Record<string, string>>;
  /** Digest of the text of each item on record, by number, so that an edit is noticed. */
  readonly texts: Readonly<Record<string, string>>;
  /** The repository as payloads show it. */
  readonly repository: JsonObject | null;
  /** When the complete list of open items was last compared with ours; null for never. */
  readonly reconciledAt: string | null;
};

/** What is listed of a repository. Reviews belong to `pulls`, checks and statuses have no time to ask from. */
export type PollStream = "items" | "events" | "comments" | "diff-comments" | "pulls";
export const pollStreams: readonly PollStream[] = ["items", "pulls", "events", "comments", "diff-comments"];

/** A page's entity tag, and the path of the page after it. */
export type PageMark = { readonly tag: string; readonly next: string | null };

/** Listings of the host lag a little behind, and its clocks differ by seconds: each poll reads this much again, in milliseconds. */
export const overlapMs = 60_000;
/** How far back the first poll looks, in milliseconds: a control comment that is older is stale anyway (decisions.md 5). */
export const lookBackMs: number = 7 * 24 * 60 * 60 * 1000;
/** How often the complete list of open items is read, in milliseconds. */
export const reconcileEveryMs: number = 10 * 60 * 1000;

export function firstCursor(hostNow: string): PollCursor {
  return { firstSight: hostNow, newest: {}, pages: {}, heads: {}, texts: {}, repository: null, reconciledAt: null };
}

/** The instant from which a stream is asked. The same while nothing new came, so that the address and its tag stay the same. */
export function sinceOf(cursor: PollCursor, stream: PollStream): string {
  const newest = cursor.newest[stream];
  const at = instantOf(newest ?? cursor.firstSight) ?? 0;
  return formatInstant(at - (newest === undefined ? lookBackMs : overlapMs));
}

/** The newer of two instants; `null` counts as older than any. */
export function newerOf(one: string | null, other: string | null): string | null {
  const [a, b] = [instantOf(one), instantOf(other)];
  if (a === null || b === null) return a === null ? other : one;
  return b > a ? other : one;
}

/** Reads what was stored; null when it cannot be read, which makes the next poll a first one. */
export function parseCursor(text: string): PollCursor | null {
  const parsed = parsePayload(text);
  if (!parsed.ok) return null;
  const { firstSight, newest, pages, heads, texts, repository, reconciledAt } = parsed.payload;
  if (typeof firstSight !== "string" || instantOf(firstSight) === null) return null;
  return {
    firstSight,
    newest: Object.fromEntries(pollStreams.flatMap((stream) => (isJsonObject(newest) && instantOf(textOf(newest[stream])) !== null ? [[stream, textOf(newest[stream]) ?? ""]] : []))),
    pages: Object.fromEntries(entriesOf(pages).flatMap(([path, mark]) => (isJsonObject(mark) && typeof mark["tag"] === "string" ? [[path, { tag: mark["tag"], next: textOf(mark["next"]) }]] : []))),
    heads: Object.fromEntries(entriesOf(heads).flatMap(([number, sha]) => (typeof sha === "string" ? [[number, sha]] : []))),
    texts: Object.fromEntries(entriesOf(texts).flatMap(([number, digest]) => (typeof digest === "string" ? [[number, digest]] : []))),
    repository: isJsonObject(repository) ? repository : null,
    reconciledAt: instantOf(textOf(reconciledAt)) === null ? null : textOf(reconciledAt),
  };
}

export function formatCursor(cursor: PollCursor): string {
  return JSON.stringify(cursor);
}

/** Milliseconds since 1970 as an instant with whole seconds, as hosts write it. */
export function formatInstant(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const days = Math.floor(seconds / 86_400);
  const rest = seconds - days * 86_400;
  const { year, month, day } = dateOf(days);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}T${two(Math.floor(rest / 3600))}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)}Z`;
}

/** Day of the Gregorian calendar, counted in years that begin in March; core has no `Date`. */
function dateOf(days: number): { readonly year: number; readonly month: number; readonly day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor((dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day: dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1 };
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
const entriesOf = (value: unknown): readonly [string, unknown][] => (isJsonObject(value) ? Object.entries(value) : []);
