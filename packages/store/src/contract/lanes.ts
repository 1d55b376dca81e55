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
  leaseMs,
  queueTurn,
  refText,
  sessionOf,
  setItem,
  take,
  taken,
  together,
  turnFor,
  workItemOf,
} from "./build.ts";
import { codeOf, rowsOf, type StoreRow } from "./row.ts";

/** Lanes: which is taken, when, and with which of its turns. */
export const laneRows: readonly StoreRow[] = rowsOf("lanes", [
  [
    "with nothing queued there is nothing to take and nothing to wake for",
    async (open) => {
      const store = await open();
      same("take", await take(store), null);
      same("wake", await store.lanes.wakeAt(noon, together), null);
    },
  ],
  [
    "lanes are taken in the order of their oldest turns, each once, and their turns run in order",
    async (open) => {
      const store = await open();
      for (const [id, item] of [
        ["1a", 1],
        ["2a", 2],
        ["1b", 1],
        ["2b", 2],
      ] as const)
        await queueTurn(store, id, item);
      const [one, two] = [await taken(store), await taken(store)];
      same(
        "first",
        [deliveriesOf(one.turn.inputs), deliveriesOf(two.turn.inputs)],
        [["1a"], ["2a"]],
      );
      same("no more", await take(store), null);
      await finish(store, two);
      const next = await taken(store);
      same("next", deliveriesOf(next.turn.inputs), ["2b"]);
      await finish(store, one);
      same("last", deliveriesOf((await taken(store)).turn.inputs), ["1b"]);
      same("done", (await store.lanes.turns({ states: ["done"], limit: 9 })).length, 2);
    },
  ],
  [
    "what is taken shows the turn with its inputs and the state of its work item",
    async (open) => {
      const store = await open();
      await setItem(store, 1, { workItem: workItemOf(1) });
      await queueTurn(store, "a", 1, 50, "spawn");
      const { turn, item, lease } = await taken(store);
      same(
        "turn",
        [
          turn.lane,
          turn.workItem,
          turn.mode,
          turn.state,
          turn.attempt,
          turn.attempts,
          turn.next,
          turn.note,
        ],
        [refText(50), refText(1), "spawn", "ready", null, 0, "first", null],
      );
      same("input", turn.inputs[0], {
        seq: 1,
        deliveryId: "a",
        event: (await store.lanes.turn(turn.id))?.inputs[0]?.event,
        authority: "authorized",
        receivedAt: noon,
        steered: null,
      });
      same("item", item.workItem, workItemOf(1));
      same("lease", lease, { lane: refText(50), owner: "me", fence: 1 });
      same("again", (await store.lanes.turn(turn.id))?.inputs.length, 1);
      same("unknown", await store.lanes.turn(turn.id + 1), null);
    },
  ],
  [
    "an input names the control verb that was taken before it, as the state after its decision says, and keeps it when turns become one",
    async (open) => {
      const store = await open();
      for (const [id, steered] of [
        ["a", null],
        ["b", "verb-1"],
        ["c", "verb-1"],
      ] as const)
        await decide(
          store,
          id,
          1,
          decided({
            effects: [turnFor(id, 1)],
            after: {
              ...(await store.items.load(refText(1))),
              workItem: workItemOf(1, { steered }),
            },
          }),
        );
      await queueTurn(store, "d", 1);
      same(
        "inputs",
        (await taken(store, noon, "me", together)).turn.inputs.map((input) => input.steered),
        [null, "verb-1", "verb-1", "verb-1"],
      );
    },
  ],
  [
    "turns that the merge step names become one, in the order of the log, and are gone for themselves",
    async (open) => {
      const store = await open();
      for (const id of ["a", "b", "c", "d"])
        await queueTurn(store, id, 1, 1, id === "a" ? "spawn" : "resume");
      const first = await taken(store, noon, "me", (waiting) => ({
        kind: "go",
        merge: waiting
          .slice(1, 3)
          .map((turn) => turn.id)
          .toReversed(),
      }));
      same("inputs", deliveriesOf(first.turn.inputs), ["a", "b", "c"]);
      same("mode", first.turn.mode, "spawn");
      same("stored", deliveriesOf((await store.lanes.turn(first.turn.id))?.inputs ?? []), [
        "a",
        "b",
        "c",
      ]);
      same(
        "left",
        (await store.lanes.turns({ limit: 9 })).map((turn) => deliveriesOf(turn.inputs)),
        [["a", "b", "c"], ["d"]],
      );
      await finish(store, first);
      same("next", deliveriesOf((await taken(store, noon, "me", together)).turn.inputs), ["d"]);
    },
  ],
  [
    "the merge step may let the head wait; it sees what is ready and nothing else",
    async (open) => {
      const store = await open();
      for (const id of ["a", "b"]) await queueTurn(store, id, 1);
      const shown: (readonly string[])[] = [];
      const waits = (
        waiting: readonly { readonly inputs: Parameters<typeof deliveriesOf>[0] }[],
      ): { readonly kind: "wait"; readonly until: number } => {
        shown.push(waiting.flatMap((turn) => deliveriesOf(turn.inputs)));
        return { kind: "wait", until: noon + 5 };
      };
      same("take", await take(store, noon, "me", waits), null);
      same("wake", await store.lanes.wakeAt(noon, waits), noon + 5);
      same("shown", shown, [
        ["a", "b"],
        ["a", "b"],
      ]);
      same("now", await store.lanes.wakeAt(noon, together), noon);
    },
  ],
  [
    "a merge step that names what does not wait is refused",
    async (open) => {
      const store = await open();
      await queueTurn(store, "a", 1);
      await codeOf(take(store, noon, "me", () => ({ kind: "go", merge: [999] })));
      same("still there", deliveriesOf((await taken(store)).turn.inputs), ["a"]);
    },
  ],
  [
    "a held lane gives nothing until its time; taking it ends the hold",
    async (open) => {
      const store = await open();
      await queueTurn(store, "a", 1);
      await holdLane(store, 1, holdOf("usage-limit", noon + 10));
      same("held", await take(store, noon + 9), null);
      same("wake", await store.lanes.wakeAt(noon, together), noon + 10);
      const lane = await taken(store, noon + 10);
      same("item", lane.item.lanes, [{ endpoint: refText(1), hold: null }]);
      same("stored", (await store.items.load(refText(1))).lanes, [
        { endpoint: refText(1), hold: null },
      ]);
    },
  ],
  [
    "a hold without a time lasts, and one for uncertain lasts whatever its time says",
    async (open) => {
      const store = await open();
      await queueTurn(store, "a", 1);
      await queueTurn(store, "b", 2);
      await holdLane(store, 1, holdOf("paused"));
      await holdLane(store, 2, holdOf("uncertain", noon));
      same("take", await take(store, noon + 1e9), null);
      same("wake", await store.lanes.wakeAt(noon, together), null);
      await holdLane(store, 1, null);
      same("opened", (await taken(store)).lease.lane, refText(1));
    },
  ],
  [
    "a lane whose head is injecting or uncertain is not taken",
    async (open) => {
      const store = await open();
      for (const id of ["a", "b"]) await queueTurn(store, id, 1);
      const lane = await taken(store);
      await begin(store, lane);
      await store.lanes.release(lane.lease);
      same("injecting", await take(store, noon + 1e9), null);
      const [orphan] = await store.lanes.orphans({ owner: "me", now: noon, leaseMs });
      if (orphan === undefined) throw new Error("no orphan");
      await store.lanes.settle(
        orphan.lease,
        orphan.turn.id,
        endOf({ state: "uncertain", note: "cannot tell" }),
      );
      same("uncertain", await take(store, noon + 1e9), null);
    },
  ],
  [
    "a failed turn lets the next go",
    async (open) => {
      const store = await open();
      for (const id of ["a", "b"]) await queueTurn(store, id, 1);
      await finish(store, await taken(store), { state: "failed", note: "no more tries" });
      same("next", deliveriesOf((await taken(store)).turn.inputs), ["b"]);
    },
  ],
  [
    "lanes whose sessions share a directory run one after the other, also while one is orphaned",
    async (open) => {
      const store = await open();
      for (const item of [1, 2, 3]) {
        await setItem(store, item, {
          sessions: [sessionOf(item, { workdir: item === 3 ? "/other" : "/shared" })],
        });
        await queueTurn(store, `d-${item}`, item);
      }
      const one = await taken(store);
      same("first", one.lease.lane, refText(1));
      same("second", (await taken(store)).lease.lane, refText(3));
      same("busy", await take(store), null);
      await begin(store, one);
      await store.lanes.release(one.lease);
      same("orphaned", await take(store, noon + leaseMs - 1), null);
      const [orphan] = await store.lanes.orphans({ owner: "me", now: noon, leaseMs });
      if (orphan === undefined) throw new Error("no orphan");
      await store.lanes.settle(orphan.lease, orphan.turn.id, endOf());
      same("free", (await taken(store)).lease.lane, refText(2));
    },
  ],
  [
    "lanes belong to the instance that decided",
    async (open) => {
      await queueTurn(await open({ instance: "one" }), "a", 1);
      const two = await open({ instance: "two" });
      same("take", await take(two), null);
      same("wake", await two.lanes.wakeAt(noon, together), null);
    },
  ],
  [
    "a delivery is on a lane once, and may be on several lanes",
    async (open) => {
      const store = await open();
      await decide(
        store,
        "a",
        1,
        decided({ effects: [turnFor("a", 1), turnFor("a", 1), turnFor("a", 50)] }),
      );
      same(
        "turns",
        (await store.lanes.turns({ limit: 9 })).map((turn) => turn.lane),
        [refText(1), refText(50)],
      );
    },
  ],
]);
