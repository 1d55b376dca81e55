import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { GateAnswer } from "@loopwork/core/ports";
import { sessionOf } from "@loopwork/core/testing";
import { createWorkGate, lookWith } from "@loopwork/runtime/graph";
import { graphFiles } from "../../src/files/graph-files.ts";
import type { RuntimeParts } from "@loopwork/runtime";
import { waitingNow } from "@loopwork/runtime/records";
import { until } from "../support/until.ts";
import { chatsOfB, createWorldOfB } from "../support/world-of-b.ts";
import { createWorld, harnessEnvironment, type Service } from "../support/world.ts";

const doneTurns = async (service: Service): Promise<number> =>
  (await service.events("turn.done")).length;
const dump = (service: Service) => async (): Promise<string> =>
  (await service.events()).map((event) => JSON.stringify(event)).join("\n");

/** A gate that answers so, the last answer for good; `seen` is what it was asked. */
function gate(answers: readonly GateAnswer[]): {
  readonly seen: unknown[];
  decorate(parts: RuntimeParts): RuntimeParts;
} {
  const seen: unknown[] = [];
  const decorate = (parts: RuntimeParts): RuntimeParts => ({
    ...parts,
    gate: {
      async check(request) {
        seen.push(request);
        return answers[seen.length - 1] ?? answers.at(-1) ?? { kind: "complete" };
      },
    },
  });
  return { seen, decorate };
}

const missing: GateAnswer = { kind: "incomplete", missing: ["design.md has no heading Risks"] };

describe("the gate after a turn of a harness without a stop hook", () => {
  test(
    "work that is missing: the next message of the same conversation carries it, and the turn is done once it is there",
    { timeout: 120_000 },
    async () => {
      const world = await createWorldOfB();
      const { seen, decorate } = gate([missing, { kind: "complete" }]);
      const service = await world.start(decorate);
      const number = world.startIssue();
      await until(async () => (await doneTurns(service)) === 1, "the turn", dump(service), 60_000);
      const [session] = (await service.parts.store.items.load(world.ref(number))).sessions;
      const said = chatsOfB(world)[session?.harnessSessionId ?? ""] ?? [];
      expect(said).toHaveLength(2);
      expect(said[0]).not.toContain("not complete");
      expect(said[1]).toContain(
        "You ended your turn, and the work is not complete: [quoted 1] says what is missing.",
      );
      expect(said[1]).toContain(
        JSON.stringify('"1": "design.md has no heading Risks"').slice(1, -1),
      );
      expect(seen).toEqual(
        [1, 2].map(() => ({ workItem: world.ref(number), workdir: session?.workdir })),
      );
      expect((await service.parts.store.items.load(world.ref(number))).workItem?.spend.turns).toBe(
        2,
      );
      expect((await service.turns()).map(({ state, attempts }) => [state, attempts])).toEqual([
        ["done", 2],
      ]);
    },
  );

  test(
    "a session that never completes it is reminded five times, and then the thread is told",
    { timeout: 60_000 },
    async () => {
      const world = await createWorldOfB();
      const { seen, decorate } = gate([missing]);
      const service = await world.start(decorate);
      const number = world.startIssue();
      await until(async () => (await doneTurns(service)) === 1, "the turn", dump(service));
      expect(seen).toHaveLength(6);
      expect(Object.values(chatsOfB(world)).flat()).toHaveLength(6);
      await until(
        () =>
          world.host
            .issue(number)
            .comments.some(({ body }) =>
              body.includes(
                "The session ended its turn 6 times while its work was not complete: `design.md has no heading Risks`.",
              ),
            ),
        "the notice",
      );
    },
  );

  test(
    "a gate that throws keeps nobody from going on, and the log says so",
    { timeout: 60_000 },
    async () => {
      const world = await createWorldOfB();
      const service = await world.start((parts) => ({
        ...parts,
        gate: { check: () => Promise.reject(new Error("the disk is gone")) },
      }));
      world.startIssue();
      await until(async () => (await doneTurns(service)) === 1, "the turn", dump(service));
      expect(
        (await service.events("daemon.warning")).map(({ reason, fields }) => [
          reason,
          fields["detail"],
        ]),
      ).toEqual([["gate-unknown", "the disk is gone"]]);
    },
  );
});

describe("the gate after a turn of a harness with a stop hook", () => {
  test(
    "work that its hook did not ask for in time is asked for by the driver",
    { timeout: 120_000 },
    async () => {
      const world = await createWorld();
      const { seen, decorate } = gate([missing, { kind: "complete" }]);
      const service = await world.start(decorate);
      const number = world.startIssue("{{stub:text done}}");
      await until(async () => (await doneTurns(service)) === 1, "the turn", dump(service), 60_000);
      expect(seen).toHaveLength(2);
      expect(
        world.prompts().map(({ text }) => text.includes("the work is not complete: [quoted 1]")),
      ).toEqual([false, true]);
      expect(
        world.host.issue(number).comments.filter(({ body }) => body.includes("not complete")),
      ).toEqual([]);
    },
  );

  test(
    "reminders of the hook and of the driver count together, and then the thread is told",
    { timeout: 120_000 },
    async () => {
      const world = await createWorld();
      // What the hook notes when it keeps a session.
      harnessEnvironment(world, `printf '..' >> "$LOOP_TURN_DIR/reminders"`);
      const { seen, decorate } = gate([missing]);
      const service = await world.start(decorate);
      const number = world.startIssue("{{stub:text done}}");
      await until(async () => (await doneTurns(service)) === 1, "the turn", dump(service), 60_000);
      // Two by the hook and one by the driver, then two more by the hook: five, so that there is no
      // other.
      expect(seen).toHaveLength(2);
      expect((await service.turns()).map(({ state, attempts }) => [state, attempts])).toEqual([
        ["done", 2],
      ]);
      await until(
        () =>
          world.host
            .issue(number)
            .comments.some(({ body }) =>
              body.includes(
                "The session ended its turn 6 times while its work was not complete: `design.md has no heading Risks`.",
              ),
            ),
        "the notice",
      );
    },
  );
});

describe("work that a session leaves undone, however often it was told", () => {
  test(
    "waits for a person where everybody looks: status, the item's page, the log; and no more once somebody speaks",
    { timeout: 400_000 },
    async () => {
      const world = await createWorld({
        chosen: true,
        routing: "  graph: { specDir: docs/specs }",
      });
      const service = await world.start();
      const number = world.startIssue("{{stub:text done}}");
      const ref = world.ref(number);
      // Busy machines: hooks that are too slow are ended, and then the driver takes over.
      await until(
        async () => (await service.events("graph.waits")).length === 1,
        "undone",
        dump(service),
        120_000,
      );
      const [line] = await service.events("graph.waits");
      expect(line).toMatchObject({
        level: "warn",
        reason: "unfinished",
        workItem: ref,
        fields: { node: "intake", detail: "intake.md does not exist" },
      });
      const waiting = async (): Promise<readonly string[]> =>
        (
          await waitingNow(service.parts.store, service.parts.settings().config, Date.now())
        ).waiting.map(({ reason }) => reason);
      expect(await waiting()).toEqual(["unfinished"]);
      expect((await service.parts.store.items.load(ref)).workItem?.graph).toMatchObject({
        node: "intake",
        waits: { for: "unfinished", node: "intake" },
      });
      await until(
        () =>
          world.host
            .issue(number)
            .comments.some(({ body }) => body.includes("ended its turn 6 times")),
        "the notice",
        dump(service),
        60_000,
      );

      world.host.comment(number, "{{stub:hang 3000}} Try once more.", "ada");
      await until(
        async () => (await service.turns()).length === 2,
        "a second turn",
        dump(service),
        60_000,
      );
      expect(await waiting()).toEqual([]);
      await until(
        async () => (await service.events("graph.waits")).length === 2,
        "undone again",
        dump(service),
        120_000,
      );
      expect(await waiting()).toEqual(["unfinished"]);
    },
  );
});

test("without a folder of specifications nothing can be missing; with one the checkout is looked at, and one that is none cannot be", async () => {
  const world = await createWorld();
  const { parts } = await world.start();
  const request = { workItem: world.ref(1), workdir: "/w" };
  expect(
    await createWorkGate(
      parts.settings,
      async () => parts.store,
      lookWith(parts.workspace, graphFiles),
    ).check(request),
  ).toEqual({ kind: "complete" });
  const settings = parts.settings();
  const withGraph = {
    ...settings,
    config: {
      ...settings.config,
      routing: {
        ...settings.config.routing,
        graph: { ...settings.config.routing.graph, specDir: "specs" },
      },
    },
  };
  const gate = createWorkGate(
    () => withGraph,
    async () => parts.store,
    lookWith(parts.workspace, graphFiles),
  );
  expect(await gate.check(request)).toEqual({ kind: "unknown", why: "/w is no work tree of git" });
  // The host lives in this very process: it cannot answer one that waits for a child.
  await promisify(execFile)("git", ["clone", "-q", world.host.cloneUrl, world.scene.cwd]);
  expect(await gate.check({ ...request, workdir: world.scene.cwd })).toEqual({
    kind: "incomplete",
    missing: ["intake.md does not exist"],
  });
  // Wherever a hook says that it is: the item's own checkout is looked at.
  const session = sessionOf({
    endpoint: request.workItem,
    workItem: request.workItem,
    workdir: world.scene.cwd,
  });
  await parts.store.items.update(request.workItem, (item) => ({
    after: { ...item, sessions: [session] },
    lines: [],
  }));
  expect(await gate.check(request)).toEqual({
    kind: "incomplete",
    missing: ["intake.md does not exist"],
  });
});
