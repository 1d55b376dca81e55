import type { Counts } from "../count-tests.ts";

/** One part of `npm run test:long`: a program, and how its end is read. */
export type Part = {
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  /** Given the exit code and all that the program printed. */
  readonly judge: (code: number, output: string) => Counts;
};

const node = [process.execPath, "--conditions=@loopwork/source"] as const;

/** What CI runs of it: seeds that are always the same, and every known attack. */
export const partsOfCi: readonly Part[] = [
  simulation(500),
  { name: "attacks", argv: [...node, "tooling/check/src/attacks/main.ts"], judge: countsAtTheEnd },
];

/** All but the long test files, which the test runner takes. */
export const parts: readonly Part[] = [
  simulation(2_000),
  ...partsOfCi.slice(1),
  {
    name: "kills",
    argv: [...node, "tooling/faults/src/main.ts", "--kills", "100", "--seed", "1", "--json"],
    judge: holdsWhere(({ lost, doubled, outOfOrder, violations }) =>
      [lost, doubled, outOfOrder, Object(violations).length].every((count) => count === 0),
    ),
  },
  {
    name: "fault matrix",
    argv: [...node, "tooling/faults/src/main.ts", "--matrix", "--json"],
    judge: holdsWhere(
      ({ cellsRun, violations }) => Number(cellsRun) > 0 && Object(violations).length === 0,
    ),
  },
];

function simulation(seeds: number): Part {
  return {
    name: `simulation of ${seeds} seeds`,
    argv: [...node, "tooling/sim/src/main.ts", "--seeds", String(seeds), "--json"],
    judge: holdsWhere(
      (report) => report["seeds"] === seeds && Object(report["violations"]).length === 0,
    ),
  };
}

/** Reads the plain last line, as CI does. A program that failed without a failure in it is one. */
export function countsAtTheEnd(code: number, output: string): Counts {
  const found = /^(\d+) passed, (\d+) failed, (\d+) skipped$/m.exec(
    output.trimEnd().split("\n").at(-1) ?? "",
  );
  if (found === null) return { passed: 0, failed: 1, skipped: 0 };
  const [passed = 0, failed = 0, skipped = 0] = found.slice(1).map(Number);
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed, skipped };
}

/** Judges the one JSON object that a measurement prints last. */
function holdsWhere(holds: (report: Readonly<Record<string, unknown>>) => boolean) {
  return (code: number, output: string): Counts => {
    const line = output.trimEnd().split("\n").at(-1) ?? "";
    const good = code === 0 && line.startsWith("{") && holds(JSON.parse(line));
    return { passed: good ? 1 : 0, failed: good ? 0 : 1, skipped: 0 };
  };
}
