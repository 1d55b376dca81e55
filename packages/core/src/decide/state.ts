import type { PinnedActor } from "../control/authority.ts";
import type { Ownership } from "../control/instance.ts";
import type { Account } from "../accounts/account.ts";
import type { NamedAccount } from "../work-item/named-account.ts";
import type { ItemState } from "../work-item/records.ts";
import type { LookedUp } from "./lookup-facts.ts";
import type { TextEdits } from "./unauthorized-edits.ts";
import type { Target } from "../linking/target.ts";

/**
 * Everything that `decide` may know beside the event and the policy: read by the shell first, then
 * kept in the decision row.
 */
export interface State extends PinnedActor, Ownership {
  readonly target: Target | null;
  readonly item: ItemState;
  /** The event is the service's or the session's own doing. */
  readonly own: "no" | "comment" | "activity";
  /** What shows that a comment is our own; absent where it is not. Deciding does not read it. */
  readonly ownBy?: OwnBy;
  /**
   * Whether a turn, of whichever work item, ran when a grant was written, or runs since; null where
   * none did. Absent where nobody looked.
   */
  readonly agentAtWork?: AgentAtWork | null;
  /**
   * Id of the account that a grant or its revocation names, null where the host did not tell;
   * absent where nobody asked.
   */
  readonly granteeId?: string | null;
  /**
   * What is on record about the account whose grant is to be taken back; absent where none is, and
   * in decisions of earlier versions.
   */
  readonly revokee?: NamedAccount;
  /**
   * Logins whose grants this event ended, as it shows a reopening that was never told; absent where
   * it ended none.
   */
  readonly grantsEnded?: readonly string[];
  /** Delivery that had the same semantic key before; null when this is the first. */
  readonly seenAs: string | null;
  /**
   * The key by which the event is known from now on, where others of its own key came before it;
   * absent where it is the event's own.
   */
  readonly key?: string;
  /** What the host was to tell and did not; absent when it told all, or had nothing to tell. */
  readonly unanswered?: readonly UnansweredQuestion[];
  /**
   * The host was asked for the issue that a branch names, and has it, open; absent when nobody
   * asked.
   */
  readonly branchConfirmed?: boolean;
  /**
   * Who edited the text of the item, where it might be started by this; absent where nobody asked.
   */
  readonly edits?: TextEdits;
  /** Whether the comment was decided when it was made; absent where the event is no edit. */
  readonly creationSeen?: boolean;
  /**
   * What was looked up; deciding does not read it. Absent where nothing was: an issue places
   * itself.
   */
  readonly found?: LookedUp;
  /** Milliseconds since 1970 when deciding. */
  readonly now: number;
}

/**
 * Our login and marker; the line that the service wrote when it posted; or the hook's record of
 * what an agent posted by a tool of its own.
 */
export type OwnBy = "marker" | "service-record" | "hook-record";

/**
 * A turn ran, whose agent may have written the comment. `own` is the account of the service's
 * token, null where nobody knows it.
 */
export type AgentAtWork = { readonly own: Account | null };

/**
 * A question to the host that stayed open, and why: the code of the failure, or that the host is
 * left alone for a while.
 */
export type UnansweredQuestion = {
  readonly question:
    | "closing-references"
    | "head"
    | "pull-requests-of-commit"
    | "issue-of-branch"
    | "own-login"
    | "account"
    | "edits-of-text";
  readonly why: `LOOP_E_HOST_${string}` | "not-asked";
};
