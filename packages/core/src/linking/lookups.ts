import type { Actor } from "../event/event.ts";
import type { Ref, RefText } from "../ref/ref.ts";
import type { Provenance } from "./target.ts";
import type { ItemState } from "../work-item/records.ts";
import type { Pinned } from "../control/authority.ts";

/**
 * What must be looked up before the work item of an event is known. Everything is empty for events
 * about issues.
 */
export type LookupQuestions = {
  /**
   * Pull requests that the event is about. Wanted: work items that recorded them, and sessions that
   * they feed.
   */
  readonly pullRequests: readonly Ref[];
  /** Commit of a check. Wanted: recorded pull requests with this head. */
  readonly headSha: string | null;
  /**
   * Issues that the payload names, heaviest first. Wanted: their states, since one that is at work
   * comes first.
   */
  readonly candidates: readonly Candidate[];
  /**
   * What only the host knows and what is worth a call when no recorded link answers: the host's
   * closing references of `pullRequests`, with the head where the payload lacks it; or the pull
   * requests of `headSha`.
   */
  readonly ask:
    | "nothing"
    | "closing-references"
    | "closing-references-and-head"
    | "pull-requests-of-commit";
  /**
   * Where the first of `pullRequests` comes from, as the payload shows it; absent where there is
   * none, or nothing is inferred.
   */
  readonly origin?: Origin;
};

/**
 * Whether a pull request's head lives in another repository, or in none any more, and who opened
 * it; null where that is not told.
 */
export type Origin = { readonly fork: boolean | null; readonly author: Actor | null };

/** An issue that a pull request may belong to, and how it was found. */
export type Candidate = { readonly ref: Ref; readonly provenance: Provenance };

/** What the shell found. Whatever was not asked, or could not be answered, is empty. */
export type LookupAnswers = {
  /** Work items against which one of `pullRequests` was recorded, oldest record first. */
  readonly linked: readonly RefText[];
  /** Work items that recorded a pull request whose head is `headSha`. */
  readonly heads: readonly RefText[];
  /** Sessions that one of `pullRequests`, or of `pulls`, feeds. */
  readonly owners: readonly { readonly endpoint: RefText; readonly workItem: RefText }[];
  /** Issues that the host says the pull request closes. */
  readonly closing: readonly Ref[];
  /**
   * Open pull requests that contain `headSha`, by the host; absent where it was not asked for them,
   * and in decisions of earlier versions.
   */
  readonly pulls?: readonly Ref[];
  /**
   * Head of the pull request, by the host; for a check, whose payload has no text of it, also the
   * issues that its closing keywords name.
   */
  readonly head: {
    readonly branch: string;
    readonly sameRepository: boolean;
    readonly closes?: readonly number[];
    /** Absent in decisions of earlier versions. */ readonly author?: Actor | null;
  } | null;
  /** What is known here of who opened the pull request; absent where nobody needed to know. */
  readonly author?: KnownAuthor;
  /** States of the work items of `refsToLoad`. */
  readonly items: readonly ItemState[];
};

/** What is pinned of the account, and whether it is that of the service's token. */
export type KnownAuthor = { readonly pinned: Pinned; readonly own: boolean };
