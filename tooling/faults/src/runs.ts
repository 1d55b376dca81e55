import { fullFleet, runFleet, smallFleet } from "./fleet/run.ts";
import { fleetGuards } from "./fleet/without.ts";
import { type Flags, guardOf, misuse, seedOf, wholeNumber } from "./flags.ts";
import { guardNames } from "./guards.ts";
import { plantedNames } from "./hostile/planted.ts";
import { runHostile } from "./hostile/run.ts";
import { matrixRuns } from "./matrix/runs.ts";
import { reportRuns } from "./report/rows.ts";
import { runRestarts } from "./restarts.ts";
import { runScenes } from "./scenes.ts";
import { runSoak, soakGuards } from "./soak/run.ts";

/** What every run reports besides its own numbers. */
export type Report = { readonly violations: readonly string[] };
export type Say = (text: string) => void;

/** One kind of run: what on the command line asks for it, and how it is made. */
export type Run = {
  readonly usage: string;
  isAsked(flags: Flags): boolean;
  make(flags: Flags, say: Say): Promise<Report>;
};

/** Every kind of run; the first one that is asked for is made. */
export const runs: readonly Run[] = [
  ...reportRuns,
  ...matrixRuns,
  {
    usage: `--hostile N [--from F] [--seed S] [--without ${plantedNames.join("|")}]: N hostile inputs to the service, beginning with number F`,
    isAsked: ({ hostile }) => hostile !== undefined,
    make: (flags, say) =>
      runHostile({
        inputs: wholeNumber(flags, "hostile", 200_000),
        from: wholeNumber(flags, "from", 0, 0),
        seed: seedOf(flags),
        without: guardOf(flags, plantedNames),
        say,
      }),
  },
  {
    usage: `--soak MINUTES [--rate R] [--lanes L] [--seed S] [--without ${soakGuards.join("|")}]: R deliveries a second and L conversations for so long, with a storm every five minutes`,
    isAsked: ({ soak }) => soak !== undefined,
    make: (flags, say) =>
      runSoak({
        minutes: wholeNumber(flags, "soak", 20),
        rate: wholeNumber(flags, "rate", 50),
        lanes: wholeNumber(flags, "lanes", 50),
        seed: seedOf(flags),
        storm: { rate: 500, ms: 10_000, everyMs: 300_000 },
        without: guardOf(flags, soakGuards),
        say,
      }),
  },
  {
    usage: "--restarts N [--rate R] [--seed S]: restarts under R deliveries a second",
    isAsked: ({ restarts }) => restarts !== undefined,
    make: (flags, say) =>
      runRestarts({
        restarts: wholeNumber(flags, "restarts", 20),
        rate: wholeNumber(flags, "rate", 100),
        seed: seedOf(flags),
        lanes: Math.min(wholeNumber(flags, "lanes", 2), 2),
        say,
      }),
  },
  {
    usage: `--store postgres [--full] [--kills N] [--seed S] [--without ${fleetGuards.join("|")}]: many instances on one server, of which some are killed and stopped`,
    isAsked: ({ store }) => store === "postgres",
    make: (flags, say) => {
      const plan = flags.full === true ? fullFleet : smallFleet;
      return runFleet(
        { ...plan, kills: wholeNumber(flags, "kills", plan.kills, 0) },
        seedOf(flags),
        guardOf(flags, fleetGuards),
        say,
      );
    },
  },
  {
    usage: `[--kills N] [--scenes K] [--seed S] [--lanes L] [--without ${guardNames.join("|")}]: kills under load, in K scenes beside each other`,
    isAsked: ({ store = "sqlite" }) =>
      store === "sqlite" || misuse("--store takes sqlite or postgres"),
    make: (flags, say) =>
      runScenes({
        kills: wholeNumber(flags, "kills", 20, 0),
        scenes: wholeNumber(flags, "scenes", 1),
        seed: seedOf(flags),
        lanes: wholeNumber(flags, "lanes", 6),
        without: guardOf(flags, guardNames),
        say,
      }),
  },
];

/** Makes the run that the flags ask for. @throws {Misuse} */
export function makeRun(flags: Flags, say: Say): Promise<Report> {
  return runs.find((run) => run.isAsked(flags))?.make(flags, say) ?? misuse("there is no such run");
}
