import { fixtureClaude } from "@loopwork-tooling/fixture-harness";
import { expect, test } from "vitest";
import { type Row, row } from "../src/row.ts";
import { lookAgain, runRow } from "../src/run-rows.ts";
import { fixtureSubject } from "../src/subject.ts";

const subject = fixtureSubject(fixtureClaude);

/** A row that fails so many times before it passes, and how often it was run. */
function failing(id: string, times: number): { readonly row: Row; readonly runs: () => number } {
  let runs = 0;
  return {
    row: row(id, "a row", async () => {
      if (runs++ < times) throw new Error(`${id} failed`);
    }),
    runs: () => runs,
  };
}

async function looked(
  rows: readonly Row[],
): Promise<{ readonly failures: readonly (string | null)[]; readonly said: string }> {
  let said = "";
  const first = [];
  for (const each of rows) first.push(await runRow(each, subject));
  const second = await lookAgain(rows, first, subject, (text) => void (said += text));
  return { failures: second.map(({ failure }) => failure), said };
}

test("a row that failed is run once more: what passes then passes and is named, what fails again stays failed, the others are left alone", async () => {
  const rows = [failing("well", 0), failing("once", 1), failing("twice", 2)];
  const { failures, said } = await looked(rows.map((each) => each.row));
  expect(failures).toEqual([null, null, expect.stringContaining("twice failed")]);
  expect(rows.map((each) => each.runs())).toEqual([1, 2, 2]);
  expect(said).toMatch(
    /^ONCE MORE once, fixture: failed beside the others, passed alone; at first:\n {5}Error: once failed\n/,
  );
  expect(said).toContain("ONCE MORE twice, fixture: failed again; at first:");
});

test("where many failed nothing is run again", async () => {
  const rows = Array.from({ length: 5 }, (_, n) => failing(`row-${n}`, 1));
  const { failures, said } = await looked(rows.map((each) => each.row));
  expect([failures.filter((failure) => failure !== null).length, said]).toEqual([5, ""]);
});
