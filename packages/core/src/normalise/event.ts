import type { Account } from "../accounts/account.ts";
import type { RepositoryName } from "../work-item/repository-names.ts";
import type { HostEventName } from "./host-events.ts";

export type { HostEventName };

/**
 * What happened, in our words: every payload of the nine events that the code host sends, and our
 * own control deliveries, become one of these kinds. Field values are checked when they are read;
 * text stays as people wrote it. Much of a host's event is read late (`LazyItem`), which a spread
 * would lose: take fields by name.
 */
export type InboundEvent =
  | ActivityEvent
  | LabelEvent
  | ClosedEvent
  | CommentEvent
  | CiEvent
  | ControlEvent;

type Common = {
  readonly deliveryId: string;
  readonly source: "webhook" | "poll" | "cli" | "api";
  /** Header event name, or `control`. */
  readonly event: HostEventName | "control";
  /** The payload's action, `""` where the event has none (`status`). */
  readonly action: string;
  readonly repository: Repository;
  /** `sender`; null for CI events, which have no actor. */
  readonly actor: Actor | null;
  /** When it happened by the host's clock, ISO 8601 as sent; null where the payload has no time. */
  readonly at: string | null;
  /** Semantic key, the same by webhook and by poll, such as `comment:123:created`. */
  readonly key: string;
};

/**
 * Anything that happened to an issue or pull request and is neither a label, a closing nor a
 * comment.
 */
export type ActivityEvent = Common & { readonly kind: "activity"; readonly item: Item };

/** One label was added or removed. `item.labels` are the labels after the change. */
export type LabelEvent = Common & {
  readonly kind: "label";
  readonly item: Item;
  readonly label: string;
  readonly change: "added" | "removed";
};

/** An issue or pull request was closed (also by a merge), deleted or transferred away. */
export type ClosedEvent = Common & { readonly kind: "closed"; readonly item: Item };

/** A comment on an issue or pull request, a review, or a comment on a diff. */
export type CommentEvent = Common & {
  readonly kind: "comment";
  readonly item: Item;
  readonly surface: "conversation" | "review" | "diff";
  readonly change: "created" | "edited" | "deleted";
  readonly comment: Comment;
};

/**
 * A check, suite, workflow run or commit status. It names commits, and pull requests only
 * sometimes.
 */
export type CiEvent = Common & {
  readonly kind: "ci";
  readonly check: {
    /** Name of the check, workflow or status context. */
    readonly name: string;
    readonly headSha: string;
    readonly headBranch: string | null;
    readonly phase: "queued" | "running" | "completed";
    /**
     * Host's word, such as `success`, `failure`, `cancelled`, `timed_out`; null until completed.
     */
    readonly conclusion: string | null;
    readonly url: string | null;
    /** Numbers of pull requests of this repository that the payload names; empty for forks. */
    readonly pullRequests: readonly number[];
    /**
     * Head of the first of them as the payload shows it; null where it does not, absent in
     * decisions of earlier versions.
     */
    readonly pullRequestHead?: string | null;
    /**
     * Whether that head lives in another repository; null where the payload does not show it,
     * absent in decisions of earlier versions.
     */
    readonly pullRequestFork?: boolean | null;
    /**
     * What tells checks of one name apart on every commit: the app's slug, the workflow's id and
     * trigger; null or absent where nothing does.
     */
    readonly source?: string | null;
    /** What tells them apart on one commit: the suite's id; null or absent where nothing does. */
    readonly run?: string | null;
  };
};

/**
 * Somebody steered from the command line or through the API; it acts like a comment of the
 * operator.
 */
export type ControlEvent = Common & {
  readonly kind: "control";
  /**
   * Milliseconds since 1970 by this machine's clock when the request was made; absent in decisions
   * of earlier versions.
   */
  readonly receivedAt?: number;
  readonly target: string;
  readonly request: ControlRequest;
  /** Name of the only instance that acts on it; absent where any may. */
  readonly addressee?: string;
  /**
   * The target as the host showed it when the request was made; absent where the host was not
   * asked.
   */
  readonly shown?: Item;
};

/** What a control delivery asks for. */
export type ControlRequest =
  | { readonly verb: ControlVerb; readonly login: string | null; readonly instance: string | null }
  | { readonly verb: "say"; readonly text: string }
  | GraphRequest;

/**
 * Something about the way through the process graph. `advance`: look where the work stands, which
 * the service itself asks when a turn has ended; `complete` takes a node as it is, `skip` leaves an
 * optional one out. `node` is null for the present one.
 */
export type GraphRequest = {
  readonly verb: "graph";
  readonly step: "advance" | "complete" | "skip";
  readonly node: string | null;
};

/** The seven keywords (docs/specification.md#keywords-and-addresses). */
export type ControlVerb =
  | "start"
  | "stop"
  | "pause"
  | "resume"
  | "cleanup"
  | "add-collaborator"
  | "remove-collaborator";

/** Somebody as a payload shows them. */
export type Actor = Account;

export type Repository = {
  /** Domain of the code host in lower case; null means the configured default one. */
  readonly host: string | null;
  readonly owner: string;
  readonly name: string;
  readonly id: string | null;
  readonly defaultBranch: string | null;
  /** Where to clone from, as the host sends it; null when it sends none. */
  readonly cloneUrl: string | null;
  /** What the host calls it, where that is another name than the one by which it is known here. */
  readonly calledNow?: RepositoryName | undefined;
};

/** An issue or a pull request as the payload shows it. */
export type Item = {
  readonly type: "issue" | "pull-request";
  readonly number: number;
  readonly id: string | null;
  readonly title: string;
  readonly body: string;
  readonly url: string | null;
  readonly open: boolean;
  /**
   * The host says that it is open again after a closing, whenever that was; absent where it
   * doesn't, and of pull requests.
   */
  readonly reopened?: true | undefined;
  readonly labels: readonly string[];
  readonly author: Actor | null;
  readonly updatedAt: string | null;
  /**
   * Branches of a pull request; null for issues, and for comments on pull requests, whose payloads
   * lack them.
   */
  readonly branches: Branches | null;
  readonly merged: boolean;
  /**
   * Only where it was read out of a list: title and body are as they stood then, while the rest is
   * shown as it was at the event.
   */
  readonly listed?: Listed | undefined;
  /**
   * What a turn is told beside the text: from when it is, where nobody knows whether it is that of
   * the command; absent else.
   */
  readonly textAsOf?: string;
  /**
   * Only in turns: who beside the author edited title and description; absent where nobody asked.
   */
  readonly editors?: Editors;
};

/**
 * Who beside its author edited an item's text, each once; `unknown` where the host does not name
 * them.
 */
export type Editors = readonly Edited[] | "unknown";

/** `by` is null for an account that is gone. */
export type Edited = { readonly what: "title" | "description"; readonly by: Actor | null };

/**
 * When the list says that the item changed last (ISO 8601), and how its text differs from what the
 * poller saw before.
 */
export type Listed = { readonly at: string; readonly since: "same" | "changed" | "new" };

export type Branches = {
  readonly head: string;
  readonly headSha: string;
  /** `owner/name` of the head's repository; null when the fork was deleted. */
  readonly headRepository: string | null;
  /** Who owns that repository; absent where an earlier version stored the event. */
  readonly headOwner?: Actor | null;
  readonly base: string;
  /** True only when the head lives in the repository that the pull request is against. */
  readonly sameRepository: boolean;
};

export type Comment = {
  readonly id: string;
  readonly body: string;
  readonly author: Actor | null;
  readonly url: string | null;
  /** Created at, ISO 8601; null where the payload has none. */
  readonly createdAt: string | null;
  /** `approved`, `changes_requested`, `commented` for reviews; null else. */
  readonly reviewState: string | null;
  /** True where the payload shows that it was edited before it was sent; absent else. */
  readonly editedSince?: true | undefined;
  /** By which the query language knows it; absent in decisions of earlier versions. */
  readonly nodeId?: string | undefined;
  /**
   * The commit that a review is of; null where the host does not tell, absent for what is no review
   * and in decisions of earlier versions.
   */
  readonly commitId?: string | null | undefined;
  /** File and line of a comment on a diff; null else. */
  readonly path: string | null;
  readonly line: number | null;
};

/** A payload is understood, or it is stored and never routed, with a short reason. */
export type Normalised =
  | { readonly ok: true; readonly event: InboundEvent }
  | { readonly ok: false; readonly why: RejectedShape };

export type RejectedShape =
  | "not-an-object"
  | "too-deep"
  | "too-large"
  | "not-json"
  | "shape"
  | "unknown-event"
  | "bad-name";
