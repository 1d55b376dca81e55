import type { NamedAccount } from "../work-item/named-account.ts";
import type { ControlVerb, RejectedShape } from "../event/event.ts";
import type { Ref } from "../ref/ref.ts";
import type { ControlStatus } from "../work-item/records.ts";
import type { Effect } from "./effect.ts";
import type { Reason } from "../control/reason.ts";
import type { TextEdit } from "./unauthorized-edits.ts";

/** What a delivery means and what must be done about it. A pure value; nothing here acts. */
export type Decision = {
  readonly verdict: Verdict;
  readonly reason: Reason;
  readonly effects: readonly Effect[];
};

/** The meaning of a delivery. `evolve` folds it into the state of the work item. */
export type Verdict =
  /** The payload does not fit its event name. */
  | { readonly kind: "rejected"; readonly why: RejectedShape }
  /** Understood, and nothing is to be done. */
  | { readonly kind: "ignored" }
  /** Somebody asked for something that is not granted. */
  | {
      readonly kind: "refused";
      readonly verb: ControlVerb | "say" | "graph" | null;
      /** Whom a grant or its revocation names. */ readonly login?: string;
      /** The same, by ids and other names; absent where only the login is known. */ readonly account?: NamedAccount;
      /** The edit for which a start is held. */ readonly edit?: TextEdit;
    }
  /** Only remembered: labels, title, open or closed, the head of a linked pull request. */
  | { readonly kind: "noted" }
  /** A session is to be spawned for the endpoint. */
  | { readonly kind: "started"; readonly by: string; readonly endpoint: Ref }
  /** The event becomes input of the endpoint's session. */
  | { readonly kind: "delivered"; readonly endpoint: Ref }
  | { readonly kind: "paused"; readonly by: string }
  | { readonly kind: "resumed"; readonly by: string }
  | { readonly kind: "stopped"; readonly by: string }
  /** Local resources of the whole work item are released. */
  | { readonly kind: "cleaned-up"; readonly by: string }
  /** The object that closed ends: the work item, or one pull request's own session. */
  | { readonly kind: "closed"; readonly endpoint: Ref; readonly whole: boolean }
  | { readonly kind: "close-deferred" }
  /** The work item is open again; `to` is the status it goes back to. */
  | { readonly kind: "reopened"; readonly to: ControlStatus }
  | {
      readonly kind: "granted";
      readonly login: string;
      readonly by: string;
      /** Absent where the host did not tell. */ readonly id?: string;
    }
  | {
      readonly kind: "revoked";
      readonly login: string;
      readonly by: string;
      /** Absent where only the login is known. */ readonly account?: NamedAccount;
    };
