import type { RefText } from "../ref/ref.ts";
import type { GateAnswer } from "../turn/after-work-gate.ts";

/**
 * Says whether a work item's work is complete, as `loop check` does. The driver asks it after each
 * turn of a harness whose own stop hook does not fire in headless turns; where the hook fires, it
 * asks the same question itself.
 */
export interface WorkGate {
  /** Never rejects: what could not be looked at is `unknown`. */
  check(request: { readonly workItem: RefText; readonly workdir: string }): Promise<GateAnswer>;
}
