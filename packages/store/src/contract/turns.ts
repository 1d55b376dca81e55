import { noon, same } from "@loopwork/core/testing";
import {
  begin,
  decide,
  decided,
  deliveriesOf,
  endOf,
  finish,
  holdLane,
  holdOf,
  lineOf,
  queueTurn,
  refOf,
  refText,
  reply,
  take,
  taken,
  together,
  turnFor,
  workItemOf,
} from "./build.ts";
import { codeOf, rowsOf, type StoreRow } from "./row.ts";

/** The life of a turn. */
export const turnRows: readonly StoreRow[] = rowsOf("turns", [
  [
    "a turn that goes back waits for its time and keeps what was said of it",
    async (open) => {
      const store = await open();
      await queueTurn(store, "a", 1);
      await finish(store, await taken(store), {
        state: "ready",
        note: "API error",
        next: "again",
        notBefore: noon + 50,
      });
      same("early", await take(store, noon + 49), null);
      same("wake", await store.lanes.wakeAt(noon, together), noon + 50);
      const { turn } = await taken(store, noon + 50);
      same(
        "turn",
        [turn.state, turn.next, turn.note, turn.attempts, turn.attempt?.receipt],
        ["ready", "again", "API error", 1, `receipt-${turn.id}`],
      );
    },
  ],
  [
    "an attempt is written, with its lines, before it is made; its child comes later and counts no second attempt",
    async (open) => {
      const store = await open();
      await queueTurn(store, "a", 1);
      const lane = await taken(store);
      const attempt = {
        receipt: "r",
        kind: "first" as const,
        harnessSessionId: "s",
        startedAt: noon,
        runner: "tmux" as const,
        child: null,
      };
      same(
        "begun",
        await store.lanes.begin(lane.lease, lane.turn.id, attempt, [
          lineOf({ kind: "turn.started" }),
        ]),
        true,
      );
      same(
        "injecting",
        [
          (await store.lanes.turn(lane.turn.id))?.state,
          (await store.lanes.turn(lane.turn.id))?.attempts,
        ],
        ["injecting", 1],
      );
      const withChild = { ...attempt, child: { pid: 4, startTime: "99" } };
      await store.lanes.begin(lane.lease, lane.turn.id, withChild, []);
      same(
        "child",
        [
          (await store.lanes.turn(lane.turn.id))?.attempt,
          (await store.lanes.turn(lane.turn.id))?.attempts,
        ],
        [withChild, 1],
      );
      await store.lanes.begin(
        lane.lease,
        lane.turn.id,
        { ...attempt, kind: "again" as const, startedAt: noon + 1 },
        [],
      );
      same("same receipt again", (await store.lanes.turn(lane.turn.id))?.attempts, 2);
      same("lines", (await store.events.list({ kind: "turn.started", limit: 10 })).length, 1);
      same(
        "of somebody else",
        await store.lanes.begin(
          { ...lane.lease, fence: lane.lease.fence - 1 },
          lane.turn.id,
          attempt,
          [lineOf({ kind: "turn.started" })],
        ),
        false,
      );
      same(
        "no line of it",
        (await store.events.list({ kind: "turn.started", limit: 10 })).length,
        1,
      );
    },
  ],
  [
    "a lane that was held since it was taken begins nothing; an attempt that has begun still gets its child",
    async (open) => {
      const store = await open();
      for (const number of [1, 2]) await queueTurn(store, `d${number}`, number);
      const [held, running] = [await taken(store), await taken(store)];
      await begin(store, running);
      for (const number of [1, 2]) await holdLane(store, number, holdOf("paused"));
      same("begun", await begin(store, held), false);
      same(
        "ready",
        [
          (await store.lanes.turn(held.turn.id))?.state,
          (await store.lanes.turn(held.turn.id))?.attempts,
        ],
        ["ready", 0],
      );
      same("child", await begin(store, running), true);
      await store.lanes.release(held.lease);
      await holdLane(store, 1, null);
      same("after the hold", await begin(store, await taken(store)), true);
    },
  ],
  [
    "settling writes turn, state, effects and lines together; a fold that throws changes nothing",
    async (open) => {
      const store = await open();
      for (const id of ["a", "b"]) await queueTurn(store, id, 1);
      const lane = await taken(store, noon, "me", together);
      await begin(store, lane);
      const broken = store.lanes.settle(
        lane.lease,
        lane.turn.id,
        endOf({
          fold: () => {
            throw new Error("a bug");
          },
        }),
      );
      same("thrown", await codeOf(broken), "Error: a bug");
      same("still under way", (await store.lanes.turn(lane.turn.id))?.state, "injecting");
      same(
        "settled",
        await store.lanes.settle(
          lane.lease,
          lane.turn.id,
          endOf({
            fold: (item) => ({ ...item, workItem: workItemOf(1) }),
            effects: [reply(1, "ended")],
            note: "fine",
          }),
        ),
        true,
      );
      same(
        "turn",
        [
          (await store.lanes.turn(lane.turn.id))?.state,
          (await store.lanes.turn(lane.turn.id))?.note,
        ],
        ["done", "fine"],
      );
      same("item", (await store.items.load(refText(1))).workItem, workItemOf(1));
      same(
        "effect",
        (await store.outbox.due(noon, 9)).map((each) => [each.deliveryId, each.effect]),
        [["a", reply(1, "ended")]],
      );
      same("second time", await store.lanes.settle(lane.lease, lane.turn.id, endOf()), false);
    },
  ],
  [
    "dropping takes what is ready, not what is under way and not what the same decision queues after it",
    async (open) => {
      const store = await open();
      for (const id of ["a", "b"]) await queueTurn(store, id, 1);
      const lane = await taken(store);
      await begin(store, lane);
      await decide(
        store,
        "stop",
        1,
        decided({
          effects: [{ kind: "drop-turns", endpoint: refOf(1), why: "stopped" }, turnFor("stop", 1)],
        }),
      );
      same(
        "states",
        (await store.lanes.turns({ lane: refText(1), limit: 9 })).map((turn) => turn.state),
        ["injecting", "dropped", "ready"],
      );
      const newest = (await store.lanes.turns({ limit: 1 }))[0]?.id ?? 0;
      same(
        "older ones",
        (await store.lanes.turns({ lane: refText(1), beforeId: newest, limit: 1 })).map(
          (turn) => turn.state,
        ),
        ["dropped"],
      );
      same(
        "note",
        ((await store.lanes.turns({ states: ["dropped"], limit: 9 }))[0]?.note ?? "").length > 0,
        true,
      );
    },
  ],
  [
    "dropping takes an uncertain turn as well, so that a later start is not stuck behind it",
    async (open) => {
      const store = await open();
      await queueTurn(store, "a", 1);
      await finish(store, await taken(store), { state: "uncertain", note: "cannot tell" });
      await decide(
        store,
        "stop",
        1,
        decided({ effects: [{ kind: "drop-turns", endpoint: refOf(1), why: "stopped" }] }),
      );
      await queueTurn(store, "b", 1);
      same("next", deliveriesOf((await taken(store)).turn.inputs), ["b"]);
    },
  ],
  [
    "S05: a turn that was dropped between taking and beginning does not begin",
    async (open) => {
      const store = await open();
      await queueTurn(store, "a", 1);
      const lane = await taken(store);
      await decide(
        store,
        "stop",
        1,
        decided({ effects: [{ kind: "drop-turns", endpoint: refOf(1), why: "closed" }] }),
      );
      same("begin", await begin(store, lane), false);
      same("settle", await store.lanes.settle(lane.lease, lane.turn.id, endOf()), false);
      await store.lanes.release(lane.lease);
      await queueTurn(store, "b", 1);
      same("next", deliveriesOf((await taken(store)).turn.inputs), ["b"]);
    },
  ],
  [
    "a person retries an uncertain turn: its lane opens and it goes first, counting anew",
    async (open) => {
      const store = await open();
      for (const id of ["a", "b"]) await queueTurn(store, id, 1);
      const lane = await taken(store);
      await finish(store, lane, {
        state: "uncertain",
        note: "cannot tell",
        fold: (item) => ({ ...item, lanes: [{ endpoint: refText(1), hold: holdOf("uncertain") }] }),
      });
      same("held", await take(store), null);
      same("resolved", await store.lanes.resolve(lane.turn.id, "retry", "ada says so", []), true);
      const again = await taken(store);
      same(
        "first, and told to look before it acts",
        [deliveriesOf(again.turn.inputs), again.turn.attempts, again.turn.note, again.turn.next],
        [["a"], 0, "ada says so", "continue"],
      );
      same("open", again.item.lanes, [{ endpoint: refText(1), hold: null }]);
    },
  ],
  [
    "a person drops an uncertain turn, and the next goes; a pause of the lane stays",
    async (open) => {
      const store = await open();
      for (const id of ["a", "b"]) await queueTurn(store, id, 1);
      const lane = await taken(store);
      await finish(store, lane, { state: "uncertain" });
      await holdLane(store, 1, holdOf("paused"));
      same("resolved", await store.lanes.resolve(lane.turn.id, "drop", "not needed", []), true);
      same("paused", await take(store), null);
      await holdLane(store, 1, null);
      same("next", deliveriesOf((await taken(store)).turn.inputs), ["b"]);
    },
  ],
  [
    "a failed turn can be retried, a ready one dropped, a done one neither",
    async (open) => {
      const store = await open();
      for (const [id, item] of [
        ["a", 1],
        ["b", 2],
        ["c", 3],
      ] as const)
        await queueTurn(store, id, item);
      const [one, two] = [await taken(store), await taken(store)];
      await finish(store, one, { state: "failed" });
      await finish(store, two);
      const three = one.turn.id + 2;
      const results: boolean[] = [];
      for (const [id, how] of [
        [one.turn.id, "retry"],
        [two.turn.id, "retry"],
        [two.turn.id, "drop"],
        [three, "retry"],
        [three, "drop"],
        [99, "drop"],
      ] as const)
        results.push(await store.lanes.resolve(id, how, "", []));
      same("results", results, [true, false, false, false, true, false]);
    },
  ],
  [
    "turns are listed by lane, work item and state: the newest, oldest of them first",
    async (open) => {
      const store = await open();
      for (const [id, item, lane] of [
        ["a", 1, 1],
        ["b", 1, 50],
        ["c", 2, 2],
        ["d", 1, 1],
      ] as const)
        await queueTurn(store, id, item, lane);
      const ids = async (
        query: Omit<Parameters<typeof store.lanes.turns>[0], "limit">,
        limit: number = 9,
      ): Promise<readonly string[]> =>
        (await store.lanes.turns({ ...query, limit })).flatMap((turn) => deliveriesOf(turn.inputs));
      same("all", await ids({}), ["a", "b", "c", "d"]);
      same("lane", await ids({ lane: refText(1) }), ["a", "d"]);
      same("item", await ids({ workItem: refText(1) }), ["a", "b", "d"]);
      same("state", await ids({ states: ["done"] }), []);
      same("states", await ids({ states: ["done", "ready"], lane: refText(2) }), ["c"]);
      same("newest", await ids({}, 2), ["c", "d"]);
    },
  ],
]);
