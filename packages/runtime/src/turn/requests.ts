import type { OwnPost } from "@loopwork/core";
import type { Turn } from "@loopwork/core/ports";
import type { Said } from "@loopwork/core/learnings";

/**
 * How a process inside of an agent's turn asks the dispatcher for something: it
 * writes `<name>.request.json` into the turn's folder and waits for `<name>.answer.json`. The
 * dispatcher alone holds the host's token and the store. Both files appear whole, by rename.
 */
export type TurnRequestBody =
  | { readonly kind: "comment"; readonly text: string; readonly on: string | null }
  | { readonly kind: "ask"; readonly text: string }
  | { readonly kind: "link-pr"; readonly pullRequest: string }
  | { readonly kind: "learn"; readonly said: Said }
  | { readonly kind: "check" }
  /**
   * Told by the Stop gate when it keeps the session; what is missing the dispatcher asks itself.
   */
  | { readonly kind: "kept" }
  /** Told by the hook after a tool: what the agent posted by itself. */
  | { readonly kind: "posted"; readonly posts: readonly OwnPost[] };

export type TurnAnswer =
  | { readonly ok: true; readonly message: string; readonly data: unknown }
  | {
      readonly ok: false;
      readonly code: `LOOP_E_${string}`;
      readonly message: string;
      readonly hint: string;
    };

/** What the service found of the work: what is missing, or why nobody can tell, a sentence each. */
export type Checked = {
  readonly answer: "complete" | "incomplete" | "unknown";
  readonly missing: readonly string[];
};

/** Names the one thing that carrying out a request does, so that a repeated one is harmless. */
export function purposeOfRequest({ id }: Pick<Turn, "id">, name: string): string {
  return `turn-${id}-${name}`;
}
