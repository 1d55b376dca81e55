import { CodeHostError } from "@loopwork/core/ports";
import type { RuntimeParts } from "@loopwork/runtime";
import type { Commits, When } from "./commits.ts";
import { type DiskFault, errnoError, type Fault } from "./faults.ts";
import type { Trigger } from "./trigger.ts";

/**
 * A named moment at which something can happen to the service: a decorator in front of a port or of
 * the platform, never code of the service.
 */
export type Point = {
  /** How often the load of a cell passes it at the least; the seed chooses which time. */
  readonly passes: number;
  /** Those that mean something here. */
  readonly faults: readonly Fault[];
  /** A life that was killed there before the one that is struck. */
  readonly prelude?: string;
  readonly decorate: (parts: RuntimeParts, strike: Strike) => RuntimeParts;
};

/** How a point strikes. */
export type Strike = {
  readonly trigger: Trigger;
  readonly commits: Commits;
  /**
   * A call of the store whose commit is struck; `fits` says beforehand whether it will be one,
   * `writes` is as of `Armed`.
   */
  commit<T>(
    when: When,
    call: () => Promise<T>,
    fits?: () => boolean | Promise<boolean>,
    writes?: string,
  ): Promise<T>;
  /**
   * Any other call; a fault of the disk makes it reject with what `failure` makes, an error of the
   * file system unless said otherwise.
   */
  call<T>(
    when: "before" | "after",
    call: () => Promise<T>,
    failure?: (fault: DiskFault) => Error,
  ): Promise<T>;
};

export function createStrike(trigger: Trigger, commits: Commits): Strike {
  return {
    trigger,
    commits,
    commit: (when, call, fits = () => true, writes) =>
      commits.within(async () => {
        if ((await fits()) && trigger.pass())
          commits.arm({ trigger, when, ...(writes === undefined ? {} : { writes }) });
        return call();
      }),
    async call(when, call, failure = errnoError) {
      if (!trigger.pass()) return call();
      const strike = (): void => {
        trigger.strike();
        if (trigger.fault === "eio" || trigger.fault === "enospc") throw failure(trigger.fault);
      };
      if (when === "before") strike();
      const result = await call();
      if (when === "after") strike();
      return result;
    },
  };
}

/** A code host that cannot be reached, and one whose own disk is full. */
export function hostError(fault: DiskFault): Error {
  return fault === "eio"
    ? new CodeHostError("LOOP_E_HOST_UNREACHABLE", "read ECONNRESET")
    : new CodeHostError("LOOP_E_HOST_SERVER", "HTTP 507");
}
