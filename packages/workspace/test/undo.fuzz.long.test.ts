import { existsSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorkspace } from "../src/index.ts";
import { makeDirty, plantBase, portrait, seeded } from "./dirt.ts";
import { createScratch, requestFor, type Scratch } from "./scratch.ts";

/**
 * `LOOP_FUZZ_TREES=300` looks at 300 trees; a usual run at some of them. A seed in LOOP_FUZZ_SEED
 * begins elsewhere.
 */
const trees = Number(process.env["LOOP_FUZZ_TREES"] ?? "20");
const first = Number(process.env["LOOP_FUZZ_SEED"] ?? "1");

let scratch: Scratch;
beforeEach(() => void (scratch = createScratch()));
afterEach(() => scratch.stop());

/** What came back otherwise, a line each, with every character shown. */
function differences(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => before[key] !== after[key])
    .map(
      (key) =>
        `${JSON.stringify(key)}: ${JSON.stringify(before[key])} became ${JSON.stringify(after[key])}`,
    );
}

const batch = 10;
describe("a dirty tree that was released comes back byte for byte", () => {
  for (let from = first; from < first + trees; from += batch) {
    const strategy = (from - first) % (2 * batch) === 0 ? "worktree" : "clone";
    test(
      `seeds ${from} to ${Math.min(from + batch, first + trees) - 1} (${strategy})`,
      { timeout: 300_000 },
      async () => {
        plantBase(scratch);
        const workspace = createWorkspace({ ...scratch.options, strategy });
        for (let seed = from; seed < Math.min(from + batch, first + trees); seed++) {
          const request = requestFor(scratch, seed);
          const made = await workspace.prepare(request);
          if (made.kind !== "ready") throw new Error(`${made.code}: ${made.detail}`);
          const done = makeDirty(made.workdir, seeded(seed), scratch);
          const told = `seed ${seed}: ${done.join(", ")}`;
          const before = portrait(made.workdir, scratch);
          const released = await workspace.release(request.workItem);
          if (released.kind !== "released") throw new Error(`${told}: ${JSON.stringify(released)}`);
          expect(existsSync(made.workdir), told).toBe(false);
          const undone = await workspace.undoCleanup(request.workItem);
          if (released.salvage === null) {
            expect(undone, told).toEqual({ kind: "nothing" });
            expect(before["status"], told).toBe("");
          } else {
            expect(undone, told).toEqual({
              kind: "restored",
              checkouts: [made.workdir],
              notes: [],
            });
            expect(differences(before, portrait(made.workdir, scratch)), told).toEqual([]);
          }
        }
      },
    );
  }
});
