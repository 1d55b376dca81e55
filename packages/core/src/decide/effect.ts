import type { Hold, Runner } from "../work-item/records.ts";
import type { InboundEvent } from "../normalise/event.ts";
import type { PostText } from "../outside/post.ts";
import type { Ref } from "../work-item/ref.ts";
import type { Authority } from "../control/authority-type.ts";
import type { Decision } from "./decision.ts";
import type { Target } from "./state.ts";

/**
 * What a decision causes outside of the state: data that a handler carries out later, in the shell.
 * `turn` and `drop-turns` go onto a lane in the transaction of the decision, all others into the
 * outbox of the same transaction.
 */
export type Effect =
  /** One more thing to tell the endpoint's session; `spawn` opens the conversation. */
  | {
      readonly kind: "turn";
      readonly endpoint: Ref;
      readonly mode: "spawn" | "resume";
      readonly event: InboundEvent;
      readonly authority: Authority;
      /** Of the process graph, where the way through it is what causes the turn; absent else. */
      readonly node?: string;
    }
  /**
   * What still waits on the endpoint's lane is dropped, also a turn whose end nobody knows: its
   * session ends and nobody will retry it.
   */
  | {
      readonly kind: "drop-turns";
      readonly endpoint: Ref;
      readonly why: "stopped" | "cleaned-up" | "closed";
    }
  /** A reaction on a comment, at most once. */
  | {
      readonly kind: "react";
      readonly on: CommentTarget;
      readonly reaction: "eyes" | "hooray" | "confused";
    }
  /** One marked comment of the service on the thread, at most once. */
  | {
      readonly kind: "reply";
      readonly thread: Ref;
      readonly text: PostText;
      /** The gate that it tells of; absent else. */ readonly node?: string;
    }
  /** The item's label says at which node of the graph it is; those of the other nodes go. */
  | {
      readonly kind: "phase-label";
      readonly workItem: Ref;
      readonly phase: string;
      readonly phases: readonly string[];
    }
  /**
   * The running turn ends (within `graceMs`), then the session closes. The handler asks `stillDue`
   * before it acts and always ends with `session-closed`, also when there was no session, or with
   * `nothing` when the effect is no longer due.
   */
  | {
      readonly kind: "end-session";
      readonly endpoint: Ref;
      readonly why: "stopped" | "cleaned-up" | "closed";
      readonly graceMs: number;
    }
  /**
   * Checkout and session records go (salvage first), after the sessions ended. Asks `stillDue`
   * first, ends with `released`, or with `nothing`.
   */
  | { readonly kind: "release"; readonly workItem: Ref; readonly why: "cleaned-up" | "closed" };

/** Where a reaction goes: the host has one address per kind of comment. */
export type CommentTarget = {
  readonly thread: Ref;
  readonly surface: "conversation" | "review" | "diff";
  readonly commentId: string;
};

/** What a handler reports; `evolve` folds it. Times are milliseconds since 1970. */
export type Recorded =
  | DecidedFact
  | {
      readonly kind: "session-opened";
      readonly endpoint: Ref;
      readonly harness: "A" | "B";
      readonly harnessSessionId: string;
      readonly workdir: string;
      readonly runner: Runner;
      readonly at: number;
    }
  | { readonly kind: "session-begun"; readonly endpoint: Ref }
  | { readonly kind: "session-sandboxed"; readonly endpoint: Ref }
  | { readonly kind: "session-lost"; readonly endpoint: Ref }
  | { readonly kind: "session-closed"; readonly endpoint: Ref }
  /**
   * The session's agent waits for an answer; null takes the question back, as nobody could be told.
   */
  | {
      readonly kind: "asked";
      readonly endpoint: Ref;
      readonly text: string | null;
      readonly at: number;
    }
  | {
      readonly kind: "turn-ended";
      readonly endpoint: Ref;
      readonly outcome: string;
      readonly usd: number;
      readonly minutes: number;
      readonly at: number;
    }
  /**
   * `foundUnder`: the item's newest control verb when what holds the lane was looked for; a newer
   * one asks for another look.
   */
  | {
      readonly kind: "lane-held";
      readonly endpoint: Ref;
      readonly hold: Hold;
      readonly foundUnder?: string | null;
    }
  | { readonly kind: "lane-opened"; readonly endpoint: Ref }
  | {
      readonly kind: "pull-request-linked";
      readonly workItem: Ref;
      readonly pullRequest: Ref;
      readonly headSha: string | null;
      readonly headBranch: string | null;
      readonly at: number;
    }
  | {
      readonly kind: "released";
      readonly workItem: Ref;
      readonly salvage: string | null;
      readonly at: number;
    }
  | { readonly kind: "posted"; readonly commentId: string | null }
  | { readonly kind: "nothing"; readonly why: string };

/**
 * That a decision was made, with all that folding it needs, so that `evolve` wants neither
 * configuration nor clock. Made by `decidedFact`.
 */
export type DecidedFact = {
  readonly kind: "decided";
  readonly event: InboundEvent;
  readonly decision: Decision;
  readonly target: Target | null;
  /** Of the event's actor. */
  readonly authority: Authority;
  /** The event shows the auto-execute label on its item; null when it shows no labels. */
  readonly labelled: boolean | null;
  /** Name of the instance that decided. */
  readonly instance: string;
  /** Milliseconds since 1970 when deciding. */
  readonly at: number;
};
