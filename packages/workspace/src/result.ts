import { LoopError } from "@loopwork/core";
import type { CheckoutResult } from "@loopwork/core/ports";

/** A refusal as a result; everything else is a bug and goes on as it is. */
export function failed(error: unknown): CheckoutResult {
  if (!(error instanceof LoopError)) throw error;
  return { kind: "failed", code: error.code, detail: error.message, hint: error.hint };
}
