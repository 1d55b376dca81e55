import { CodeHostError } from "@loopwork/core/ports";
import type { RuntimeParts } from "./parts.ts";

/**
 * Learns whose token it is before anything is posted under it: the host tells us of the post at
 * once, and it must be known as our own by then. Rejects where asking again later helps; a token
 * that may not ask posts all the same.
 */
export async function learnOwnLogin({ host }: Pick<RuntimeParts, "host">): Promise<void> {
  try {
    await host.ownAccount();
  } catch (error) {
    if (!(error instanceof CodeHostError) || error.passing) throw error;
  }
}
