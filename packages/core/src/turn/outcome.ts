/** How an attempt ended, in the words of the contract. */
export type Outcome =
  | {
      readonly kind: "done";
      readonly denials: readonly Denial[];
      readonly usd: number;
      readonly minutes: number;
    }
  /** The harness had answered this receipt before and did nothing now. */
  | { readonly kind: "swallowed" }
  | { readonly kind: "prompt-blocked"; readonly detail: string }
  | { readonly kind: "session-not-found" }
  /** `detail` says what is in the way, where more is known than that somebody else works there. */
  | { readonly kind: "session-busy"; readonly detail?: string }
  | { readonly kind: "session-id-taken" }
  | { readonly kind: "login"; readonly detail: string }
  | { readonly kind: "billing"; readonly detail: string }
  | { readonly kind: "transient"; readonly status: number | null; readonly detail: string }
  /** `until` milliseconds since 1970 as the harness reports it; null when it does not. */
  | { readonly kind: "usage-limit"; readonly until: number | null; readonly limit: string | null }
  | { readonly kind: "prompt-too-long" }
  | { readonly kind: "untrusted" }
  /** The harness did not run the turn in the sandbox that we asked for. */
  | { readonly kind: "unsandboxed"; readonly detail: string }
  | { readonly kind: "timeout" }
  | { readonly kind: "output-limit" }
  | { readonly kind: "killed"; readonly signal: string | null; readonly asked: boolean }
  | { readonly kind: "bad-invocation"; readonly detail: string }
  | { readonly kind: "not-installed"; readonly detail: string }
  | { readonly kind: "unclear"; readonly detail: string };

/** A tool call that the harness refused, with what would allow it. */
export type Denial = { readonly tool: string; readonly input: string };

/** What transcript and ledger say of a receipt. */
export type ReceiptEvidence =
  /** The harness's own end of turn for the receipt is on record. */
  | { readonly kind: "done"; readonly usd: number; readonly minutes: number }
  /**
   * Provably never reached the model. `sessionExists` says whether the conversation has any record.
   */
  | { readonly kind: "absent"; readonly sessionExists: boolean }
  /** It reached the model; no reply and no tool is on record. */
  | { readonly kind: "asked-only" }
  /** A tool ran or a reply began. */
  | { readonly kind: "interrupted" }
  /** The harness recorded an API error for it. */
  | { readonly kind: "api-error"; readonly outcome: Outcome }
  | { readonly kind: "unknown"; readonly why: string };
