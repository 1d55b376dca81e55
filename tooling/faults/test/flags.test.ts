import { expect, test } from "vitest";
import { Misuse, readFlags } from "../src/flags.ts";
import { runs } from "../src/runs.ts";

/** Starts of runs that have to be refused before anything runs; resolves to what is said. */
async function refusal(...args: readonly string[]): Promise<string> {
  try {
    const flags = readFlags(args);
    await runs.find((run) => run.isAsked(flags))?.make(flags, () => {});
    return "it ran";
  } catch (error) {
    if (!(error instanceof Misuse) && !(error instanceof TypeError)) throw error;
    return error.message;
  }
}

test.each([
  [["--kills", "x"], "--kills"],
  [["--kills", "1.5"], "--kills"],
  [["--restarts", "0"], "--restarts"],
  [["--scenes", "0"], "--scenes"],
  [["--store", "paper"], "--store"],
  [["--without", "luck"], "commit-before-answer"],
  [["--store", "postgres", "--without", "receipt"], "accept-lock"],
  [["--matrix", "--only", "nowhere"], "accept.before-commit"],
  [["--matrix", "--fault", "flood"], "enospc"],
  [["--matrix", "--store", "paper"], "--store"],
  [["--nothing"], "--nothing"],
])("%j is refused with what would be right", async (args, named) => {
  expect(await refusal(...args)).toContain(named);
});
