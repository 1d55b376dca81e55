import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { until } from "../support/until.ts";
import { twoMachines } from "../support/two-machines.ts";

/** North works on an item; south shares its store, and both dispatch. */
async function bothAtWork() {
  const { north, south, startSouth } = await twoMachines();
  const first = await north.start();
  const number = north.startIssue("{{stub:text ok}}");
  await first.event("turn.done");
  const workdir = String((await first.event("checkout.prepared")).fields["workdir"]);
  const second = await startSouth();
  north.host.aim(null); // Both read the store; nothing else comes.
  const decidedBy = async (delivery: unknown): Promise<readonly unknown[]> =>
    Promise.all(
      [first, second].map(
        async ({ parts }) =>
          (await parts.store.log.decision(String(delivery)))?.decision.verdict.kind ?? null,
      ),
    );
  return { north, south, first, second, number, workdir, decidedBy };
}

type Sent = {
  readonly delivery: string;
  readonly instance: string;
  readonly state: string;
  readonly reason: string;
};
const sentOf = (out: string): Sent => JSON.parse(out);

test(
  "a verb about an item of another instance is handed to that one, and its outcome is what the command shows: nothing is refused here and carried out there",
  { timeout: 180_000 },
  async () => {
    const { north, south, first, second, number, workdir, decidedBy } = await bothAtWork();
    for (const [verb, status] of [
      ["pause", "paused"],
      ["resume", "started"],
    ] as const) {
      const ran = await south.loop("sessions", verb, north.ref(number), "--json");
      expect({ code: ran.code, ...sentOf(ran.out) }).toMatchObject({
        code: 0,
        instance: "north",
        state: "done",
      });
      expect((await first.parts.store.items.load(north.ref(number))).workItem?.control.status).toBe(
        status,
      );
    }
    // What the owner refuses is refused, and stays so.
    const refused = await south.loop("sessions", "resume", north.ref(number), "--json");
    await until(
      async () =>
        (await second.parts.store.stats()).undecided === 0 &&
        (await first.parts.store.stats()).undecided === 0,
      "both have decided",
    );
    const said = sentOf(refused.out);
    expect((await decidedBy(said.delivery))[1]).toBe("ignored");
    expect({ code: refused.code, state: said.state }).toEqual(
      (await decidedBy(said.delivery))[0] === "refused"
        ? { code: 1, state: "refused" }
        : { code: 0, state: "done" },
    );

    const cleaned = await south.loop("sessions", "cleanup", north.ref(number));
    expect(cleaned.code).toBe(0);
    expect(cleaned.out).toContain("(instance north)");
    await until(() => Promise.resolve(!existsSync(workdir)), "the checkout is gone");
  },
);

test(
  "a verb that names this instance for an item of another one is refused for good: the owner leaves it alone",
  { timeout: 180_000 },
  async () => {
    const { north, south, first, second, number, workdir, decidedBy } = await bothAtWork();
    const ran = await south.loop(
      "sessions",
      "cleanup",
      north.ref(number),
      "--instance",
      "south",
      "--json",
    );
    expect({ code: ran.code, ...sentOf(ran.out) }).toMatchObject({
      code: 1,
      instance: "south",
      reason: "owned-elsewhere",
    });
    await until(
      async () =>
        (await first.parts.store.stats()).undecided === 0 &&
        (await second.parts.store.stats()).undecided === 0,
      "both have decided",
    );
    expect(await decidedBy(sentOf(ran.out).delivery)).toEqual(["ignored", "refused"]);
    expect(existsSync(workdir)).toBe(true);
    expect((await first.parts.store.items.load(north.ref(number))).workItem?.control.status).toBe(
      "started",
    );
  },
);

test(
  "words for a session of another instance reach it by its owner alone",
  { timeout: 180_000 },
  async () => {
    const { north, south, first, number } = await bothAtWork();
    const ran = await south.loop(
      "sessions",
      "say",
      north.ref(number),
      "Mind the cat. {{stub:text ok}}",
      "--json",
    );
    expect({ code: ran.code, ...sentOf(ran.out) }).toMatchObject({
      code: 0,
      instance: "north",
      state: "done",
    });
    await until(
      () => Promise.resolve(north.prompts().some(({ text }) => text.includes("Mind the cat."))),
      "the words",
      async () => first.said.join("\n"),
    );
  },
);
