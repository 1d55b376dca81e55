import { emptyItemState, type Lanes, type RefText, type TakenLane } from "@loopwork/core/ports";
import { expect, test } from "vitest";
import type { TurnHandler } from "../../../runtime/src/handlers/turn.ts";
import { createRunningTurns, type RunningTurns } from "../../../runtime/src/running-turns.ts";
import { until } from "../support/until.ts";
import { createWorld } from "../support/world.ts";

const leaseMs = 30_000;
const lane = "host:practice/garden#1" as RefText;
const taken: TakenLane = {
  lease: { lane, owner: "default", fence: 1 },
  turn: {
    id: 1,
    lane,
    workItem: lane,
    mode: "spawn",
    state: "injecting",
    inputs: [],
    attempt: null,
    attempts: 1,
    notBefore: 0,
    next: "first",
    note: null,
    createdAt: 0,
  },
  item: emptyItemState,
};

/** Turns of one lane, over lanes and a clock that a test moves. */
async function turnsOver(
  lanes: Partial<Lanes>,
  handler: Partial<TurnHandler> = {},
): Promise<{ readonly running: RunningTurns; readonly clock: { at: number } }> {
  const { parts } = await (await createWorld()).start(undefined, () => false);
  const clock = { at: 1_000_000 };
  const turns: TurnHandler = {
    run: () => Promise.resolve(),
    recover: () => Promise.resolve(),
    ...handler,
  };
  const running = createRunningTurns(
    {
      ...parts,
      clock: { now: () => clock.at },
      store: { ...parts.store, lanes: { ...parts.store.lanes, ...lanes } },
    },
    turns,
    () => {},
  );
  return { running, clock };
}

const always = (): boolean => true;

test(
  "a turn that fails while lost ones are looked for is taken up once its lease has run out",
  { timeout: 30_000 },
  async () => {
    let [looks, fail, answer] = [
      0,
      (_error: Error): void => {},
      (_found: readonly TakenLane[]): void => {},
    ];
    const given = [taken];
    const orphans = (): Promise<readonly TakenLane[]> => (
      looks++,
      new Promise((resolve) => (answer = resolve))
    );
    const { running, clock } = await turnsOver(
      { orphans, take: async () => given.pop() ?? null },
      { run: () => new Promise((_resolve, reject) => (fail = reject)) },
    );
    expect(await running.take(always)).toBe(1);
    running.begin();
    clock.at += leaseMs;
    const recovering = running.recover(always);
    fail(new Error("the store was away"));
    await until(() => running.count() === 0, "the end of the turn");
    answer([]);
    expect([await recovering, await running.recover(always), looks]).toEqual([0, 0, 1]);
    clock.at += leaseMs;
    const again = running.recover(always);
    expect(looks).toBe(2);
    answer([taken]);
    expect(await again).toBe(1);
  },
);

test(
  "lost turns are looked for again where the store could not be asked",
  { timeout: 30_000 },
  async () => {
    const answers = [(): Promise<never> => Promise.reject(new Error("away")), async () => [taken]];
    const { running } = await turnsOver({ orphans: async () => answers.shift()?.() ?? [] });
    running.begin();
    await expect(running.recover(always)).rejects.toThrow("away");
    expect([await running.recover(always), await running.recover(always)]).toEqual([1, 0]);
  },
);

test(
  "a turn that another process has taken up and left is not taken up beside its own run here",
  { timeout: 30_000 },
  async () => {
    let [end, recovered] = [(): void => {}, 0];
    const released: number[] = [];
    const given = [taken];
    const lost: TakenLane = { ...taken, lease: { ...taken.lease, fence: 3 } };
    const lanes: Partial<Lanes> = {
      orphans: async () => [lost],
      take: async () => given.pop() ?? null,
      release: async ({ fence }) => void released.push(fence),
    };
    const { running, clock } = await turnsOver(lanes, {
      run: () => new Promise((resolve) => (end = resolve)),
      recover: async () => void recovered++,
    });
    await running.take(always);
    running.begin();
    clock.at += leaseMs; // Until then a lease of ours that ran out while the store was away is renewed.
    expect([await running.recover(always), recovered, released]).toEqual([0, 0, [3]]);
    end();
    await running.ended();
    clock.at += leaseMs;
    expect([await running.recover(always), recovered]).toEqual([1, 1]);
  },
);
