import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { GateAnswer } from "@loopwork/core/ports";
import { createWorkGate } from "../../src/start/work-gate.ts";
import type { RuntimeParts } from "../../src/runtime/parts.ts";
import { until } from "../support/until.ts";
import { chatsOfB, createWorldOfB } from "../support/world-of-b.ts";
import { createWorld, type Service } from "../support/world.ts";

const doneTurns = async (service: Service): Promise<number> => (await service.events("turn.done")).length;
const dump = (service: Service) => async (): Promise<string> => (await service.events()).map((event) => JSON.stringify(event)).join("\n");

/** A gate that answers so, the last answer for good; `seen` is what it was asked. */
function gate(answers: readonly GateAnswer[]): { readonly seen: unknown[]; decorate(parts: RuntimeParts): RuntimeParts } {
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
  test("work that is missing: the next message of the same conversation carries it, and the turn is done once it is there", { timeout: 60_000 }, async () => {
    const world = await createWorldOfB();
    const { seen, decorate } = gate([missing, { kind: "complete" }]);
    const service = await world.start(decorate);
    const number = world.startIssue();
    await until(async () => (await doneTurns(service)) === 1, "the turn", dump(service));
    const [session] = (await service.parts.store.items.load(world.ref(number))).sessions;
    const said = chatsOfB(world)[session?.harnessSessionId ?? ""] ?? [];
    expect(said).toHaveLength(2);
    expect(said[0]).not.toContain("not complete");
    expect(said[1]).toContain("You ended your turn, and the work is not complete: design.md has no heading Risks.");
    expect(seen).toEqual([1, 2].map(() => ({ workItem: world.ref(number), workdir: session?.workdir })));
    expect((await service.parts.store.items.load(world.ref(number))).workItem?.spend.turns).toBe(2);
    expect((await service.turns()).map(({ state, attempts }) => [state, attempts])).toEqual([["done", 2]]);
  });

  test("a session that never completes it is reminded five times, and then the thread is told", { timeout: 60_000 }, async () => {
    const world = await createWorldOfB();
    const { seen, decorate } = gate([missing]);
    const service = await world.start(decorate);
    const number = world.startIssue();
    await until(async () => (await doneTurns(service)) === 1, "the turn", dump(service));
    expect(seen).toHaveLength(6);
    expect(Object.values(chatsOfB(world)).flat()).toHaveLength(6);
    await until(() => world.host.issue(number).comments.some(({ body }) => body.includes("The session ended its turn 6 times while its work was not complete: design.md has no heading Risks.")), "the notice");
  });

  test("a gate that throws keeps nobody from going on, and the log says so", { timeout: 60_000 }, async () => {
    const world = await createWorldOfB();
    const service = await world.start((parts) => ({ ...parts, gate: { check: () => Promise.reject(new Error("the disk is gone")) } }));
    world.startIssue();
    await until(async () => (await doneTurns(service)) === 1, "the turn", dump(service));
    expect((await service.events("daemon.warning")).map(({ reason, fields }) => [reason, fields["detail"]])).toEqual([["gate-unknown", "the disk is gone"]]);
  });

  test("harness A has a stop hook that asks: the driver does not", { timeout: 60_000 }, async () => {
    const world = await createWorld();
    const { seen, decorate } = gate([missing]);
    const service = await world.start(decorate);
    world.startIssue();
    await until(async () => (await doneTurns(service)) === 1, "the turn", dump(service));
    expect(seen).toEqual([]);
  });
});

test("without a folder of specifications nothing can be missing; with one the checkout is looked at, and one that is none cannot be", async () => {
  const world = await createWorld();
  const { parts } = await world.start();
  const request = { workItem: world.ref(1), workdir: "/w" };
  const headOf = (workdir: string): Promise<string | null> => parts.workspace.headOf(workdir);
  expect(await createWorkGate(parts.settings, async () => parts.store, headOf).check(request)).toEqual({ kind: "complete" });
  const settings = parts.settings();
  const withGraph = { ...settings, config: { ...settings.config, routing: { ...settings.config.routing, graph: { ...settings.config.routing.graph, specDir: "specs" } } } };
  const gate = createWorkGate(() => withGraph, async () => parts.store, headOf);
  expect(await gate.check(request)).toEqual({ kind: "unknown", why: "/w is no work tree of git" });
  // The host lives in this very process: it cannot answer one that waits for a child.
  await promisify(execFile)("git", ["clone", "-q", world.host.cloneUrl, world.scene.cwd]);
  expect(await gate.check({ ...request, workdir: world.scene.cwd })).toEqual({ kind: "incomplete", missing: ["intake.md does not exist"] });
});
