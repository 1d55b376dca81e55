import { expect, test } from "vitest";
import type { ControlStatus, EventLine, Session, Turn } from "@loopwork/core/ports";
import { itemOf, sessionOf } from "@loopwork/core/testing";
import { eventLine } from "@loopwork/runtime";
import { outlivesItsSession } from "../../../runtime/src/turn/outlives-session.ts";
import { until } from "../support/until.ts";
import { createWorld, type Service } from "../support/world.ts";

/** A service, and its first turn, which is done. */
async function oneTurn(): Promise<{ readonly service: Service; readonly turn: Turn }> {
  const world = await createWorld();
  const service = await world.start();
  world.startIssue("{{stub:text done}}");
  await service.event("turn.done");
  const [turn] = await service.turns();
  if (turn === undefined) throw new Error("there is no turn");
  return { service, turn };
}

test.each<[string, number, ControlStatus, Session["status"] | null, boolean]>([
  ["tried before, and stopped meanwhile", 1, "stopped", "closed", true],
  ["its session is not on record any more", 2, "closed", null, true],
  ["never tried: a stop drops those itself", 0, "stopped", "closed", false],
  ["nothing ended its session", 1, "started", "closed", false],
  ["paused", 1, "paused", "closed", false],
  ["a session that somebody registered on a stopped item", 1, "stopped", "active", false],
])(
  "S05 a turn that is over with its session: %s",
  async (_name, attempts, status, session, over) => {
    const { service, turn } = await oneTurn();
    const sessions = session === null ? [] : [sessionOf({ endpoint: turn.lane, status: session })];
    expect(
      await outlivesItsSession(
        {
          turn: { ...turn, attempts },
          item: itemOf(status, { sessions }),
          lease: { lane: turn.lane, owner: "default", fence: 1 },
        },
        service.parts,
      ),
    ).toBe(over);
  },
);

type Closing = { readonly reason: string; readonly after?: number; readonly endpoint?: string };

test.each<[string, Closing, Partial<Turn>, boolean]>([
  ["stopped and started again at once", { reason: "stopped" }, {}, true],
  ["cleaned up and started again", { reason: "cleaned-up" }, {}, true],
  ["closed by hand, which lets turns go on", { reason: "command-line" }, {}, false],
  [
    "another session of the item ended",
    { reason: "closed", endpoint: "host:practice/garden#99" },
    {},
    false,
  ],
  ["an end from before its attempt", { reason: "stopped", after: -60_000 }, {}, false],
  [
    "a person wants it tried again",
    { reason: "stopped" },
    { attempts: 0, note: "retried by a person" },
    false,
  ],
])(
  "S05 a turn on an item that was started anew since its session ended: %s",
  async (_name, { reason, after = 1, endpoint }, changed, over) => {
    const { service, turn } = await oneTurn();
    const { parts } = service;
    const line: EventLine = eventLine(parts, "session.closed", {
      workItem: turn.workItem,
      reason,
      fields: { endpoint: endpoint ?? turn.lane },
    });
    await parts.store.events.append([{ ...line, time: (turn.attempt?.startedAt ?? 0) + after }]);
    const item = itemOf("started", {
      sessions: [sessionOf({ endpoint: turn.lane, status: "closed" })],
    });
    expect(
      await outlivesItsSession(
        {
          turn: { ...turn, ...changed },
          item,
          lease: { lane: turn.lane, owner: "default", fence: 1 },
        },
        parts,
      ),
    ).toBe(over);
  },
);

test(
  "S05 a turn that was judged past a stop and a start does not go on; the start's own turn does",
  { timeout: 120_000 },
  async () => {
    const world = await createWorld();
    let [judged, stopped] = [false, (): void => {}];
    const stop = new Promise<void>((resolve) => (stopped = resolve));
    const service = await world.start((parts) => {
      const { lanes } = parts.store;
      /** Its judgement has read the item before the stop, and makes it ready again. */
      const settle: typeof lanes.settle = async (lease, turn, settled) => {
        if (judged) return lanes.settle(lease, turn, settled);
        judged = true;
        await stop;
        return lanes.settle(lease, turn, {
          ...settled,
          state: "ready",
          next: "again",
          effects: [],
          lines: [],
        });
      };
      return { ...parts, store: { ...parts.store, lanes: { ...lanes, settle } } };
    });
    const number = world.startIssue("{{stub:text done}}");
    await until(() => judged, "the end of the first attempt");
    world.host.comment(number, "loop stop", "ada");
    await service.event("delivery.decided", ({ reason }) => reason === "stop-requested");
    world.host.comment(number, "loop start", "ada");
    await until(
      async () =>
        (await service.events("delivery.decided")).filter(
          ({ reason }) => reason === "start-requested",
        ).length === 2,
      "the second start",
    );
    stopped();
    await until(
      async () =>
        (await service.turns()).length === 2 &&
        (await service.turns()).every(({ state }) => state === "done" || state === "dropped"),
      "the end of both",
    );
    expect((await service.turns()).map(({ state }) => state)).toEqual(["dropped", "done"]);
    expect(world.prompts()).toHaveLength(2);
  },
);
