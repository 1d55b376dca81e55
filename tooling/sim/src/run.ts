import { judge } from "./judge/judge.ts";
import { createPeople } from "./people.ts";
import type { Plant } from "./plants.ts";
import { isQuiet } from "./judge/quiet.ts";
import { calm } from "./world/trouble.ts";
import { createWorld } from "./world/world.ts";

export type RunResult = {
  readonly seed: number;
  readonly steps: number;
  readonly violations: readonly string[];
  readonly traceHash: string;
  readonly trace: readonly string[];
};

/** Longest time between two things that people do, in milliseconds. */
const longestPauseMs = 9_000;
/**
 * What the service gets to come to rest once nothing goes wrong any more, in milliseconds: a usage
 * limit's sleep, and as much again.
 */
const restMs = 45 * 60_000;
/** What waits for a person has been seen to twice by then, in milliseconds. */
const seenToMs = 180_000;
/** A run that takes more steps than this goes round in circles. */
const mostSteps = 100_000;

/**
 * One whole run: people act while things go wrong, then nothing goes wrong any more, and what is
 * left is judged.
 */
export async function runSeed(seed: number, plant: Plant, detailed = false): Promise<RunResult> {
  const world = createWorld(seed, plant, detailed);
  const { scheduler, random, lives, trace } = world;
  const people = createPeople(world);
  lives.begin();
  let left = random.int(6, 30);
  const act = (): void => {
    if (left-- <= 0) return;
    people.act();
    scheduler.after(random.chance(0.3) ? random.int(1, 60) : random.int(60, longestPauseMs), act);
  };
  scheduler.after(10, act);
  for (let n = world.trouble.clockJumps; n > 0; n--)
    scheduler.after(random.int(1_000, 60_000), () =>
      world.jumpClock(random.int(-600_000, 600_000)),
    );
  if (random.chance(0.15)) scheduler.after(random.int(1_000, 60_000), lives.stopGently);
  const sound = (): boolean =>
    world.monitor.violations().length === 0 &&
    world.faults.length === 0 &&
    scheduler.steps() < mostSteps;
  await scheduler.run(Number.POSITIVE_INFINITY, () => left > 0 && sound());
  await scheduler.run(scheduler.now() + random.int(0, 10_000), sound);

  trace.say("nothing goes wrong any more");
  world.trouble = calm;
  const healedAt = scheduler.now();
  if (world.auditing) lives.stopGently(); // The next life begins with a look at what did not arrive.
  scheduler.after(seenToMs / 3, () => people.seeTo("in comments"));
  // A clock that jumped ahead makes comments older than what was asked here, and the refusal on the
  // thread says what helps (ADR 0013).
  scheduler.after((2 * seenToMs) / 3, () => people.seeTo("on the command line"));
  let looks = 0;
  let quiet = false;
  await scheduler.run(healedAt + restMs, () => {
    quiet =
      looks++ % 16 === 0 &&
      isQuiet(world, healedAt) &&
      (scheduler.now() > healedAt + seenToMs || !people.isAwaited());
    return !quiet && sound();
  });
  trace.say(quiet ? "all is quiet" : "it never came to rest");
  const violations = await judge(world, people.words, quiet);
  return {
    seed,
    steps: scheduler.steps(),
    violations,
    traceHash: trace.hash(),
    trace: trace.lines(),
  };
}
