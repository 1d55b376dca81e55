import { noon, same } from "@loopwork/core/testing";
import { begin, decide, decided, deliveriesOf, endOf, finish, holdLane, holdOf, leaseMs, queueTurn, refOf, refText, reply, sessionOf, setItem, take, taken, together, turnFor, workItemOf } from "./build.ts";
import { codeOf, rowsOf, type StoreRow } from "./row.ts";

/** Lanes: who may run which turn, and when (decisions.md 4). */
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
      for (const [id, item] of [["1a", 1], ["2a", 2], ["1b", 1], ["2b", 2]] as const) await queueTurn(store, id, item);
      const [one, two] = [await taken(store), await taken(store)];
      same("first", [deliveriesOf(one.turn.inputs), deliveriesOf(two.turn.inputs)], [["1a"], ["2a"]]);
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
      same("turn", [turn.lane, turn.workItem, turn.mode, turn.state, turn.attempt, turn.attempts, turn.next, turn.note], [refText(50), refText(1), "spawn", "ready", null, 0, "first", null]);
      same("input", turn.inputs[0], { seq: 1, deliveryId: "a", event: (await store.lanes.turn(turn.id))?.inputs[0]?.event, authority: "authorized", receivedAt: noon });
      same("item", item.workItem, workItemOf(1));
      same("lease", lease, { lane: refText(50), owner: "me", fence: 1 });
      same("again", (await store.lanes.turn(turn.id))?.inputs.length, 1);
      same("unknown", await store.lanes.turn(turn.id + 1), null);
    },
  ],
  [
    "turns that the merge step names become one, in the order of the log, and are gone for themselves",
    async (open) => {
      const store = await open();
      for (const id of ["a", "b", "c", "d"]) await queueTurn(store, id, 1, 1, id === "a" ? "spawn" : "resume");
      const first = await taken(store, noon, "me", (waiting) => ({ kind: "go", merge: waiting.slice(1, 3).map((turn) => turn.id).toReversed() }));
      same("inputs", deliveriesOf(first.turn.inputs), ["a", "b", "c"]);
      same("mode", first.turn.mode, "spawn");
      same("stored", deliveriesOf((await store.lanes.turn(first.turn.id))?.inputs ?? []), ["a", "b", "c"]);
      same("left", (await store.lanes.turns({ limit: 9 })).map((turn) => deliveriesOf(turn.inputs)), [["a", "b", "c"], ["d"]]);
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
      const waits = (waiting: readonly { readonly inputs: Parameters<typeof deliveriesOf>[0] }[]): { readonly kind: "wait"; readonly until: number } => {
        shown.push(waiting.flatMap((turn) => deliveriesOf(turn.inputs)));
        return { kind: "wait", until: noon + 5 };
      };
      same("take", await take(store, noon, "me", waits), null);
      same("wake", await store.lanes.wakeAt(noon, waits), noon + 5);
      same("shown", shown, [["a", "b"], ["a", "b"]]);
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
      same("stored", (await store.items.load(refText(1))).lanes, [{ endpoint: refText(1), hold: null }]);
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
      await store.lanes.settle(orphan.lease, orphan.turn.id, endOf({ state: "uncertain", note: "cannot tell" }));
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
    "a turn that goes back waits for its time and keeps what was said of it",
    async (open) => {
      const store = await open();
      await queueTurn(store, "a", 1);
      await finish(store, await taken(store), { state: "ready", note: "API error", next: "again", notBefore: noon + 50 });
      same("early", await take(store, noon + 49), null);
      same("wake", await store.lanes.wakeAt(noon, together), noon + 50);
      const { turn } = await taken(store, noon + 50);
      same("turn", [turn.state, turn.next, turn.note, turn.attempts, turn.attempt?.receipt], ["ready", "again", "API error", 1, `receipt-${turn.id}`]);
    },
  ],
  [
    "an attempt is written before it is made; its child comes later and counts no second attempt",
    async (open) => {
      const store = await open();
      await queueTurn(store, "a", 1);
      const lane = await taken(store);
      const attempt = { receipt: "r", kind: "first" as const, harnessSessionId: "s", startedAt: noon, child: null };
      same("begun", await store.lanes.begin(lane.lease, lane.turn.id, attempt), true);
      same("injecting", [(await store.lanes.turn(lane.turn.id))?.state, (await store.lanes.turn(lane.turn.id))?.attempts], ["injecting", 1]);
      const withChild = { ...attempt, child: { pid: 4, startTime: "99" } };
      await store.lanes.begin(lane.lease, lane.turn.id, withChild);
      same("child", [(await store.lanes.turn(lane.turn.id))?.attempt, (await store.lanes.turn(lane.turn.id))?.attempts], [withChild, 1]);
      await store.lanes.begin(lane.lease, lane.turn.id, { ...attempt, kind: "again" as const, startedAt: noon + 1 });
      same("same receipt again", (await store.lanes.turn(lane.turn.id))?.attempts, 2);
    },
  ],
  [
    "S09: writes under an older fence are refused, change nothing and are counted",
    async (open) => {
      const old = await open();
      await queueTurn(old, "a", 1);
      const lane = await taken(old, noon, "old");
      await begin(old, lane);
      const fresh = await open();
      const [orphan] = await fresh.lanes.orphans({ owner: "new", now: noon + leaseMs, leaseMs });
      same("fence", orphan?.lease.fence, 2);
      same("renew", await old.lanes.renew(lane.lease, noon + leaseMs, leaseMs), false);
      same("begin", await begin(old, lane, "late"), false);
      same("settle", await old.lanes.settle(lane.lease, lane.turn.id, endOf({ fold: (item) => ({ ...item, workItem: workItemOf(1) }) })), false);
      await old.lanes.release(lane.lease);
      same("turn", [(await fresh.lanes.turn(lane.turn.id))?.state, (await fresh.lanes.turn(lane.turn.id))?.attempt?.receipt], ["injecting", `receipt-${lane.turn.id}`]);
      same("item", (await fresh.items.load(refText(1))).workItem, null);
      same("counted", [(await old.stats()).lateWrites, (await fresh.stats()).lateWrites], [4, 0]);
      same("new holder", orphan === undefined ? null : await fresh.lanes.settle(orphan.lease, orphan.turn.id, endOf()), true);
    },
  ],
  [
    "a lease that ran out before the turn began lets another take the lane",
    async (open) => {
      const store = await open();
      await queueTurn(store, "a", 1);
      await taken(store, noon, "old");
      same("leased", await take(store, noon + leaseMs - 1, "new"), null);
      same("wake", await store.lanes.wakeAt(noon, together), noon + leaseMs);
      same("taken", (await taken(store, noon + leaseMs, "new")).lease, { lane: refText(1), owner: "new", fence: 2 });
    },
  ],
  [
    "renewing prolongs a lease",
    async (open) => {
      const store = await open();
      await queueTurn(store, "a", 1);
      const { lease } = await taken(store);
      same("renewed", await store.lanes.renew(lease, noon + 10_000, leaseMs), true);
      same("still leased", await take(store, noon + leaseMs, "other"), null);
      same("run out", (await take(store, noon + 10_000 + leaseMs, "other"))?.lease.fence, 2);
    },
  ],
  [
    "D05: a lease that reaches further ahead than it was given for is void, as the clock went back",
    async (open) => {
      const store = await open();
      await queueTurn(store, "a", 1);
      await taken(store, noon + 1e10, "old");
      same("taken", (await take(store, noon, "new"))?.lease.owner, "new");
    },
  ],
  [
    "orphans are turns under way whose holder's time is over, or whose holder is an earlier life of the owner",
    async (open) => {
      const earlier = await open();
      for (const [id, item] of [["a", 1], ["b", 2], ["c", 3]] as const) await queueTurn(earlier, id, item);
      const one = await taken(earlier, noon, "me");
      await begin(earlier, one);
      await begin(earlier, await taken(earlier, noon, "another"));
      await taken(earlier, noon, "me");
      const store = await open();
      const found = await store.lanes.orphans({ owner: "me", now: noon + 1, leaseMs });
      same("mine", found.map((each) => [each.lease.lane, each.lease.fence, each.turn.attempt?.receipt]), [[refText(1), 2, `receipt-${one.turn.id}`]]);
      same("freed", (await taken(store, noon + 1, "me")).lease.lane, refText(3));
      same("not its own", await store.lanes.orphans({ owner: "me", now: noon + 2, leaseMs }), []);
      same("run out", (await store.lanes.orphans({ owner: "me", now: noon + leaseMs, leaseMs })).map((each) => each.lease.lane), [refText(2)]);
    },
  ],
  [
    "lanes whose sessions share a directory run one after the other, also while one is orphaned",
    async (open) => {
      const store = await open();
      for (const item of [1, 2, 3]) {
        await setItem(store, item, { sessions: [sessionOf(item, { workdir: item === 3 ? "/other" : "/shared" })] });
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
    "settling writes turn, state, effects and lines together; a fold that throws changes nothing",
    async (open) => {
      const store = await open();
      for (const id of ["a", "b"]) await queueTurn(store, id, 1);
      const lane = await taken(store, noon, "me", together);
      await begin(store, lane);
      const broken = store.lanes.settle(lane.lease, lane.turn.id, endOf({ fold: () => { throw new Error("a bug"); } }));
      same("thrown", await codeOf(broken), "Error: a bug");
      same("still under way", (await store.lanes.turn(lane.turn.id))?.state, "injecting");
      same("settled", await store.lanes.settle(lane.lease, lane.turn.id, endOf({ fold: (item) => ({ ...item, workItem: workItemOf(1) }), effects: [reply(1, "ended")], note: "fine" })), true);
      same("turn", [(await store.lanes.turn(lane.turn.id))?.state, (await store.lanes.turn(lane.turn.id))?.note], ["done", "fine"]);
      same("item", (await store.items.load(refText(1))).workItem, workItemOf(1));
      same("effect", (await store.outbox.due(noon, 9)).map((each) => [each.deliveryId, each.effect]), [["a", reply(1, "ended")]]);
      same("second time", await store.lanes.settle(lane.lease, lane.turn.id, endOf()), false);
    },
  ],
  [
    "a lane that is given back keeps its turn",
    async (open) => {
      const store = await open();
      await queueTurn(store, "a", 1);
      await store.lanes.release((await taken(store)).lease);
      same("again", (await taken(store, noon, "other")).lease, { lane: refText(1), owner: "other", fence: 2 });
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
      await decide(store, "a", 1, decided({ effects: [turnFor("a", 1), turnFor("a", 1), turnFor("a", 50)] }));
      same("turns", (await store.lanes.turns({ limit: 9 })).map((turn) => turn.lane), [refText(1), refText(50)]);
    },
  ],
  [
    "dropping takes what is ready, not what is under way and not what the same decision queues after it",
    async (open) => {
      const store = await open();
      for (const id of ["a", "b"]) await queueTurn(store, id, 1);
      const lane = await taken(store);
      await begin(store, lane);
      await decide(store, "stop", 1, decided({ effects: [{ kind: "drop-turns", endpoint: refOf(1), why: "stopped" }, turnFor("stop", 1)] }));
      same("states", (await store.lanes.turns({ lane: refText(1), limit: 9 })).map((turn) => turn.state), ["injecting", "dropped", "ready"]);
      same("note", ((await store.lanes.turns({ states: ["dropped"], limit: 9 }))[0]?.note ?? "").length > 0, true);
    },
  ],
  [
    "dropping takes an uncertain turn as well, so that a later start is not stuck behind it",
    async (open) => {
      const store = await open();
      await queueTurn(store, "a", 1);
      await finish(store, await taken(store), { state: "uncertain", note: "cannot tell" });
      await decide(store, "stop", 1, decided({ effects: [{ kind: "drop-turns", endpoint: refOf(1), why: "stopped" }] }));
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
      await decide(store, "stop", 1, decided({ effects: [{ kind: "drop-turns", endpoint: refOf(1), why: "closed" }] }));
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
      await finish(store, lane, { state: "uncertain", note: "cannot tell", fold: (item) => ({ ...item, lanes: [{ endpoint: refText(1), hold: holdOf("uncertain") }] }) });
      same("held", await take(store), null);
      same("resolved", await store.lanes.resolve(lane.turn.id, "retry", "ada says so", []), true);
      const again = await taken(store);
      same("first", [deliveriesOf(again.turn.inputs), again.turn.attempts, again.turn.note], [["a"], 0, "ada says so"]);
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
      for (const [id, item] of [["a", 1], ["b", 2], ["c", 3]] as const) await queueTurn(store, id, item);
      const [one, two] = [await taken(store), await taken(store)];
      await finish(store, one, { state: "failed" });
      await finish(store, two);
      const three = one.turn.id + 2;
      const results: boolean[] = [];
      for (const [id, how] of [[one.turn.id, "retry"], [two.turn.id, "retry"], [two.turn.id, "drop"], [three, "retry"], [three, "drop"], [99, "drop"]] as const) results.push(await store.lanes.resolve(id, how, "", []));
      same("results", results, [true, false, false, false, true, false]);
    },
  ],
  [
    "turns are listed by lane, work item and state: the newest, oldest of them first",
    async (open) => {
      const store = await open();
      for (const [id, item, lane] of [["a", 1, 1], ["b", 1, 50], ["c", 2, 2], ["d", 1, 1]] as const) await queueTurn(store, id, item, lane);
      const ids = async (query: Omit<Parameters<typeof store.lanes.turns>[0], "limit">, limit: number = 9): Promise<readonly string[]> => (await store.lanes.turns({ ...query, limit })).flatMap((turn) => deliveriesOf(turn.inputs));
      same("all", await ids({}), ["a", "b", "c", "d"]);
      same("lane", await ids({ lane: refText(1) }), ["a", "d"]);
      same("item", await ids({ workItem: refText(1) }), ["a", "b", "d"]);
      same("state", await ids({ states: ["done"] }), []);
      same("states", await ids({ states: ["done", "ready"], lane: refText(2) }), ["c"]);
      same("newest", await ids({}, 2), ["c", "d"]);
    },
  ],
]);
