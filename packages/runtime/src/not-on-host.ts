import { LoopError } from "@loopwork/core/ports";

/** Why nothing is done about an item that the code host does not show. */
export function notOnHost(what: string): LoopError {
  return new LoopError(
    "LOOP_E_NO_ITEM",
    `The code host has no ${what}, or the token can't see it`,
    "Check the number and what the token can read",
  );
}
