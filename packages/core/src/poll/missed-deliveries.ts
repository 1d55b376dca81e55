import { formatInstant, instantOf } from "../text/instant.ts";
import { isJsonObject, parsePayload } from "../event/parse-payload.ts";
import { lookBackMs, newerOf } from "./cursor.ts";

/**
 * The gap audit: the host never sends a delivery again by itself, so what it sent while nobody was
 * there to take it is lost unless somebody compares the host's own list with the inbox.
 *
 *     host's list, newest first ──readAttempt──▶ attempts ──gapsOf──▶ what is missing, oldest first ──▶ fetched, or asked for again
 *
 * The list is read back to a little before the instant up to which everything is accounted for, so
 * that an attempt that was listed late is seen; the inbox knows an id that it has, which makes
 * reading it twice harmless.
 */
export type ListedAttempt = {
  /** The attempt's own number; one delivery has as many as it was sent. */
  readonly id: string;
  /** The delivery's id, the same at each attempt. */
  readonly delivery: string;
  /** When it was sent, ISO 8601 by the host's clock. */
  readonly at: string;
  readonly event: string;
  /** The status that somebody answered; null when nobody did. */
  readonly answer: number | null;
};

/**
 * Reads one entry of the host's list; null for what does not fit, such as an id that the receiver
 * would not take either.
 */
export function readAttempt(raw: unknown): ListedAttempt | null {
  if (!isJsonObject(raw)) return null;
  const { id, guid, delivered_at: at, event, status_code: status } = raw;
  if (
    (typeof id !== "number" && typeof id !== "string") ||
    !digits.test(String(id)) ||
    typeof guid !== "string" ||
    !deliveryId.test(guid) ||
    typeof event !== "string" ||
    typeof at !== "string" ||
    instantOf(at) === null
  )
    return null;
  return {
    id: String(id),
    delivery: guid,
    at,
    event,
    answer: typeof status === "number" && status > 0 ? status : null,
  };
}

/**
 * What the list shows of one delivery: when it was sent first, the newest attempt, and the best
 * answer that any got. `first` is the first attempt's number; numbers grow, and tell apart what was
 * sent in one instant.
 */
export type MissedDelivery = {
  readonly delivery: string;
  readonly first: string;
  readonly at: string;
  readonly attempt: string;
  readonly event: string;
  readonly answer: number | null;
};

/**
 * The deliveries that are not in the inbox, in the order in which they were sent first. Events that
 * nobody asked for are left out, as the receiver would do. From before the first look at a hook
 * only those count that nobody took: what another life of the service, with a store of its own, has
 * taken and answered is done with.
 */
export function missedDeliveries(
  attempts: readonly ListedAttempt[],
  known: ReadonlySet<string>,
  { events, firstLook }: { readonly events: ReadonlySet<string>; readonly firstLook: string },
): readonly MissedDelivery[] {
  const gaps = new Map<string, MissedDelivery>();
  for (const { id, delivery, at, event, answer } of attempts.toSorted(bySending)) {
    if (known.has(delivery) || !events.has(event)) continue;
    const before = gaps.get(delivery);
    if (before === undefined)
      gaps.set(delivery, { delivery, first: id, at, attempt: id, event, answer });
    else
      gaps.set(delivery, {
        ...before,
        attempt: id,
        answer: isTaken(before.answer) ? before.answer : answer,
      });
  }
  return [...gaps.values()].filter(
    ({ answer, at }) => !(isTaken(answer) && (instantOf(at) ?? 0) <= (instantOf(firstLook) ?? 0)),
  );
}

const bySending = (a: ListedAttempt, b: ListedAttempt): number =>
  (instantOf(a.at) ?? 0) - (instantOf(b.at) ?? 0) || Number(BigInt(a.id) - BigInt(b.id));
const isTaken = (answer: number | null): boolean => Math.floor((answer ?? 0) / 100) === 2;

/**
 * For each hook, by its number, when it was looked at first, and up to which instant everything
 * that it sent is accounted for.
 */
export type GapCursor = Readonly<
  Record<string, { readonly firstLook: string; readonly until: string }>
>;

/** From when on a hook's list is read; `hostNow` is the host's clock. */
export function gapsSince(cursor: GapCursor, hook: string, hostNow: string): string {
  const until = cursor[hook]?.until;
  return formatInstant(
    (instantOf(until ?? hostNow) ?? 0) - (until === undefined ? lookBackMs : gapOverlapMs),
  );
}

/**
 * How far the next audit may begin: behind the newest that was listed, or before the first that is
 * still open.
 */
export function accountedUntil(
  attempts: readonly ListedAttempt[],
  stillOpen: MissedDelivery | null,
  since: string,
): string {
  if (stillOpen !== null) return formatInstant(instantOf(stillOpen.at) ?? 0);
  return attempts.reduce((newest, { at }) => newerOf(at, newest) ?? newest, since);
}

/** Reads what was stored; empty when it cannot be read, which makes the next audit a first one. */
export function parseGapCursor(text: string | null): GapCursor {
  const parsed = text === null ? null : parsePayload(text);
  if (parsed === null || !parsed.ok) return {};
  return Object.fromEntries(
    Object.entries(parsed.payload).flatMap(([hook, mark]) => {
      const { firstLook, until } = isJsonObject(mark) ? mark : {};
      return typeof firstLook === "string" &&
        typeof until === "string" &&
        instantOf(firstLook) !== null &&
        instantOf(until) !== null
        ? [[hook, { firstLook, until }]]
        : [];
    }),
  );
}

/**
 * An attempt may be listed long after it was begun: the host waits for its answer, in milliseconds.
 */
const gapOverlapMs = 10 * 60 * 1000;
const digits = /^[0-9]{1,20}$/;
const deliveryId = /^[A-Za-z0-9-]{1,128}$/;
