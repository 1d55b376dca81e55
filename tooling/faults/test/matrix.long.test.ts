import { describe, expect, test } from "vitest";
import type { MatrixPlan } from "../src/matrix/run.ts";
import { runMatrix } from "../src/matrix/run.ts";
import { matrixGuards, matrixWithout } from "../src/matrix/without.ts";

/** A short form of `npm run faults -- --matrix`, which is run by hand (docs/reliability.md). */
const short: Omit<MatrixPlan, "stores" | "only" | "faults"> = { seed: 1, beside: 2, without: null };

test.each<[string, Pick<MatrixPlan, "stores" | "only" | "faults">, number]>([
  [
    "killed once a delivery is stored and before the answer, and with a message said",
    { stores: ["sqlite"], only: ["accept.after-commit", "turn.after-prompt"], faults: ["kill"] },
    2,
  ],
  [
    "with a full disk as a decision is written",
    { stores: ["sqlite"], only: ["decide.before-commit"], faults: ["enospc"] },
    1,
  ],
  [
    "stopped between a post and its record, with a second start beside it",
    { stores: ["sqlite"], only: ["outbox.after-post"], faults: ["stop"] },
    1,
  ],
  [
    "with a server that goes down as a turn is done",
    { stores: ["postgres"], only: ["turn.after-done"], faults: ["eio"] },
    1,
  ],
])(
  "D01 D02 %s: nothing is lost, said twice or stuck",
  { timeout: 300_000 },
  async (_name, plan, cells) => {
    const said: string[] = [];
    const report = await runMatrix({ ...short, ...plan }, (text) => said.push(text));
    expect(report, said.join("\n")).toMatchObject({
      cellsRun: cells,
      notReached: 0,
      violations: [],
    });
  },
);

// `still-ours` has a test below.
test.each(matrixGuards.filter((guard) => guard !== "still-ours"))(
  "without %s the cell that it is for goes red",
  { timeout: 300_000 },
  async (without) => {
    const { point, fault, store } = matrixWithout[without];
    const { notReached, violations } = await runMatrix(
      { ...short, stores: [store], only: [point], faults: [fault], without },
      () => {},
    );
    expect([notReached, violations.length > 0]).toEqual([0, true]);
  },
);

// Leases must run out in both, so they wait beside each other.
describe.concurrent("a process that is stopped before a post leaves, while another takes its place on PostgreSQL", () => {
  const plan = {
    ...short,
    stores: ["postgres"],
    only: ["outbox.before-post"],
    faults: ["stop"],
  } as const;

  test("S09 posts nothing once it wakes", { timeout: 300_000 }, async ({ expect: expectHere }) => {
    const said: string[] = [];
    const report = await runMatrix(plan, (text) => said.push(text));
    expectHere(report, said.join("\n")).toMatchObject({
      cellsRun: 1,
      notReached: 0,
      violations: [],
    });
  });

  test(
    "without still-ours it posts a second time",
    { timeout: 300_000 },
    async ({ expect: expectHere }) => {
      const { notReached, violations } = await runMatrix(
        { ...plan, without: "still-ours" },
        () => {},
      );
      expectHere([
        notReached,
        violations.some((violation) => violation.includes("stands 2 times on the host")),
      ]).toEqual([0, true]);
    },
  );
});
