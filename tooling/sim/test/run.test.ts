import { expect, test } from "vitest";
import { noPlant, type Plant } from "../src/plants.ts";
import { runSeed } from "../src/run.ts";

test(
  "the same seed tells the same story to the last byte, another one another",
  { timeout: 60_000 },
  async () => {
    const [once, twice, other] = [
      await runSeed(7, noPlant),
      await runSeed(7, noPlant),
      await runSeed(8, noPlant),
    ];
    expect(twice.traceHash).toBe(once.traceHash);
    expect(twice.steps).toBe(once.steps);
    expect(other.traceHash).not.toBe(once.traceHash);
  },
);

test("fifty runs with crashes and disorder break nothing", { timeout: 120_000 }, async () => {
  const broken: string[] = [];
  for (let seed = 1001; seed <= 1050; seed++)
    for (const violation of (await runSeed(seed, noPlant)).violations)
      broken.push(`seed ${seed}: ${violation}`);
  expect(broken).toEqual([]);
});

// One run in a thousand comes to this, and another one when anything before it changes: any seed
// will do whose operator asks so in the end.
test(
  "where comments cannot help any more, the operator goes on by the command line, and all comes to rest",
  { timeout: 60_000 },
  async () => {
    const runs = [];
    for (const seed of [6357, 304]) runs.push(await runSeed(seed, noPlant, true));
    const inTheEnd = (trace: readonly string[]): readonly string[] =>
      trace.slice(trace.findIndex((line) => line.includes("nothing goes wrong any more")));
    expect(
      runs.some(({ trace }) =>
        inTheEnd(trace).some((line) => line.includes("on the command line: resume")),
      ),
    ).toBe(true);
    expect(runs.flatMap(({ violations }) => violations)).toEqual([]);
  },
);

/** Nothing of the simulation answers test deliveries, runs in a terminal or is traced either. */
const bare: Plant = {
  name: "without graph, learnings and gate",
  decorate: (parts) => ({ ...parts, graphFiles: null, learnings: null, gate: null }),
};

test(
  "the runtime starts and works turns without graph, learnings, gate, canary, terminal and tracing",
  { timeout: 60_000 },
  async () => {
    const runs = [];
    for (const seed of [7, 8, 1001]) runs.push(await runSeed(seed, bare, true));
    expect(runs.flatMap(({ violations }) => violations)).toEqual([]);
    for (const { trace } of runs) expect(trace.join("\n")).toContain("turn.done");
  },
);
