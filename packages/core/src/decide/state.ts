import type { ItemState } from "../work-item/records.ts";
import type { Ref } from "../work-item/ref.ts";

/** Everything that `decide` may know beside the event and the policy: read by the shell first, then kept in the decision row. */
export type State = {
  readonly target: Target | null;
  readonly item: ItemState;
  /** The event is the service's or the session's own doing (decisions.md 5, own writing and own activity). */
  readonly own: "no" | "comment" | "activity";
  /** Numeric id that the actor's login had when it was first seen; null when never seen. */
  readonly pinnedActorId: string | null;
  /** Delivery that had the same semantic key before; null when this is the first. */
  readonly seenAs: string | null;
  /** Instance that owns the work item when it is another one; null else. */
  readonly ownedBy: string | null;
  /** Milliseconds since 1970 when deciding. */
  readonly now: number;
};

/** The work item that an event belongs to, and the endpoint whose session it is for. */
export type Target = { readonly workItem: Ref; readonly endpoint: Ref; readonly provenance: Provenance };

/** How the work item was found, strongest first (decisions.md 5). */
export type Provenance = "recorded-link" | "closing-reference" | "head-branch" | "closing-keyword" | "itself" | "head-sha" | "named";
