import { adoptedBy } from "@loopwork/core";
import { expect, test } from "vitest";
import type { RuntimeParts } from "@loopwork/runtime";
import { twoMachines } from "../support/two-machines.ts";
import { until } from "../support/until.ts";

type Decide = RuntimeParts["store"]["log"]["decide"];

/**
 * South has read a comment and is about to decide it when it adopts the item; adopting gives back
 * an older comment, which it turned away while the item was north's. The comments in the order in
 * which they were decided for good.
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
      await instances.adopt("north", north.ref(number), {
        fold: (item) => adoptedBy(item, "north", "south"),
        note: "was under way",
        check: () => {},
        lines: () => [],
      });
      return read;
    };
    return {
      ...parts,
      store: { ...parts.store, log: { ...log, undecided, decide: guard(log.decide) } },
    };
  });
  const caughtUp = async (): Promise<boolean> =>
    (await service.parts.store.stats()).undecided === 0;
  await north.host.idle();
  await until(caughtUp, "what came before");
  const before = (await service.events()).at(-1)?.id ?? 0;
  north.host.comment(number, "The older one {{stub:text ok}}", "ada");
  const older = await service.event(
    "delivery.decided",
    ({ id, reason }) => id > before && reason === "owned-elsewhere",
  );
  await until(caughtUp, "nothing undecided");
  adopts = true;
  north.host.comment(number, "The newer one {{stub:text ok}}", "ada");
  const heard = async (): Promise<readonly string[]> =>
    (await service.events("delivery.decided"))
      .filter(({ instance, reason }) => instance === "south" && reason === "input-of-authorized")
      .map(({ delivery }) => (delivery === older.delivery ? "older" : "newer"));
  await until(
    async () => (await heard()).length === 2,
    "both comments",
    async () =>
      [...service.said, ...(await service.events()).map((event) => JSON.stringify(event))].join(
        "\n",
      ),
  );
  return heard();
}

test(
  "S09: what an adoption gives back is decided before what was read already",
  { timeout: 120_000 },
  async () => {
    expect(await decidedInOrder((decide) => decide)).toEqual(["older", "newer"]);
  },
);

test(
  "S09: what was turned away a moment ago and is given back is decided before what was read along with it",
  { timeout: 120_000 },
  async () => {
    const { north, startSouth } = await twoMachines();
    const first = await north.start();
    const number = north.startIssue("{{stub:text ok}}");
    await first.event("turn.done");
    await first.stop();

    let [held, both, adopted] = [false, false, false];
    let readAll: () => ReturnType<RuntimeParts["store"]["log"]["undecided"]> = async () => [];
    const service = await startSouth((parts) => {
      const { log, instances } = parts.store;
      readAll = () => log.undecided(9);
      const undecided: typeof log.undecided = async (limit) => (held ? [] : log.undecided(limit));
      // Between the two comments of one look at the log.
      const decide: typeof log.decide = async (seq, workItem, step, left) => {
        const decided = await log.decide(seq, workItem, step, left);
        if (adopted || !both || decided?.decision.reason !== "owned-elsewhere") return decided;
        adopted = true;
        await instances.adopt("north", north.ref(number), {
          fold: (item) => adoptedBy(item, "north", "south"),
          note: "was under way",
          check: () => {},
          lines: () => [],
        });
        return decided;
      };
      return { ...parts, store: { ...parts.store, log: { ...log, undecided, decide } } };
    });
    await north.host.idle();
    await until(
      async () => (await service.parts.store.stats()).undecided === 0,
      "what came before",
    );
    held = true;
    for (const words of ["The older one", "The newer one"]) {
      north.host.comment(number, `${words} {{stub:text ok}}`, "ada");
      await north.host.idle();
    }
    await until(async () => (await service.parts.store.stats()).undecided === 2, "both comments");
    const order = (await readAll()).map(({ id }) => id);
    [both, held] = [true, false];
    const heard = async (): Promise<readonly (string | null)[]> =>
      (await service.events("delivery.decided"))
        .filter(({ instance, reason }) => instance === "south" && reason === "input-of-authorized")
        .map(({ delivery }) => delivery);
    await until(
      async () => (await heard()).length === 2,
      "both decisions",
      async () =>
        [...service.said, ...(await service.events()).map((event) => JSON.stringify(event))].join(
          "\n",
        ),
    );
    expect(await heard()).toEqual(order);
  },
);

test(
  "the check can fail: a decision that does not say what waits before it overtakes",
  { timeout: 120_000 },
  async () => {
    expect(
      await decidedInOrder((decide) => (seq, workItem, step) => decide(seq, workItem, step)),
    ).toEqual(["newer", "older"]);
  },
);
