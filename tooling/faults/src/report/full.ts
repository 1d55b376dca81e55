import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { recordOf, writeRecord } from "@loopwork-tooling/record";
import { type Flags, misuse } from "../flags.ts";
import type { Report, Say } from "../runs.ts";
import { guardMinutes, guardRuns, type GuardRuns, guardsPart, type Part, parts } from "./parts.ts";

/**
 * Makes the run that a command line asks for; rejects when it takes longer than so many
 * milliseconds, or could not measure.
 */
export type Make = (args: readonly string[], say: Say, withinMs: number) => Promise<Report>;

/**
 * What became of each part; `violations` are those of all, with the part's name in front. A part
 * that failed or took too long is one, and leaves its old record as it is.
 */
export type FullReport = {
  readonly parts: readonly {
    readonly name: string;
    readonly seconds: number;
    readonly violations: number;
  }[];
  readonly violations: readonly string[];
};

export const recordsFolder: string = fileURLToPath(
  new URL("../../../../docs/reliability/", import.meta.url),
);

/**
 * Runs every part in its long form, or the one that is named, one after the other, and writes what
 * each came to as soon as it ends: a run that was broken off goes on with `--part`.
 */
export async function runFull(
  { part, out = recordsFolder }: Flags,
  make: Make,
  say: Say,
): Promise<FullReport> {
  const names = [...parts.map(({ name }) => name), guardsPart];
  if (part !== undefined && !names.includes(part))
    misuse(`--part takes one of ${names.join(", ")}`);
  const done: FullReport["parts"][number][] = [];
  const violations: string[] = [];
  for (const name of names.filter((each) => part === undefined || each === part)) {
    say(`${name}:`);
    const began = performance.now();
    const seconds = (): number => Math.round((performance.now() - began) / 1_000);
    const found = await makePart(name, make, (text) => say(`  ${text}`)).then(
      (report) => {
        writeRecord(
          join(out, `${name}.json`),
          recordOf(
            `npm run -s faults -- ${name === guardsPart ? `--full --part ${guardsPart}` : argsOf(name).join(" ")} --json`,
            seconds(),
            report,
          ),
        );
        return report.violations;
      },
      (error: unknown) => [error instanceof Error ? error.message : String(error)],
    );
    done.push({ name, seconds: seconds(), violations: found.length });
    violations.push(...found.map((violation) => `${name}: ${violation}`));
    say(`${name}: ${found.length} violations, ${seconds()} s`);
  }
  return { parts: done, violations };
}

function makePart(name: string, make: Make, say: Say): Promise<Report> {
  return name === guardsPart
    ? withoutEach(guardRuns, make, say)
    : make(argsOf(name), say, minutesOf(name) * 60_000);
}

function argsOf(name: string): Part["args"] {
  return parts.find((part) => part.name === name)?.args ?? [];
}

function minutesOf(name: string): number {
  return parts.find((part) => part.name === name)?.minutes ?? 0;
}

/** What a run without a guard showed. */
export type Shown = {
  readonly guard: string;
  readonly command: string;
  readonly violations: number;
  readonly first: string;
};

/**
 * Goes without each guard until a run reports it; one that takes too long reports nothing. A guard
 * whose absence nothing shows is the violation here.
 */
export async function withoutEach(
  guards: readonly GuardRuns[],
  make: Make,
  say: Say,
): Promise<Report & { readonly guards: readonly Shown[] }> {
  const shown: Shown[] = [];
  for (const { guard, tries, shows = /^/ } of guards) {
    let found: Shown = { guard, command: "", violations: 0, first: "" };
    for (const args of tries) {
      const reported = await make(args, () => {}, guardMinutes * 60_000).then(
        (report) => report.violations,
        (error: unknown) => (say(`without ${guard}: ${String(error)}`), []),
      );
      const violations = reported.filter((violation) => shows.test(violation));
      found = {
        guard,
        command: args.join(" "),
        violations: violations.length,
        first: (violations[0] ?? "").slice(0, 160),
      };
      if (violations.length > 0) break;
    }
    say(`without ${guard}: ${found.violations} violations`);
    shown.push(found);
  }
  return {
    guards: shown,
    violations: shown
      .filter(({ violations }) => violations === 0)
      .map(({ guard }) => `nothing went wrong without ${guard}`),
  };
}
