import { type FaultReport, type FaultRun, runFaults } from "./run.ts";

/** Seeds of scenes beside each other lie so far apart; the first has the seed of the run. */
const seedStep = 1_000_003;

/**
 * Kills in several scenes beside each other, each with a service, a host and a load of its own, and
 * adds up what they came to. A violation of a scene names its seed, which with `--scenes 1` makes
 * the same kills again.
 */
export async function runScenes({
  scenes,
  ...run
}: FaultRun & { readonly scenes: number }): Promise<FaultReport & { readonly scenes: number }> {
  const shares = Array.from({ length: scenes }, (_, n) => ({
    seed: run.seed + n * seedStep,
    kills: Math.floor((run.kills + n) / scenes),
  }));
  const reports = await Promise.all(
    shares.map(({ seed, kills }, n) =>
      runFaults({
        ...run,
        seed,
        kills,
        say: (text) => run.say(scenes === 1 ? text : `scene ${n + 1}: ${text}`),
      }),
    ),
  );
  const sum = (
    key:
      | "kills"
      | "acknowledged"
      | "turnsExpected"
      | "delivered"
      | "lost"
      | "doubled"
      | "overlapping"
      | "outOfOrder",
  ): number => reports.reduce((total, report) => total + report[key], 0);
  return {
    kills: sum("kills"),
    scenes,
    seed: run.seed,
    without: run.without,
    acknowledged: sum("acknowledged"),
    turnsExpected: sum("turnsExpected"),
    delivered: sum("delivered"),
    lost: sum("lost"),
    doubled: sum("doubled"),
    overlapping: sum("overlapping"),
    outOfOrder: sum("outOfOrder"),
    violations: reports.flatMap(({ seed, violations }) =>
      violations.map((violation) => (scenes === 1 ? violation : `seed ${seed}: ${violation}`)),
    ),
  };
}
