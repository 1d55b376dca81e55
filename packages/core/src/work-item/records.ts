import type { Account } from "../accounts/account.ts";
import type { StartHeld } from "../decide/held-start.ts";
import type { GraphRecord } from "../graph/record.ts";
import type { Editors } from "../normalise/event.ts";
import type { RefText } from "./ref.ts";

/**
 * Everything that is known about one work item: the unit that is loaded, decided on, folded and
 * saved together. The tables of the store are its projection.
 */
export type ItemState = {
  /** Null until something about the item had to be remembered. */
  readonly workItem: WorkItem | null;
  /** One per endpoint at most; closed ones stay until a release removes them. */
  readonly sessions: readonly Session[];
  readonly pullRequests: readonly PullRequestLink[];
  readonly collaborators: readonly Collaborator[];
  readonly lanes: readonly LaneState[];
  readonly ciAttempts: readonly CiAttempt[];
};

/** The portable record: no path of a machine, survives cleanup (docs/specification.md#records). */
export type WorkItem = {
  readonly ref: RefText;
  /** Host's immutable ids; null where never seen. */
  readonly hostId: string | null;
  readonly repositoryId: string | null;
  readonly type: "issue" | "pull-request";
  readonly title: string;
  readonly url: string | null;
  readonly cloneUrl: string | null;
  readonly defaultBranch: string | null;
  readonly open: boolean;
  /** The auto-execute label was on the item when it was last seen. */
  readonly armed: boolean;
  readonly labels: readonly string[];
  readonly control: ControlRecord;
  /** Set while an unauthorized closing waits for a `cleanup`. */
  readonly closeDeferred: boolean;
  readonly spend: Spend;
  /** Newest `updated_at` of the host that was folded, ISO 8601; older events never re-open. */
  readonly hostUpdatedAt: string | null;
  /**
   * The closing of `hostUpdatedAt` found it closed already: the reopening before it was not heard
   * of, and may be told yet. Absent else.
   */
  readonly closedAgain?: true;
  /**
   * Delivery of the last control verb that was taken here; absent or null before the first. What is
   * told before and after it never shares a turn.
   */
  readonly steered?: string | null;
  /**
   * When grants ended, so that an older one that is told late lets nobody in (ADR 0013); absent
   * while none did.
   */
  readonly revoked?: readonly Revocation[];
  /**
   * People were told that this pull request stands alone, whatever issue it names; absent while
   * they were not (ADR 0009).
   */
  readonly foreignTold?: true;
  /**
   * A start that waits for nobody any more: its text was edited after it; absent once anything else
   * is asked for, and while there is none.
   */
  readonly startHeld?: StartHeld;
  /**
   * Title and description as they stood at the last start, for conversations that are opened later;
   * null where that start showed none. Absent before the first, after a stop, and in records of
   * earlier versions.
   */
  readonly startText?: StartText | null;
  /** Its way through the process graph; absent where there is none. */
  readonly graph?: GraphRecord;
};

/**
 * `at` is when the start was asked for, and `asOf` from when the text is where nobody can tell
 * whether it is of then (ISO 8601).
 */
export type StartText = {
  readonly title: string;
  readonly body: string;
  readonly author: Account | null;
  readonly editors: Editors;
  readonly at: string | null;
  readonly asOf?: string;
};

/**
 * A grant of the login counts from then on; of any login for null. The login is in lower case.
 * `ids`: accounts that it was taken back from, whatever their logins; absent where none is known,
 * and in records of earlier versions.
 */
export type Revocation = ClockTime & {
  readonly login: string | null;
  readonly ids?: readonly string[];
};

/**
 * What people asked for. `at` is milliseconds since 1970, by the code host's clock, or by this
 * machine's for the command line and the API.
 */
export type ControlRecord = {
  readonly status: ControlStatus;
  readonly instance: string | null;
  readonly requestedBy: string | null;
  readonly source: ControlSource | null;
  readonly deliveryId: string | null;
  readonly at: number | null;
  /**
   * Status before a pause or a closing, to which `resume` or a reopening leads back; null while
   * neither holds.
   */
  readonly before: ControlStatus | null;
  /** Only where a paused item closed: what was before that pause. */
  readonly beforePause?: ControlStatus;
  /**
   * The newest request: a start or resume in a comment counts from its time on. Null before the
   * first; absent in records of earlier versions.
   */
  readonly since?: ClockTime | null;
  /**
   * The instance from which this one took the item over, or whose record was imported, until the
   * next request; absent else, and in portable records.
   */
  readonly adoptedFrom?: string;
};

/**
 * Milliseconds since 1970, and whose clock told it; a host's times are whole seconds, and this
 * machine's are cut to them (ADR 0013).
 */
export type ClockTime = { readonly at: number; readonly clock: "host" | "machine" };

/** What nobody asked for anything yet looks like. */
export const idleControl: ControlRecord = {
  status: "idle",
  instance: null,
  requestedBy: null,
  source: null,
  deliveryId: null,
  at: null,
  before: null,
};

/**
 * Where a request came from; `activity` is anything but a comment of an authorized user that
 * started or closed the item.
 */
export type ControlSource = "comment" | "activity" | "cli" | "api";

/** States of control/lifecycle.ts; `idle` = nobody asked for anything yet. */
export type ControlStatus = "idle" | "started" | "paused" | "stopped" | "closed";

export type Spend = { readonly turns: number; readonly usd: number; readonly minutes: number };

/** The machine-local record of one conversation with a harness. */
export type Session = {
  /** The issue or pull request whose lane feeds it. */
  readonly endpoint: RefText;
  readonly workItem: RefText;
  readonly harness: HarnessId;
  /** The harness's own id of the conversation, chosen by us for harness A. */
  readonly harnessSessionId: string;
  readonly status: SessionStatus;
  readonly runner: Runner;
  /** Absolute directory in which its turns run; null until the checkout stands. */
  readonly workdir: string | null;
  /** A first turn reached the harness, so that later ones resume. */
  readonly begun: boolean;
  readonly createdAt: number;
  /** What its agent asked and nobody has answered yet (`loop ask`); absent or null else. */
  readonly asked?: Question | null;
  /**
   * A turn of it, or of the endpoint's conversation before it, ran in the harness's sandbox; absent
   * else, and in records of earlier versions.
   */
  readonly sandboxed?: true;
};

/** A question of an agent to people; `at` is milliseconds since 1970. */
export type Question = { readonly text: string; readonly at: number };

export type HarnessId = "A" | "B";
/**
 * How a harness is run: as a child that ends with its turn, or in a terminal to which people can
 * attach.
 */
export type Runner = "headless" | "tmux";
export type SessionStatus = "active" | "closing" | "closed" | "lost";

/** A pull request that was recorded against the work item; only `link-pr` writes these. */
export type PullRequestLink = {
  readonly pullRequest: RefText;
  readonly headSha: string | null;
  readonly headBranch: string | null;
  readonly open: boolean;
  readonly at: number;
  /**
   * Newest `updated_at` of the host that was folded, ISO 8601, as of the work item; absent before
   * the first.
   */
  readonly updatedAt?: string;
};

/**
 * `at` is when that was asked for, milliseconds since 1970, by the code host's clock, or by this
 * machine's for the command line and the API. `calledNow`: another login under which the account
 * was heard last; absent while there is none.
 */
export type Collaborator = {
  readonly login: string;
  readonly id: string | null;
  readonly grantedBy: string;
  readonly at: number;
  readonly calledNow?: string;
};

/** The lane of one endpoint: the FIFO of its turns. */
export type LaneState = { readonly endpoint: RefText; readonly hold: Hold | null };

/**
 * Why a lane waits. `until` is milliseconds since 1970; null means until somebody acts. `ending`
 * lasts until the handler of `end-session` reports `session-closed`, `releasing` until the handler
 * of `release` reports `released`: a later start waits for both, so that a clean-up never takes a
 * newer session's checkout.
 */
export type Hold = {
  readonly reason: HoldReason;
  readonly until: number | null;
  readonly detail: string;
};

export type HoldReason =
  | "paused"
  | "uncertain"
  | "loop-breaker"
  | "budget"
  | "usage-limit"
  | "backoff"
  | "login"
  | "billing"
  | "not-installed"
  | "session-busy"
  | "attached"
  | "failed"
  | "workspace"
  | "spawn-refused"
  | "sandbox"
  | "ending"
  | "releasing";

/**
 * What a check has caused for a pull request: the wakes by head, and the results that the next one
 * is measured by (ADR 0008).
 */
export type CiAttempt = {
  readonly pullRequest: RefText;
  /** Event, app or workflow, and name as JSON; in records of earlier versions the name alone. */
  readonly check: string;
  /** Heads for which the session was woken. */
  readonly headShas: readonly string[];
  /** The session was told of a failure and not of its end. */
  readonly failing: boolean;
  readonly noticed: boolean;
  /** The head whose recovery was told last. */
  readonly recovered?: string;
  /**
   * The head of the failure that was told last; absent before the first, and in records of earlier
   * versions.
   */
  readonly failed?: string;
  /** The newest results, the latest heard last; absent in records of earlier versions. */
  readonly results?: readonly CiResult[];
};

/**
 * The newest result of a check on one commit in one suite (`run`, `""` where the host tells none).
 * `at` is the host's time, ISO 8601; `told`: it woke the session, or an earlier one of the same
 * did.
 */
export type CiResult = {
  readonly headSha: string;
  readonly run: string;
  readonly at: string | null;
  readonly red: boolean;
  readonly told: boolean;
};

export const emptyItemState: ItemState = {
  workItem: null,
  sessions: [],
  pullRequests: [],
  collaborators: [],
  lanes: [],
  ciAttempts: [],
};

/** Whether nothing at all is remembered: such a state needs no record. */
export function isEmptyItem(state: ItemState): boolean {
  return Object.values(state).every(
    (each) => each === null || (Array.isArray(each) && each.length === 0),
  );
}
