import { setTimeout as sleep } from "node:timers/promises";
import type { ChildIdentity } from "@loopwork/core/ports";
import { isAlive } from "./process-identity.ts";
import type { Exit } from "./start-child.ts";

/** How often a child is looked at that nobody tells about. */
export const watchEveryMs = 100;

/**
 * A child of somebody who is gone is nobody's to wait for: its exit code is lost, only its end can
 * be seen.
 */
export async function goneAfterAdoption(identity: ChildIdentity): Promise<Exit> {
  while (isAlive(identity)) await sleep(watchEveryMs);
  return { code: null, signal: null };
}
