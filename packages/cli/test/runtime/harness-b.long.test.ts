import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RuntimeParts } from "@loopwork/runtime";
import { isAlive } from "../../src/processes/process-identity.ts";
import { until } from "../support/until.ts";
import { chatsOfB, createWorldOfB } from "../support/world-of-b.ts";
import { createWorld, type Service } from "../support/world.ts";

const dump = (service: Service) => async (): Promise<string> =>
  [...service.said, ...(await service.events()).map((event) => JSON.stringify(event))].join("\n");

/** Turns that begin from now on get so many seconds; the configuration takes ten at least. */
function timeouts(): { seconds: number; readonly decorate: (parts: RuntimeParts) => RuntimeParts } {
  const timeout = {
    seconds: 60,
    decorate: (parts: RuntimeParts): RuntimeParts => ({
      ...parts,
      settings() {
        const settings = parts.settings();
        return {
          ...settings,
          config: {
            ...settings.config,
            routing: { ...settings.config.routing, turnTimeoutSeconds: timeout.seconds },
          },
        };
      },
    }),
  };
  return timeout;
}

test(
  "harness B works an issue: a chat is made first, and a comment resumes that chat",
  { timeout: 60_000 },
  async () => {
    const world = await createWorldOfB();
    const service = await world.start();
    const number = world.startIssue("{{stub:bash echo here > note.txt}}");
    const { fields } = await service.event("checkout.prepared");
    await until(
      async () => (await service.events("turn.done")).length === 1,
      "the first turn",
      dump(service),
    );
    expect(readFileSync(join(String(fields["workdir"]), "note.txt"), "utf8")).toBe("here\n");

    world.host.comment(number, "And the roses, please.", "ada");
    await until(
      async () => (await service.events("turn.done")).length === 2,
      "the second turn",
      dump(service),
    );
    const said = chatsOfB(world);
    const [session] = (await service.parts.store.items.load(world.ref(number))).sessions;
    expect(session?.harness).toBe("B");
    expect(said[session?.harnessSessionId ?? ""]?.length).toBe(2);
    expect(said[session?.harnessSessionId ?? ""]?.[1]).toContain("And the roses, please.");
  },
);

test("the label `loop: harness-b` chooses it for one item", { timeout: 60_000 }, async () => {
  const world = await createWorldOfB("");
  const service = await world.start();
  const { number } = world.host.openIssue({
    title: "Water",
    body: "Please.",
    labels: ["loop: auto-execute", "loop: harness-b"],
    by: "ada",
  });
  world.host.comment(number, "loop start", "ada");
  await until(
    async () => (await service.events("turn.done")).length === 1,
    "the turn",
    dump(service),
  );
  expect(
    (await service.parts.store.items.load(world.ref(number))).sessions.map(
      ({ harness }) => harness,
    ),
  ).toEqual(["B"]);
});

test(
  "X03: a turn of harness B that ends without a result is uncertain, and its lane waits for a person",
  { timeout: 60_000 },
  async () => {
    const world = await createWorldOfB();
    const service = await world.start();
    const number = world.startIssue("{{stub:error 500}}");
    await service.event("turn.uncertain");
    const { lanes } = await service.parts.store.items.load(world.ref(number));
    expect(lanes.map(({ hold }) => hold?.reason)).toEqual(["uncertain"]);
    expect((await world.scene.loop("status")).out).toContain("turns retry");
  },
);

test(
  "X01: harness B that ignores TERM and outlives its time is killed, the turn fails, and the lane goes on in the same chat",
  { timeout: 60_000 },
  async () => {
    const world = await createWorldOfB();
    const timeout = timeouts();
    const service = await world.start(timeout.decorate);
    const number = world.startIssue();
    await until(
      async () => (await service.events("turn.done")).length === 1,
      "the first turn",
      dump(service),
    );
    timeout.seconds = 1.5;
    world.host.comment(number, "{{fixture:ignore-term}} {{stub:hang 600000}}", "ada");
    await until(
      async () => (await service.events("turn.failed"))[0] ?? null,
      "the turn fails",
      dump(service),
      40_000,
    );
    timeout.seconds = 60;
    const child = (await service.turns())[1]?.attempt?.child;
    expect(child && isAlive(child)).toBe(false);
    world.host.comment(number, "Once more. {{stub:text fine}}", "ada");
    await until(
      async () => (await service.events("turn.done")).length === 2,
      "the third turn",
      dump(service),
    );
    expect(Object.values(chatsOfB(world)).map((lines) => lines.length)).toEqual([2]);
  },
);

test(
  "X02: harness B that floods its output is read with a bounded window, and its end of turn still counts",
  { timeout: 60_000 },
  async () => {
    const world = await createWorldOfB();
    const service = await world.start();
    world.startIssue("{{fixture:flood 4}} {{fixture:flood 4 no-newline}} {{stub:text dry again}}");
    await until(
      async () => (await service.events("turn.done")).length === 1,
      "the turn",
      dump(service),
      40_000,
    );
    expect(Object.values(chatsOfB(world)).map((lines) => lines.length)).toEqual([1]);
  },
);

test(
  "X03: harness B that is not installed holds its lanes and says what to do",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld({ routing: "  defaultHarness: B" });
    Object.assign(world.scene.env, { PATH: "/usr/bin:/bin" });
    const service = await world.start();
    const number = world.startIssue();
    const held = await service.event("lane.held");
    expect(held.reason).toBe("not-installed");
    expect(
      (await service.parts.store.items.load(world.ref(number))).lanes.map(
        ({ hold }) => hold?.reason,
      ),
    ).toEqual(["not-installed"]);
  },
);
