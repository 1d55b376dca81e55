import type { ItemState } from "@loopwork/core";
import { bytesOf, deliveryOf, noon, same, sameBytes } from "@loopwork/core/testing";
import { decide, decided, eventFor, fullItem, lineOf, queueTurn, refOf, refText, reply, stored, turnFor, workItemOf } from "./build.ts";
import { codeOf, rowsOf, type StoreRow } from "./row.ts";

const day = 24 * 60 * 60 * 1000;

/** Deliveries and the transaction of a decision (decisions.md 4 and 5). */
export const logRows: readonly StoreRow[] = rowsOf("log", [
  [
    "what is undecided comes in the order of the log, without what was ignored at the door",
    async (open) => {
      const { append, log } = await open();
      for (const id of ["c", "a"]) await append(deliveryOf(id));
      await append(deliveryOf("ping", { ignored: "ping", body: null, digest: "0".repeat(64) }));
      await append(deliveryOf("b"));
      same("undecided", (await log.undecided(10)).map((each) => each.id), ["c", "a", "b"]);
      same("first two", (await log.undecided(2)).map((each) => each.seq), [1, 2]);
      same("none", await log.undecided(0), []);
    },
  ],
  [
    "a decision keeps its facts, for another handle too",
    async (open) => {
      const store = await open();
      const event = eventFor("a", 1, "line\nbreak \u2028 \u{1F600} \u0000");
      const state = { target: { workItem: refOf(1), endpoint: refOf(1), provenance: "itself" as const }, item: fullItem(1), own: "no" as const, pinnedActorId: null, seenAs: null, ownedBy: null, now: noon };
      const what = decided({ event, state, effects: [turnFor("a", 1, "spawn"), reply(1, "text")], key: "k" });
      same("result", await decide(store, "a", 1, what), what);
      const again = await open({ now: () => noon + 5 });
      const row = await again.log.decision("a");
      same("facts", { event: row?.event, state: row?.state, decision: row?.decision, workItem: row?.workItem }, { event, state, decision: what.decision, workItem: refText(1) });
      same("delivery", row?.delivery.id, "a");
      same("undecided", await again.log.undecided(10), []);
      same("unknown", await again.log.decision("nope"), null);
    },
  ],
  [
    "a delivery is decided once: the second time changes nothing",
    async (open) => {
      const store = await open();
      const seq = await stored(store, "a");
      const what = decided({ effects: [turnFor("a", 1), reply(1, "x")], lines: [lineOf()], after: { ...fullItem(1), lanes: [] } });
      await store.log.decide(seq, refText(1), () => what);
      same("second", await store.log.decide(seq, refText(1), () => what), null);
      same("by another handle", await (await open()).log.decide(seq, refText(1), () => what), null);
      same("turns", (await store.lanes.turns({ limit: 10 })).length, 1);
      same("effects", (await store.outbox.due(noon, 10)).length, 1);
      same("lines", (await store.events.list({ limit: 10 })).length, 1);
    },
  ],
  [
    "everything of a decision is written together",
    async (open) => {
      const store = await open();
      await decide(store, "a", 1, decided({ effects: [turnFor("a", 1), reply(1, "x")], after: { ...fullItem(1) }, lines: [lineOf({ delivery: "a" })], key: "k", pin: { login: "Ada", id: "7" } }));
      same("item", (await store.items.load(refText(1))).workItem, workItemOf(1));
      same("turn", (await store.lanes.turns({ limit: 9 })).map((turn) => [turn.lane, turn.state, turn.mode]), [[refText(1), "ready", "resume"]]);
      same("effect", (await store.outbox.due(noon, 9)).map((each) => [each.workItem, each.deliveryId, each.effect]), [[refText(1), "a", reply(1, "x")]]);
      same("line", (await store.events.list({ limit: 9 })).map((line) => line.delivery), ["a"]);
      same("key", await store.log.seenAs("k"), "a");
      same("pin", await store.items.pinnedActor("aDA"), "7");
    },
  ],
  [
    "a step that throws, and a fact that does not fit, change nothing",
    async (open) => {
      const store = await open();
      const seq = await stored(store, "a");
      const broken = store.log.decide(seq, refText(1), () => {
        throw new Error("a bug");
      });
      same("thrown", await codeOf(broken), "Error: a bug");
      await codeOf(store.log.decide(seq, null, () => decided({ after: fullItem(1) })));
      await codeOf(store.log.decide(seq, null, () => decided({ effects: [reply(1, "x")] })));
      await codeOf(store.log.decide(seq + 1, refText(1), () => decided()));
      same("undecided", (await store.log.undecided(9)).length, 1);
      same("item", (await store.items.load(refText(1))).workItem, null);
      same("afterwards", (await store.log.decide(seq, refText(1), () => decided()))?.decision.reason, "armed");
    },
  ],
  [
    "deciding sees the state as it is in its transaction",
    async (open) => {
      const store = await open();
      await store.items.update(refText(1), () => ({ after: fullItem(1), lines: [] }));
      const seen: ItemState[] = [];
      await store.log.decide(await stored(store, "a"), refText(1), (item) => (seen.push(item), decided()));
      same("seen", seen.at(-1), fullItem(1));
    },
  ],
  [
    "a semantic key belongs to the first delivery that had it",
    async (open) => {
      const store = await open();
      await decide(store, "first", 1, decided({ key: "k", effects: [turnFor("first", 1)] }));
      await decide(store, "second", 1, decided({ key: "k" }));
      same("seen as", await store.log.seenAs("k"), "first");
      same("never seen", await store.log.seenAs("other"), null);
      const third = await stored(store, "third");
      same("with effects", await codeOf(store.log.decide(third, refText(1), () => decided({ key: "k", effects: [turnFor("third", 1)] }))), "LOOP_E_STORE_SEEN_BEFORE");
      same("undecided", (await store.log.undecided(9)).map((each) => each.id), ["third"]);
      same("turns", (await store.lanes.turns({ limit: 9 })).length, 1);
    },
  ],
  [
    "each instance decides for itself",
    async (open) => {
      const one = await open({ instance: "one" });
      const two = await open({ instance: "two" });
      await decide(one, "a", 1, decided({ key: "k" }));
      same("one", await one.log.undecided(9), []);
      same("two", (await two.log.undecided(9)).map((each) => each.id), ["a"]);
      same("key of two", await two.log.seenAs("k"), null);
      same("decision of two", await two.log.decision("a"), null);
      await two.log.decide(1, null, () => decided({ key: "k" }));
      same("key of two", await two.log.seenAs("k"), "a");
    },
  ],
  [
    "S08: of eight instances that see one start exactly one claims it",
    async (open) => {
      const stores = await Promise.all(Array.from({ length: 8 }, (_, n) => open({ instance: `i-${n}` })));
      const [first] = stores;
      if (first === undefined) throw new Error("no store");
      const seq = await stored(first, "start");
      const decisions = await Promise.all(
        stores.map((store, n) =>
          store.log.decide(seq, refText(1), (item) => {
            if (item.workItem?.control.instance != null) return decided();
            const control = { ...workItemOf(1).control, status: "started" as const, instance: `i-${n}` };
            return decided({ effects: [turnFor("start", 1, "spawn")], after: { ...item, workItem: workItemOf(1, { control }) } });
          }),
        ),
      );
      same("claims", decisions.filter((each) => each?.decision.effects.length === 1).length, 1);
      same("turns", (await first.lanes.turns({ limit: 9 })).length, 1);
    },
  ],
  [
    "deliveries may be decided out of order, and none is passed over",
    async (open) => {
      const store = await open();
      for (const id of ["a", "b", "c", "d"]) await store.append(deliveryOf(id));
      for (const [seq, left] of [[3, ["a", "b", "d"]], [1, ["b", "d"]], [4, ["b"]], [2, []]] as const) {
        await store.log.decide(seq, null, () => decided());
        same(`after ${seq}`, (await store.log.undecided(9)).map((each) => each.id), left);
      }
      same("backlog", (await store.log.backlog()).undecided, 0);
    },
  ],
  [
    "the list pages by seq, backwards too, and can be kept to one work item",
    async (open) => {
      const store = await open();
      await decide(store, "a", 1, decided());
      await decide(store, "b", 2, decided());
      await store.append(deliveryOf("ping", { ignored: "ping", body: null, digest: "0".repeat(64) }));
      await decide(store, "c", 1, decided());
      const ids = async (query: Parameters<typeof store.log.list>[0]): Promise<readonly string[]> => (await store.log.list(query)).map((each) => each.id);
      same("all", await ids({ limit: 9 }), ["a", "b", "ping", "c"]);
      same("page", await ids({ afterSeq: 1, limit: 2 }), ["b", "ping"]);
      same("newest", await ids({ limit: 2, newestFirst: true }), ["c", "ping"]);
      same("item", await ids({ limit: 9, workItem: refText(1) }), ["a", "c"]);
      const entries = await store.log.list({ limit: 9 });
      same("decision", entries[0]?.decision, { verdict: "noted", reason: "armed", workItem: refText(1) });
      same("ignored", [entries[2]?.decision, entries[2]?.ignored, entries[0]?.ignored], [null, "ping", null]);
    },
  ],
  [
    "bodies of old decided deliveries can go; ids and digests stay",
    async (open) => {
      const store = await open();
      const body = bytesOf("old body");
      await store.append(deliveryOf("old", { body }));
      await store.append(deliveryOf("undecided"));
      await store.append(deliveryOf("new", { receivedAt: noon + 3 * day }));
      for (const seq of [1, 3]) await store.log.decide(seq, null, () => decided());
      if (!sameBytes(await store.log.body(1), body)) throw new Error("the body did not come back");
      const before = (await store.log.backlog()).bodyBytes;
      same("dropped", await store.log.forgetBodies(noon + day), 1);
      same("again", await store.log.forgetBodies(noon + day), 0);
      same("kept", await Promise.all([1, 2, 3, 4].map(async (seq) => (await store.log.body(seq)) !== null)), [false, true, true, false]);
      same("bytes", before - (await store.log.backlog()).bodyBytes, body.length);
      same("known", (await store.append(deliveryOf("old"))).kind, "duplicate");
      same("replay", (await store.append(deliveryOf("other", { body }))).kind, "duplicate");
    },
  ],
  [
    "R14: over its bound the inbox refuses, yet knows duplicates and ignored ones, and takes again once it is worked off",
    async (open) => {
      const store = await open({ maxBacklog: 3 });
      const answers = await Promise.allSettled(["a", "b", "c", "d", "e"].map((id) => store.append(deliveryOf(id))));
      same("outcomes", answers.map((each) => each.status), ["fulfilled", "fulfilled", "fulfilled", "rejected", "rejected"]);
      same("code", await codeOf(store.append(deliveryOf("f"))), "LOOP_E_BACKLOG_FULL");
      same("duplicate", (await store.append(deliveryOf("a"))).kind, "duplicate");
      same("ignored", (await store.append(deliveryOf("ping", { ignored: "ping", body: null, digest: "0".repeat(64) }))).kind, "accepted");
      same("backlog", (await store.log.backlog()).undecided, 3);
      await store.log.decide(1, null, () => decided());
      same("room", (await store.append(deliveryOf("f"))).kind, "accepted");
      same("full again", await codeOf(store.append(deliveryOf("g"))), "LOOP_E_BACKLOG_FULL");
    },
  ],
  [
    "S06: what was granted stands for another handle: state, turn and outbox",
    async (open) => {
      const first = await open();
      await queueTurn(first, "start", 1, 1, "spawn");
      await first.close();
      const second = await open();
      same("turns", (await second.lanes.turns({ states: ["ready"], limit: 9 })).map((turn) => turn.mode), ["spawn"]);
    },
  ],
  [
    "a closed handle refuses every call",
    async (open) => {
      const store = await open();
      const pending = store.append(deliveryOf("a"));
      await store.close();
      same("appended before", (await pending).kind, "accepted");
      same("append", await codeOf(store.append(deliveryOf("b"))), "LOOP_E_STORE_UNAVAILABLE");
      same("read", await codeOf(store.log.undecided(1)), "LOOP_E_STORE_CLOSED");
      same("write", await codeOf(store.events.append([lineOf()])), "LOOP_E_STORE_CLOSED");
      same("key", await codeOf(store.log.seenAs("k")), "LOOP_E_STORE_CLOSED");
      await store.close();
    },
  ],
]);
