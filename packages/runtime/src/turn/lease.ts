import type { Lanes, Lease } from "@loopwork/core/ports";
import type { RuntimeParts } from "../parts.ts";

type Needs = Pick<RuntimeParts, "clock" | "timers" | "log"> & {
  readonly store: { readonly lanes: Pick<Lanes, "renew"> };
};

/**
 * Keeps a lease alive while its turn runs. A lease that cannot be renewed is lost: the fence then
 * refuses our writes.
 */
export function keepLease(lease: Lease, leaseMs: number, parts: Needs): { stop(): void } {
  let over = false;
  // A lease that was given back while it was being renewed is gone as well, and nothing was lost
  // with it.
  const warn = (what: string): void =>
    void (over || parts.log("warn", `the lease of ${lease.lane} ${what}`));
  const stop = parts.timers.every(leaseMs / 3, () => {
    parts.store.lanes.renew(lease, parts.clock.now(), leaseMs).then(
      (kept) => void (kept || warn("was lost; what this turn still writes will be refused")),
      (error: unknown) =>
        warn(`could not be renewed: ${error instanceof Error ? error.message : String(error)}`),
    );
  });
  return {
    stop() {
      over = true;
      stop();
    },
  };
}
