import { expect, test } from "vitest";
import { carryOutRequest } from "../../../runtime/src/turn/carry-out-request.ts";
import { adopt } from "../support/adopt.ts";
import { until } from "../support/until.ts";
import { createWorld } from "../support/world.ts";

test(
  "S09: an owner that wakes while its checkout is made opens no session on an item that was adopted meanwhile",
  { timeout: 60_000 },
  async () => {
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
    await until(
      async () => (await service.parts.store.stats()).lateWrites > 0,
      "a late write",
      () => service.said.join("\n"),
    );
    const item = await service.parts.store.items.load(world.ref(number));
    expect([item.workItem?.control.instance, item.sessions]).toEqual(["south", []]);
    expect(await service.events("session.opened")).toEqual([]);
    expect(world.prompts()).toEqual([]);
  },
);

test(
  "S09: what the agent of such an owner asks and records late counts for nothing, and it is told so",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    const service = await world.start();
    const number = world.startIssue();
    await service.event("turn.done");
    const [turn] = await service.turns();
    if (turn === undefined) throw new Error("there is no turn");
    await adopt(world, number);
    const before = await service.parts.store.items.load(world.ref(number));
    for (const request of [
      { kind: "ask", text: "How often?" },
      { kind: "link-pr", pullRequest: "9" },
      { kind: "comment", text: "I am done", on: null },
    ] as const) {
      expect(
        await carryOutRequest(request, `turn-late-${request.kind}`, turn, service.parts),
        request.kind,
      ).toMatchObject({ ok: false, code: "LOOP_E_ITEM_ELSEWHERE" });
    }
    expect(await service.parts.store.items.load(world.ref(number))).toEqual(before);
    expect(
      world.host.issue(number).comments.filter(({ author }) => author.login === "loop-agent"),
    ).toEqual([]);
    expect((await service.parts.store.stats()).lateWrites).toBeGreaterThanOrEqual(3);
  },
);

test(
  "S09: a comment of such an agent is not sent where the item is adopted after everything was looked at, right before the sending",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    const service = await world.start();
    const number = world.startIssue();
    await service.event("turn.done");
    const [turn] = await service.turns();
    if (turn === undefined) throw new Error("there is no turn");
    const comment: typeof service.parts.host.comment = async (...args) => {
      await adopt(world, number);
      return service.parts.host.comment(...args);
    };
    const answer = await carryOutRequest(
      { kind: "comment", text: "I am done", on: null },
      "turn-late",
      turn,
      { ...service.parts, host: { ...service.parts.host, comment } },
    );
    expect(answer).toMatchObject({ ok: false, code: "LOOP_E_ITEM_ELSEWHERE" });
    expect(
      world.host.issue(number).comments.filter(({ author }) => author.login === "loop-agent"),
    ).toEqual([]);
  },
);
