import { adoptedBy } from "@loopwork/core";
import { expect, test } from "vitest";
import type { RuntimeParts } from "../../src/runtime/parts.ts";
import { twoMachines } from "../support/two-machines.ts";
import { until } from "../support/until.ts";

type Decide = RuntimeParts["store"]["log"]["decide"];

/**
 * South has read a comment and is about to decide it when it adopts the item; adopting gives back an older comment, which it turned away
 * while the item was north's. The comments in the order in which they were decided for good.
 */
async function decidedInOrder(guard: (decide: Decide) => Decide): Promise<readonly string[]> {
  const { north, startSouth } = await twoMachines();
  const first = await north.start();
  const number = north.startIssue("{{stub:text ok}}");
  await first.event("turn.done");
  await first.stop();

  let adopts = false;
  const service = await startSouth((parts) => {
    const { log, instances } = parts.store;
    const undecided: typeof log.undecided = async (limit) => {
      const read = await log.undecided(limit);
      if (!adopts || read.length === 0) return read;
      adopts = false;
      await instances.adopt("north", north.ref(number), { fold: (item) => adoptedBy(item, "north", "south"), note: "was under way", check: () => {}, lines: () => [] });
      return read;
    };
    return { ...parts, store: { ...parts.store, log: { ...log, undecided, decide: guard(log.decide) } } };
  });
  const caughtUp = async (): Promise<boolean> => (await service.parts.store.stats()).undecided === 0;
  await north.host.idle();
  await until(caughtUp, "what came before");
  const before = (await service.events()).at(-1)?.id ?? 0;
  north.host.comment(number, "The older one {{stub:text ok}}", "ada");
  const older = await service.event("delivery.decided", ({ id, reason }) => id > before && reason === "owned-elsewhere");
  await until(caughtUp, "nothing undecided");
  adopts = true;
  north.host.comment(number, "The newer one {{stub:text ok}}", "ada");
  const heard = async (): Promise<readonly string[]> => (await service.events("delivery.decided")).filter(({ instance, reason }) => instance === "south" && reason === "input-of-authorized").map(({ delivery }) => (delivery === older.delivery ? "older" : "newer"));
  await until(async () => (await heard()).length === 2, "both comments", async () => [...service.said, ...(await service.events()).map((event) => JSON.stringify(event))].join("\n"));
  return heard();
}

test("S09: what an adoption gives back is decided before what was read already", { timeout: 120_000 }, async () => {
  expect(await decidedInOrder((decide) => decide)).toEqual(["older", "newer"]);
});

test("the check can fail: a decision that does not say what it was read among overtakes", { timeout: 120_000 }, async () => {
  expect(await decidedInOrder((decide) => (seq, workItem, step) => decide(seq, workItem, step))).toEqual(["newer", "older"]);
});
