import type { RefText } from "../work-item/ref.ts";

/**
 * Says whether a work item's work is complete, as `loop check` does. The driver asks it after each
 * turn of a harness whose own stop hook does not fire in headless turns; where the hook fires, it
 * asks the same question itself.
 */
export interface WorkGate {
  /** Never rejects: what could not be looked at is `unknown`. */
  check(request: { readonly workItem: RefText; readonly workdir: string }): Promise<GateAnswer>;
}

export type GateAnswer =
  /** Nothing is missing, or what is missing is a person's to give. */
  | { readonly kind: "complete" }
  /** What is missing, a sentence each; at least one. */
  | { readonly kind: "incomplete"; readonly missing: readonly string[] }
  | { readonly kind: "unknown"; readonly why: string };
