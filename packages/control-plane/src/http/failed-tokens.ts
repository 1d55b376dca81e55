import type { Clock } from "@loopwork/core/ports";

/** A request showed another token; `untold` counts those before it that nobody was told about. */
export type FailedToken = { readonly address: string; readonly untold: number };

export type FailedTokenBounds = {
  /** Failures from one address in a minute that are answered 401; after them the answer is 429. */
  readonly perAddress: number;
  /** Failures in a minute that are told one by one, from all addresses together. */
  readonly told: number;
};

export const failedTokenBounds: FailedTokenBounds = { perAddress: 10, told: 5 };

const minuteMs = 60_000;
/** Addresses that are remembered; those that failed longest ago are forgotten first. */
const mostAddresses = 1_024;

export type FailedTokens = {
  /** Counts a failure; returns the seconds for which to wait, null while that is not asked for. */
  count(address: string): number | null;
  /** Tells of those that were not told yet. */
  close(): void;
};

/**
 * Counts tokens that fail, minute by minute. It knows of no token that is right: whoever shows that
 * is not asked to wait, as all programs on this machine, or behind one proxy, share an address.
 */
export function createFailedTokens(
  clock: Clock,
  bounds: FailedTokenBounds,
  tell: (failed: FailedToken) => void,
): FailedTokens {
  const minutes = new Map<string, Minute>();
  const telling = { begun: Number.NEGATIVE_INFINITY, told: 0, untold: 0, last: "" };

  function say(address: string, now: number): void {
    if (now - telling.begun >= minuteMs) Object.assign(telling, { begun: now, told: 0 });
    if (telling.told >= bounds.told)
      return void Object.assign(telling, { untold: telling.untold + 1, last: address });
    tell({ address, untold: telling.untold });
    Object.assign(telling, { told: telling.told + 1, untold: 0 });
  }

  return {
    count(address) {
      const now = clock.now();
      say(address, now);
      const minute = minuteOf(minutes, address, now);
      minute.failures += 1;
      if (minute.failures <= bounds.perAddress) return null;
      return Math.ceil((minute.begun + minuteMs - now) / 1_000);
    },
    close() {
      if (telling.untold > 0) tell({ address: telling.last, untold: telling.untold - 1 });
      telling.untold = 0;
    },
  };
}

type Minute = { readonly begun: number; failures: number };

function minuteOf(minutes: Map<string, Minute>, address: string, now: number): Minute {
  const known = minutes.get(address);
  const current =
    known !== undefined && now - known.begun < minuteMs ? known : { begun: now, failures: 0 };
  minutes.delete(address);
  minutes.set(address, current);
  for (const oldest of minutes.keys()) {
    if (minutes.size <= mostAddresses) break;
    minutes.delete(oldest);
  }
  return current;
}
