import type { Effect } from "@loopwork/core";
import {
  emptyItemState,
  formatRef,
  type ItemState,
  type Ref,
  type RefText,
} from "@loopwork/core/ports";
import { issueRef, pullRef } from "@loopwork/core/testing";

/**
 * One work item with everything around it that can make a difference: the host's truth, what the
 * service has on record, what waits on its lanes and in its outbox, and the oracle's own memory of
 * what people asked for.
 */
export type World = {
  readonly host: { readonly open: boolean; readonly labelled: boolean; readonly merged: boolean };
  readonly item: ItemState;
  readonly lanes: Readonly<Record<Place, LaneWork>>;
  /**
   * Effects of ending, in their order; one that waits already is not added again, because its
   * handler acts once.
   */
  readonly outbox: readonly Ending[];
  /** Another instance has taken the item. */
  readonly elsewhere: boolean;
  readonly oracle: Oracle;
};

export type Ending = Extract<Effect, { readonly kind: "end-session" | "release" }>;

/**
 * The two endpoints: the issue, and its pull request, which has a session only where one was
 * registered by hand.
 */
export type Place = "issue" | "pull";
export const places: readonly Place[] = ["issue", "pull"];
export const refAt: Readonly<Record<Place, Ref>> = { issue: issueRef, pull: pullRef };
export const textAt: Readonly<Record<Place, RefText>> = {
  issue: formatRef(issueRef),
  pull: formatRef(pullRef),
};

/**
 * `waiting`: a turn waits. `running`: one is with the harness. `conversations`: how many the
 * harness keeps alive.
 */
export type LaneWork = {
  readonly waiting: boolean;
  readonly running: boolean;
  readonly conversations: number;
};

/** What people asked for, by the letter of the specification and without a look at the service. */
export type Oracle = {
  /**
   * An authorized person started the item, or registered a session, and nobody stopped it since.
   */
  readonly mandate: boolean;
  readonly paused: boolean;
  /** The same before the closing, to which a reopening leads back; null while it is not closed. */
  readonly beforeClosing: Pick<Oracle, "mandate" | "paused" | "ended"> | null;
  /** The last that was asked for was its end: only a start leads on. */
  readonly ended: boolean;
  /** Anybody authorized asked for anything, so that the item is managed here. */
  readonly asked: boolean;
  /**
   * Something was asked for at noon, by whichever clock, that an older start or resume may not
   * undo.
   */
  readonly measured: boolean;
  /** When the grant that stands was asked for; null where none does. */
  readonly granted: "before" | "now" | null;
  /**
   * A grant was taken back at noon, or every one ended with a closing: an older one may not count
   * any more.
   */
  readonly revoked: boolean;
  readonly registeredPull: boolean;
};

const idle: LaneWork = { waiting: false, running: false, conversations: 0 };

/** A new issue without a label. */
export const firstWorld: World = {
  host: { open: true, labelled: false, merged: false },
  item: emptyItemState,
  lanes: { issue: idle, pull: idle },
  outbox: [],
  elsewhere: false,
  oracle: {
    mandate: false,
    paused: false,
    ended: false,
    beforeClosing: null,
    asked: false,
    measured: false,
    granted: null,
    revoked: false,
    registeredPull: false,
  },
};

/**
 * Names a world by what its future depends on: two of the same name go on alike. Ids, titles and
 * spend decide nothing.
 */
export function nameOf({ host, item, lanes, outbox, elsewhere, oracle }: World): string {
  const { workItem } = item;
  const record =
    workItem === null
      ? null
      : [
          workItem.ref === textAt.issue,
          workItem.open,
          workItem.armed,
          workItem.closeDeferred,
          workItem.hostId === null,
          workItem.hostUpdatedAt,
          workItem.control.status,
          workItem.control.before,
          workItem.control.beforePause ?? null,
          workItem.control.since?.at ?? null,
          workItem.revoked ?? null,
          workItem.closedAgain ?? null,
        ];
  const sessions = item.sessions.map(({ endpoint, status }) => `${endpoint} ${status}`).toSorted();
  const held = item.lanes
    .map(({ endpoint, hold }) => `${endpoint} ${hold?.reason ?? ""}`)
    .toSorted();
  const links = item.pullRequests.map(({ open, headSha, updatedAt }) => [open, headSha, updatedAt]);
  const checks = item.ciAttempts.map(({ check, headShas, failing, noticed, results }) => [
    check,
    headShas,
    failing,
    noticed,
    results,
  ]);
  const ends = outbox.map((effect) => [
    effect.kind,
    effect.why,
    effect.kind === "release" ? "" : effect.endpoint.number,
  ]);
  return JSON.stringify([
    host,
    record,
    sessions,
    held,
    links,
    checks,
    item.collaborators.map(({ at }) => at),
    lanes,
    ends,
    elsewhere,
    oracle,
  ]);
}
