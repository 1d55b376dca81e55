import { type Flags, guardOf, misuse, seedOf, wholeNumber } from "../flags.ts";
import type { Run } from "../runs.ts";
import { type Fault, faults, isFault } from "./faults.ts";
import { points } from "./points.ts";
import { runMatrix } from "./run.ts";
import type { StoreKind } from "./scene.ts";
import { runSyscalls } from "../syscalls/run.ts";
import { runTorn, tornGuards } from "../torn/run.ts";
import { matrixGuards, matrixWithout } from "./without.ts";

/** What of the command is about chosen moments. */
export const matrixRuns: readonly Run[] = [
  {
    usage: `--matrix [--store sqlite|postgres] [--only POINT,…] [--fault ${faults.join("|")}] [--seed S] [--beside N] [--without ${matrixGuards.join("|")}]: each fault at each named point, N cells beside each other; without a guard the cell that shows it`,
    isAsked: ({ matrix }) => matrix === true,
    make(flags, say) {
      const without = guardOf(flags, matrixGuards);
      const shown = without === null ? null : matrixWithout[without];
      return runMatrix(
        {
          stores: shown === null || flags.store !== undefined ? storesOf(flags) : [shown.store],
          only: pointsOf(flags) ?? (shown && [shown.point]),
          faults: faultsOf(flags) ?? (shown && [shown.fault]),
          seed: seedOf(flags),
          beside: wholeNumber(flags, "beside", 3),
          without,
        },
        say,
      );
    },
  },
  {
    usage: `--syscalls N [--beside N] [--without refusal]: N calls of the system that fail under a service that receives; needs strace`,
    isAsked: ({ syscalls }) => syscalls !== undefined,
    make: (flags, say) =>
      runSyscalls({
        positions: wholeNumber(flags, "syscalls", 500),
        beside: wholeNumber(flags, "beside", 3),
        without: guardOf(flags, ["refusal"] as const),
        say,
      }),
  },
  {
    usage: `--torn N [--seed S] [--without ${tornGuards.join("|")}]: N ways in which a log or a file of bodies is torn`,
    isAsked: ({ torn }) => torn !== undefined,
    make: (flags, say) =>
      runTorn({
        mutations: wholeNumber(flags, "torn", 5_000),
        seed: seedOf(flags),
        without: guardOf(flags, tornGuards),
        say,
      }),
  },
];

function storesOf({ store }: Flags): readonly StoreKind[] {
  if (store === undefined) return ["sqlite", "postgres"];
  return store === "sqlite" || store === "postgres"
    ? [store]
    : misuse("--store takes sqlite or postgres");
}

/** Null for all. */
function pointsOf({ only }: Flags): readonly string[] | null {
  if (only === undefined) return null;
  const names = only.split(",");
  return names.every((name) => points[name] !== undefined)
    ? names
    : misuse(`--only takes names of ${Object.keys(points).join(", ")}`);
}

function faultsOf({ fault }: Flags): readonly Fault[] | null {
  if (fault === undefined) return null;
  return isFault(fault) ? [fault] : misuse(`--fault takes one of ${faults.join(", ")}`);
}
