import { expect, test } from "vitest";
import { inputOf } from "../../src/hostile/inputs/index.ts";
import { type PlantedName, plantedNames } from "../../src/hostile/planted.ts";
import { runHostile } from "../../src/hostile/run.ts";

/**
 * A short form of `npm run faults -- --hostile 200000`, which is run by hand (docs/reliability.md).
 */
const short = { inputs: 700, from: 0, seed: 3, idleMs: 800, calmMs: 300, say: () => {} };

/** What each planted bug is seen as. */
const seenAs: Readonly<Record<PlantedName, string>> = {
  linear: "block",
  memory: "memory",
  answers: "answer",
  store: "stored",
  signature: "answer",
  authority: "stranger",
  redact: "secret",
  catch: "crash",
};

/** How long and how much is for a machine that does nothing else; the rest holds on any. */
const measured = /^(block|memory): /;

test(
  "R06 R07 R08 R09 R10 A01 A02 A03 A05 hostile inputs of every kind end no process, leave nothing that was refused, let no stranger be heard and show no secret",
  { timeout: 300_000 },
  async () => {
    const said: string[] = [];
    const report = await runHostile({ ...short, without: null, say: (text) => said.push(text) });
    expect(
      report.violations.filter((violation) => !measured.test(violation)),
      said.join("\n"),
    ).toEqual([]);
    expect(report).toMatchObject({ inputs: short.inputs, crashes: 0, serverErrors: 0 });
    expect([Object.keys(report.byKind).length, report.stored > 200, report.decided]).toEqual([
      13,
      true,
      report.stored,
    ]);
  },
);

test.each(plantedNames)("planted: %s is seen", { timeout: 300_000 }, async (without) => {
  const { violations, serverErrors } = await runHostile({ ...short, without });
  expect(violations.map((violation) => violation.split(":")[0])).toContain(seenAs[without]);
  expect(serverErrors > 0).toBe(without === "answers");
});

test("an input hangs on seed and number alone", () => {
  const stage = {
    owner: "practice",
    repo: "garden",
    hostUrl: "http://127.0.0.1:1",
    cloneUrl: "http://127.0.0.1:1/practice/garden.git",
    secret: "s",
  };
  const [first, again, other] = [
    inputOf(1, 17, "run", stage, "t"),
    inputOf(1, 17, "run", stage, "t"),
    inputOf(2, 17, "run", stage, "t"),
  ];
  expect(again.bytes.equals(first.bytes)).toBe(true);
  expect(other.bytes.equals(first.bytes)).toBe(false);
});
