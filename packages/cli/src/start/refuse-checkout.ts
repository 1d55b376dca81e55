import { LoopError } from "@loopwork/core/ports";
import type { TrustCandidate } from "../configuration/trust-config.ts";

/** Throws `LOOP_E_CONFIG_CHECKOUT` for a file that a session's agent can write. */
export async function refuseCheckout({ file, place, realPath }: TrustCandidate): Promise<void> {
  const { isInCheckout } = await import("@loopwork/workspace");
  if (![place, realPath].some(isInCheckout)) return;
  throw new LoopError(
    "LOOP_E_CONFIG_CHECKOUT",
    `${file} can't be trusted: it lies in the checkout of a session, whose agent can write it`,
    "put the configuration into a folder of your own, or name it with --config",
  );
}
