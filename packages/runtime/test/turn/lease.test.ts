import type { Lease, RefText } from "@loopwork/core/ports";
import { expect, test } from "vitest";
import { keepLease } from "../../src/turn/lease.ts";

const lease: Lease = { lane: "host:octo/demo#1" as RefText, owner: "default", fence: 1 };

/** A lease whose renewals are answered when the test says so. */
function stage(): {
  readonly tick: () => void;
  readonly answer: (kept: boolean | Error) => Promise<void>;
  readonly stop: () => void;
  readonly logged: string[];
  readonly ticking: () => boolean;
} {
  const [logged, waiting]: [string[], PromiseWithResolvers<boolean>[]] = [[], []];
  let tick: (() => void) | null = null;
  const { stop } = keepLease(lease, 30_000, {
    store: {
      lanes: {
        async renew() {
          const renewal = Promise.withResolvers<boolean>();
          waiting.push(renewal);
          return renewal.promise;
        },
      },
    },
    clock: { now: () => 0 },
    timers: {
      after: () => () => {},
      every: (_ms, work) => ((tick = work), () => void (tick = null)),
    },
    log: (_level, text) => void logged.push(text),
  });
  const answer = async (kept: boolean | Error): Promise<void> => {
    const renewal = waiting.shift();
    if (kept instanceof Error) renewal?.reject(kept);
    else renewal?.resolve(kept);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { tick: () => tick?.(), answer, stop, logged, ticking: () => tick !== null };
}

test("a lease that is lost while its turn runs is told", async () => {
  const { tick, answer, logged } = stage();
  tick();
  await answer(true);
  expect(logged).toEqual([]);
  tick();
  await answer(false);
  tick();
  await answer(new Error("the store is away"));
  expect(logged).toEqual([
    "the lease of host:octo/demo#1 was lost; what this turn still writes will be refused",
    "the lease of host:octo/demo#1 could not be renewed: the store is away",
  ]);
});

test("a lease that was given back while it was being renewed was not lost, and is renewed no more", async () => {
  for (const answered of [false, new Error("the store is closed")]) {
    const { tick, answer, stop, logged, ticking } = stage();
    tick();
    stop();
    await answer(answered);
    expect([logged, ticking()]).toEqual([[], false]);
  }
});
