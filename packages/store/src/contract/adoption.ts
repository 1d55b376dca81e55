import { adoptedBy } from "@loopwork/core";
import type { Adoption, Store } from "@loopwork/core/ports";
import { deliveryOf, noon, same } from "@loopwork/core/testing";
import { begin, decide, decided, endOf, holdOf, leaseMs, lifeOf, lineOf, owned, queueTurn, refOf, refText, reply, sessionOf, setItem, stored, take, taken, turnFor } from "./build.ts";
import { type OpenHandle, rowsOf, type StoreRow } from "./row.ts";

const day = 24 * 60 * 60 * 1000;

/** What passes from one instance to another (decisions.md 6; S08, S09). */
export const adoptionRows: readonly StoreRow[] = rowsOf("adoption", [
  [
    "adopting moves state, lanes and posts; the fence shuts the old owner out; what waits is taken by the new one alone",
    async (open) => {
      const [north, south] = await both(open);
      await owned(north, 1, "started");
      await setItem(north, 1, { sessions: [sessionOf(1, { workdir: "/north/1" })], lanes: [{ endpoint: refText(1), hold: null }] });
      await decide(north, "a", 1, decided({ effects: [turnFor("a", 1), reply(1, "hello")] }));
      const lane = await taken(north);
      same("adopted", await south.instances.adopt("north", refText(1), adoption), { uncertain: [], begun: [], decidedAnew: 0 });
      const item = await south.items.load(refText(1));
      same("item", [item.workItem?.control.instance, item.workItem?.control.status, item.sessions], ["south", "started", []]);
      same("late", [await begin(north, lane), await north.lanes.renew(lane.lease, noon, leaseMs), await take(north)], [false, false, null]);
      same("posts", [(await north.outbox.pending({ limit: 9 })).length, (await south.outbox.pending({ limit: 9 })).map(({ effect }) => effect.kind)], [0, ["reply"]]);
      same("fence", (await taken(south)).lease.fence, 3);
      same("once", await south.instances.adopt("north", refText(1), adoption), null);
      same("itself", await south.instances.adopt("south", refText(1), adoption), null);
      same("line", (await south.events.list({ limit: 9 })).filter(({ reason }) => reason === "adopted").length, 1);
    },
  ],
  [
    "S09: a reply whose posting had begun is posted by nobody again: it fails, and who adopts is told; the old owner may neither begin another nor end one",
    async (open) => {
      const [north, south] = await both(open);
      await owned(north, 1, "started");
      await decide(north, "a", 1, decided({ effects: [reply(1, "begun"), reply(1, "waits"), { kind: "react", on: { thread: refOf(1), surface: "conversation", commentId: "7" }, reaction: "eyes" }] }));
      const [begun, waits, reaction] = await north.outbox.pending({ limit: 9 });
      const claim = { state: "pending", notBefore: noon, note: "is being posted", tried: true } as const;
      for (const each of [begun, reaction]) same("claimed", await north.outbox.settle(each?.id ?? 0, claim, null, []), true);
      const lines: Adoption["lines"] = ({ begun: posts }) => posts.map(({ id }) => lineOf({ reason: `left ${id}` }));
      const adopted = await south.instances.adopt("north", refText(1), { ...adoption, lines });
      same("told", adopted?.begun.map(({ id, deliveryId, effect }) => [id, deliveryId, effect]), [[begun?.id, "a", reply(1, "begun")]]);
      same("line", (await south.events.list({ limit: 9 })).map(({ reason }) => reason), [`left ${begun?.id}`]);
      same("left", (await south.outbox.pending({ limit: 9 })).map(({ id }) => id), [waits?.id, reaction?.id]);
      const done = { state: "done", note: "comment 7" } as const;
      same("late", [await north.outbox.settle(begun?.id ?? 0, done, null, []), await north.outbox.settle(waits?.id ?? 0, claim, null, [])], [false, false]);
      same("its own", await south.outbox.settle(waits?.id ?? 0, claim, null, []), true);
    },
  ],
  [
    "who may be adopted from is asked in the same transaction: an owner that lives keeps everything, also one whose life began this moment",
    async (open) => {
      const [north, south] = await both(open);
      await owned(north, 1, "started");
      const seen: (string | null)[] = [];
      const check: Adoption["check"] = (row) => {
        seen.push(row?.name ?? null);
        if (row !== null && !row.ended) throw new Error(`${row.name} lives`);
      };
      const refused = await south.instances.adopt("north", refText(1), { ...adoption, check }).then(() => "adopted", (error: unknown) => String(error));
      same("refused", [refused, (await south.items.load(refText(1))).workItem?.control.instance, await south.events.list({ limit: 9 })], ["Error: north lives", "north", []]);
      await north.instances.leave();
      same("ended", (await south.instances.adopt("north", refText(1), { ...adoption, check }))?.uncertain, []);
      same("nobody", await south.instances.adopt("west", refText(1), { ...adoption, check }), null);
      same("asked", seen, ["north", "north", null]);
    },
  ],
  [
    "S09: a turn that was under way there is uncertain and holds its lane until a person decides; its end that comes late changes nothing",
    async (open) => {
      const [north, south] = await both(open);
      await owned(north, 1, "started");
      await queueTurn(north, "a", 1);
      await queueTurn(north, "b", 1);
      const lane = await taken(north);
      await begin(north, lane);
      same("adopted", await south.instances.adopt("north", refText(1), adoption), { uncertain: [lane.turn.id], begun: [], decidedAnew: 0 });
      same("late", await north.lanes.settle(lane.lease, lane.turn.id, endOf()), false);
      same("turn", [(await south.lanes.turn(lane.turn.id))?.state, (await south.lanes.turn(lane.turn.id))?.note], ["uncertain", "it was under way on north"]);
      same("held", (await south.items.load(refText(1))).lanes, [{ endpoint: refText(1), hold: { reason: "uncertain", until: null, detail: "it was under way on north" } }]);
      same("nothing", await take(south), null);
      same("retried", await south.lanes.resolve(lane.turn.id, "retry", "by hand", []), true);
      same("continued", (await taken(south)).turn.next, "continue");
    },
  ],
  [
    "holds that only the old machine could lift go with it, ends that only it could carry out as well; a pause stays",
    async (open) => {
      const [north, south] = await both(open);
      await owned(north, 1, "paused");
      await setItem(north, 1, { lanes: [{ endpoint: refText(1), hold: holdOf("paused") }, { endpoint: refText(101), hold: holdOf("login") }] });
      await decide(north, "a", 1, decided({ effects: [{ kind: "release", workItem: { host: null, owner: "octo", repo: "app", number: 1 }, why: "cleaned-up" }] }));
      await south.instances.adopt("north", refText(1), adoption);
      same("holds", (await south.items.load(refText(1))).lanes.map(({ hold }) => hold?.reason ?? null), ["paused", null]);
      same("ends", [(await north.outbox.pending({ limit: 9 })).length, (await south.outbox.pending({ limit: 9 })).length], [0, 0]);
    },
  ],
  [
    "what was said while nobody worked on the item is decided anew by the one that adopts it, and by nobody twice",
    async (open) => {
      const [north, south] = await both(open);
      await owned(north, 1, "started");
      await decide(north, "both", 1, decided());
      const seqs = new Map((await south.log.undecided(9)).map(({ id, seq }) => [id, seq]));
      const elsewhere = decided({ decision: { verdict: { kind: "ignored" }, reason: "owned-elsewhere", effects: [] }, key: "k" });
      await south.log.decide(seqs.get("both") ?? 0, refText(1), () => elsewhere);
      await decide(south, "missed", 1, { ...elsewhere, key: "m" });
      // One that reads ahead of the owner does not know yet that the item was started.
      await decide(south, "early", 1, decided({ decision: { verdict: { kind: "ignored" }, reason: "not-started", effects: [] } }));
      await decide(south, "locked", 1, decided({ decision: { verdict: { kind: "refused", verb: "start" }, reason: "scope-locked", effects: [] } }));
      await decide(south, "told", 1, decided({ decision: { verdict: { kind: "refused", verb: "start" }, reason: "scope-locked", effects: [reply(1, "no")] } }));
      await decide(south, "noted", 1, decided());
      await decide(south, "other", 2, { ...elsewhere, key: "o" });
      same("all decided", (await south.stats()).undecided, 0);
      same("adopted", await south.instances.adopt("north", refText(1), adoption), { uncertain: [], begun: [], decidedAnew: 3 });
      same("again", (await south.log.undecided(9)).map(({ id }) => id), ["missed", "early", "locked"]);
      same("counted", (await south.stats()).undecided, 3);
      for (const { seq } of (await south.log.undecided(9)).slice(1)) await south.log.decide(seq, refText(1), () => decided());
      await south.log.decide((await south.log.undecided(1))[0]?.seq ?? 0, refText(1), () => decided({ effects: [turnFor("missed", 1)], key: "m" }));
      same("done", [(await south.log.undecided(9)).length, (await taken(south)).turn.inputs.map(({ deliveryId }) => deliveryId)], [0, ["missed"]]);
    },
  ],
  [
    "who adopts reads on from where the old owner had come to, however long ago that was, also before its own first life",
    async (open) => {
      const north = await open({ instance: "north" });
      await north.instances.enter(lifeOf("one"));
      await owned(north, 1, "started");
      for (const [id, age] of [["first", 30], ["missed", 20], ["week", 5]] as const) await north.append(deliveryOf(id, { receivedAt: noon - age * day }));
      await north.log.decide(1, refText(1), () => decided());
      for (const early of [true, false]) {
        const south = await open({ instance: early ? "early" : "later" });
        if (!early) await south.instances.enter(lifeOf("two"));
        if (!early) same("recent", (await south.log.undecided(9)).map(({ id }) => id), ["week"]);
        await owned(south, 1, "started");
        await south.instances.adopt("north", refText(1), { ...adoption, fold: (item) => item });
        if (early) await south.instances.enter(lifeOf("three"));
        same("read on", [(await south.log.undecided(9)).map(({ id }) => id), (await south.stats()).undecided], [["missed", "week"], 2]);
      }
    },
  ],
  [
    "what adopting gives back is decided before what was read already",
    async (open) => {
      const [north, south] = await both(open);
      await owned(north, 1, "started");
      await decide(south, "missed", 1, decided({ decision: { verdict: { kind: "ignored" }, reason: "owned-elsewhere", effects: [] } }));
      const later = await stored(south, "later");
      const read = (await south.log.undecided(9)).map(({ seq }) => seq);
      await south.instances.adopt("north", refText(1), adoption);
      const turn = (id: string) => () => decided({ effects: [turnFor(id, 1)] });
      same("overtaken", await south.log.decide(later, refText(1), turn("later"), read), null);
      const again = await south.log.undecided(9);
      for (const { id, seq } of again) await south.log.decide(seq, refText(1), turn(id), again.map((each) => each.seq));
      same("in order", (await south.lanes.turns({ lane: refText(1), limit: 9 })).map(({ inputs }) => inputs[0]?.deliveryId), ["missed", "later"]);
    },
  ],
  [
    "what the old owner has decided is never decided as its own by the one that adopts, however far behind that one is",
    async (open) => {
      const [north, south] = await both(open);
      await owned(north, 1, "started");
      await decide(north, "first", 1, decided({ effects: [turnFor("first", 1)], key: "k" }));
      await decide(north, "elsewhere", 2, decided());
      same("behind", (await south.stats()).undecided, 2);
      await south.instances.adopt("north", refText(1), adoption);
      same("left", [(await south.log.undecided(9)).map(({ id }) => id), (await south.stats()).undecided], [["elsewhere"], 1]);
      same("noted", [(await south.log.decision("first"))?.decision.reason, await south.log.seenAs("k")], ["owned-elsewhere", "first"]);
      same("kept", (await north.log.decision("first"))?.decision.reason, "armed");
    },
  ],
]);

const adoption: Adoption = { fold: (item) => adoptedBy(item, "north", "south"), note: "it was under way on north", check: () => {}, lines: () => [lineOf({ reason: "adopted" })] };

async function both(open: OpenHandle): Promise<readonly [north: Store, south: Store]> {
  const stores = [await open({ instance: "north" }), await open({ instance: "south" })] as const;
  for (const [n, store] of stores.entries()) await store.instances.enter(lifeOf(`life-${n}`));
  return stores;
}
