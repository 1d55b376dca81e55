import { join } from "node:path";
import { adoptedBy } from "@loopwork/core";
import { openStore } from "@loopwork/store";
import { expect, test } from "vitest";
import { carryOutRequest } from "../../src/runtime/turn/carry-out-request.ts";
import { until } from "../support/until.ts";
import { createWorld, type World } from "../support/world.ts";

/** Another instance takes the work item over, as a person lets it when this one seems to be gone. */
async function adopt(world: World, number: number): Promise<void> {
  const south = await openStore(`sqlite:${join(world.stateRoot, "loop.db")}`, { instance: "south", now: Date.now });
  await south.instances.adopt("default", world.ref(number), { fold: (item) => adoptedBy(item, "default", "south"), note: "was under way", check: () => {}, lines: () => [] });
  await south.close();
}

test("S09: an owner that wakes while its checkout is made opens no session on an item that was adopted meanwhile", { timeout: 60_000 }, async () => {
  const world = await createWorld();
  let adopted = 0;
  const service = await world.start((parts) => ({
    ...parts,
    workspace: {
      ...parts.workspace,
      prepare: async (request) => {
        const prepared = await parts.workspace.prepare(request);
        if (adopted++ === 0) await adopt(world, request.workItem.number);
        return prepared;
      },
    },
  }));
  const number = world.startIssue();
  await until(async () => (await service.parts.store.stats()).lateWrites > 0, "a late write", () => service.said.join("\n"));
  const item = await service.parts.store.items.load(world.ref(number));
  expect([item.workItem?.control.instance, item.sessions]).toEqual(["south", []]);
  expect(await service.events("session.opened")).toEqual([]);
  expect(world.prompts()).toEqual([]);
});

test("S09: what the agent of such an owner asks and records late counts for nothing, and it is told so", { timeout: 60_000 }, async () => {
  const world = await createWorld();
  const service = await world.start();
  const number = world.startIssue();
  await service.event("turn.done");
  const [turn] = await service.turns();
  if (turn === undefined) throw new Error("there is no turn");
  await adopt(world, number);
  const before = await service.parts.store.items.load(world.ref(number));
  for (const request of [{ kind: "ask", text: "How often?" }, { kind: "link-pr", pullRequest: "9" }, { kind: "comment", text: "I am done", on: null }] as const) {
    expect(await carryOutRequest(request, `turn-late-${request.kind}`, turn, service.parts), request.kind).toMatchObject({ ok: false, code: "LOOP_E_ITEM_ELSEWHERE" });
  }
  expect(await service.parts.store.items.load(world.ref(number))).toEqual(before);
  expect(world.host.issue(number).comments.filter(({ author }) => author.login === "loop-agent")).toEqual([]);
  expect((await service.parts.store.stats()).lateWrites).toBeGreaterThanOrEqual(3);
});
