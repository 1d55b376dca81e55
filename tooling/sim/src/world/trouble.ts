import type { HostTrouble } from "../host/client.ts";
import type { HarnessTrouble } from "../harness/program.ts";
import type { Random } from "../random.ts";

/** How badly things go in one run; drawn from the seed. Shares are from 0 to 1. */
export type Trouble = {
  readonly host: HostTrouble;
  readonly harness: HarnessTrouble;
  readonly webhooks: {
    readonly lost: number;
    readonly repeated: number;
    readonly slowestMs: number;
  };
  /** Lives that end in a crash. */
  readonly crashes: number;
  /** Share of crashes in which the machine goes down too. */
  readonly powerCuts: number;
  /** Jumps of the machine's clock in a run. */
  readonly clockJumps: number;
  /** Share of the daemon's steps at which others may come first. */
  readonly jitter: number;
};

const calmHost: HostTrouble = { unreachable: 0, answerLost: 0, limited: 0, slowestMs: 50 };
const calmHarness: HarnessTrouble = {
  killed: 0,
  transient: 0,
  usageLimit: 0,
  hangs: 0,
  loggedOut: false,
  forgets: 0,
};

/** Nothing goes wrong any more: what still waits must come to its end. */
export const calm: Trouble = {
  host: calmHost,
  harness: calmHarness,
  webhooks: { lost: 0, repeated: 0, slowestMs: 50 },
  crashes: 0,
  powerCuts: 0,
  clockJumps: 0,
  jitter: 0,
};

/**
 * `rescued`: what is lost on the way is looked for, so that it may be lost. Each kind of trouble is
 * there in some runs and missing in others, so that a run with one kind alone comes up too.
 */
export function drawTrouble(random: Random, rescued: boolean): Trouble {
  const some = (share: number, most: number): number =>
    random.chance(share) ? most * random.next() : 0;
  return {
    host: {
      unreachable: some(0.4, 0.3),
      answerLost: some(0.4, 0.3),
      limited: some(0.2, 0.1),
      slowestMs: random.pick([20, 500, 3_000]),
    },
    harness: {
      killed: some(0.5, 0.4),
      transient: some(0.3, 0.2),
      usageLimit: some(0.05, 0.1),
      hangs: some(0.2, 0.3),
      loggedOut: random.chance(0.03),
      forgets: some(0.15, 0.1),
    },
    webhooks: {
      lost: rescued ? some(0.6, 0.5) : 0,
      repeated: some(0.5, 0.5),
      slowestMs: random.pick([20, 500, 8_000]),
    },
    crashes: random.chance(0.7) ? random.int(1, 5) : 0,
    powerCuts: random.pick([0, 0.2, 1]),
    clockJumps: random.chance(0.4) ? random.int(1, 6) : 0,
    jitter: random.pick([0, 0.1, 0.4]),
  };
}
