import type { Row, Turn, UnownedStart, Wait } from "../api/shapes.ts";

/** Something that waits, with the item's title beside it. */
export type Waits = Wait & { readonly title: string };
/** A start that was left to another instance. */
export type Unowned = UnownedStart & { readonly title: string };
/** A turn under way or about to be. */
export type Flight = Turn & { readonly title: string };

/** What the first page shows, in this order. Each work item stands in at least one part. */
export type Board = {
  readonly needsYou: readonly Waits[];
  /** What another instance was asked for and nobody may have taken. */
  readonly unowned: readonly Unowned[];
  readonly inFlight: readonly Flight[];
  /** Goes on by itself. */
  readonly held: readonly Waits[];
  /** Nothing to do until something happens on the host. */
  readonly listening: readonly Row[];
  readonly notStarted: readonly Row[];
  /** Newest first. */
  readonly done: readonly Row[];
};

export function boardOf(
  items: readonly Row[],
  waiting: readonly Wait[],
  open: readonly Turn[],
  unowned: readonly UnownedStart[] = [],
): Board {
  const titles = new Map(items.map(({ ref, title }) => [ref, title]));
  const titled = <T extends { readonly workItem: string }>(
    each: T,
  ): T & { readonly title: string } => ({ ...each, title: titles.get(each.workItem) ?? "" });
  const waitingLanes = new Set(waiting.map(({ lane }) => lane));
  // A turn that is ready behind a hold is not in flight: what holds it is shown.
  const inFlight = open.filter(
    ({ state, lane }) => state === "injecting" || (state === "ready" && !waitingLanes.has(lane)),
  );
  const busy = new Set([...waiting, ...inFlight].map(({ workItem }) => workItem));
  const leftToOthers = new Set(unowned.map(({ workItem }) => workItem));
  const rest = items.filter(({ ref }) => !busy.has(ref));
  return {
    // What somebody paused is meant to wait: it comes last.
    needsYou: waiting
      .filter(({ type }) => type !== null)
      .toSorted((a, b) => Number(a.reason === "paused") - Number(b.reason === "paused"))
      .map(titled),
    unowned: unowned.map(titled),
    inFlight: inFlight.map(titled),
    held: waiting.filter(({ type }) => type === null).map(titled),
    listening: rest.filter(({ status }) => status === "started" || status === "paused"),
    notStarted: rest
      .filter(({ ref, status }) => status === "idle" && !leftToOthers.has(ref))
      .toSorted((a, b) => Number(b.armed) - Number(a.armed)),
    done: items
      .filter(({ ref, status }) => !busy.has(ref) && (status === "closed" || status === "stopped"))
      .toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0)),
  };
}
