import { fleetGuards } from "../fleet/without.ts";
import { guardNames } from "../guards.ts";
import { plantedNames } from "../hostile/planted.ts";
import { matrixGuards } from "../matrix/without.ts";
import { soakGuards } from "../soak/run.ts";
import { tornGuards } from "../torn/run.ts";

/**
 * A part of the long form: what it is called, which is its file under `docs/reliability/`, the
 * command line that makes it, and after how many minutes it is ended: about three times what it
 * takes on two cores that do nothing else.
 */
export type Part = {
  readonly name: string;
  readonly args: readonly string[];
  readonly minutes: number;
};

export const parts: readonly Part[] = [
  { name: "kills", args: ["--kills", "1000", "--scenes", "4", "--seed", "1"], minutes: 45 },
  { name: "fleet", args: ["--store", "postgres", "--full", "--seed", "1"], minutes: 27 },
  { name: "matrix", args: ["--matrix", "--seed", "1"], minutes: 60 },
  { name: "syscalls", args: ["--syscalls", "504"], minutes: 25 },
  { name: "torn", args: ["--torn", "5000", "--seed", "1"], minutes: 15 },
  { name: "hostile", args: ["--hostile", "200000", "--seed", "1"], minutes: 40 },
  { name: "restarts", args: ["--restarts", "20", "--rate", "100", "--seed", "1"], minutes: 15 },
  { name: "soak", args: ["--soak", "20", "--seed", "1"], minutes: 40 },
];

/** The name of the part that goes without each guard in turn. */
export const guardsPart = "guards";
/** After how many minutes one run without a guard is ended. */
export const guardMinutes = 10;

/**
 * A guard, and the runs that may show that it is missing: the first that reports anything does. A
 * kill falls where it falls, so there are several of those. `shows`: what a violation reads like
 * that counts, for runs in which a busy machine alone makes others.
 */
export type GuardRuns = {
  readonly guard: string;
  readonly tries: readonly (readonly string[])[];
  readonly shows?: RegExp;
};

/**
 * What a hostile run must show without each of its guards. A busy machine takes the event loop
 * away, too, but does not make it compute.
 */
const hostileShows: Readonly<Record<(typeof plantedNames)[number], RegExp>> = {
  linear: /^block: .* of which it computed \d{3,} ms/,
  memory: /^memory: /,
  answers: /^answer: .* 500 LOOP_E_INTERNAL/,
  store: /^stored: /,
  signature: /^answer: .* not 401 /,
  authority: /^stranger: /,
  redact: /^secret: /,
  catch: /^crash: the service was gone /,
};

export const guardRuns: readonly GuardRuns[] = [
  ...guardNames.map((guard) => ({
    guard,
    tries: ["1", "2", "3", "4"].map((seed) => [
      "--kills",
      guard === "live-child" ? "40" : "10",
      "--seed",
      seed,
      "--without",
      guard,
    ]),
  })),
  ...fleetGuards.map((guard) => ({ guard, tries: [["--store", "postgres", "--without", guard]] })),
  ...matrixGuards.map((guard) => ({
    guard: `matrix ${guard}`,
    tries: ["1", "2", "3", "4"].map((seed) => ["--matrix", "--seed", seed, "--without", guard]),
  })),
  { guard: "syscalls refusal", tries: [["--syscalls", "24", "--without", "refusal"]] },
  ...tornGuards.map((guard) => ({
    guard: `torn ${guard}`,
    tries: [["--torn", "5", "--without", guard]],
  })),
  ...soakGuards.map((guard) => ({
    guard: `soak ${guard}`,
    tries: [["--soak", "1", "--without", guard]],
  })),
  ...plantedNames.map((guard) => ({
    guard: `hostile ${guard}`,
    tries: [["--hostile", "700", "--seed", "3", "--without", guard]],
    shows: hostileShows[guard],
  })),
];
