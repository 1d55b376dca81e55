import type { ItemState } from "@loopwork/core/ports";
import { noon, same } from "@loopwork/core/testing";
import {
  decide,
  decided,
  eventFor,
  fullItem,
  lineOf,
  refOf,
  refText,
  reply,
  stored,
  turnFor,
  workItemOf,
} from "./build.ts";
import { codeOf, rowsOf, type StoreRow } from "./row.ts";

/** The transaction of a decision. */
export const decisionRows: readonly StoreRow[] = rowsOf("decisions", [
  [
    "a decision keeps its facts, for another handle too",
    async (open) => {
      const store = await open();
      const event = eventFor("a", 1, "line\nbreak \u2028 \u{1F600} \u0000");
      const state = {
        target: { workItem: refOf(1), endpoint: refOf(1), provenance: "itself" as const },
        item: fullItem(1),
        own: "no" as const,
        pinnedActorId: null,
        seenAs: null,
        ownedBy: null,
        now: noon,
      };
      const what = decided({
        event,
        state,
        effects: [turnFor("a", 1, "spawn"), reply(1, "text")],
        key: "k",
      });
      same("result", await decide(store, "a", 1, what), what);
      const again = await open({ now: () => noon + 5 });
      const row = await again.log.decision("a");
      same(
        "facts",
        { event: row?.event, state: row?.state, decision: row?.decision, workItem: row?.workItem },
        { event, state, decision: what.decision, workItem: refText(1) },
      );
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
      const what = decided({
        effects: [turnFor("a", 1), reply(1, "x")],
        lines: [lineOf()],
        after: { ...fullItem(1), lanes: [] },
      });
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
      await decide(
        store,
        "a",
        1,
        decided({
          effects: [turnFor("a", 1), reply(1, "x")],
          after: { ...fullItem(1) },
          lines: [lineOf({ delivery: "a" })],
          key: "k",
          pin: { login: "Ada", id: "7" },
        }),
      );
      same("item", (await store.items.load(refText(1))).workItem, workItemOf(1));
      same(
        "turn",
        (await store.lanes.turns({ limit: 9 })).map((turn) => [turn.lane, turn.state, turn.mode]),
        [[refText(1), "ready", "resume"]],
      );
      same(
        "effect",
        (await store.outbox.due(noon, 9)).map((each) => [
          each.workItem,
          each.deliveryId,
          each.effect,
        ]),
        [[refText(1), "a", reply(1, "x")]],
      );
      same(
        "line",
        (await store.events.list({ limit: 9 })).map((line) => line.delivery),
        ["a"],
      );
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
      same(
        "afterwards",
        (await store.log.decide(seq, refText(1), () => decided()))?.decision.reason,
        "armed",
      );
    },
  ],
  [
    "deciding sees the state as it is in its transaction",
    async (open) => {
      const store = await open();
      await store.items.update(refText(1), () => ({ after: fullItem(1), lines: [] }));
      const seen: ItemState[] = [];
      await store.log.decide(
        await stored(store, "a"),
        refText(1),
        (item) => (seen.push(item), decided()),
      );
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
      same(
        "with effects",
        await codeOf(
          store.log.decide(third, refText(1), () =>
            decided({ key: "k", effects: [turnFor("third", 1)] }),
          ),
        ),
        "LOOP_E_STORE_SEEN_BEFORE",
      );
      same(
        "undecided",
        (await store.log.undecided(9)).map((each) => each.id),
        ["third"],
      );
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
      same(
        "two",
        (await two.log.undecided(9)).map((each) => each.id),
        ["a"],
      );
      same("key of two", await two.log.seenAs("k"), null);
      same("decision of two", await two.log.decision("a"), null);
      same(
        "decision of one, asked by two",
        (await two.log.decision("a", "one"))?.decision,
        (await one.log.decision("a"))?.decision,
      );
      same("decision of an instance that nobody knows", await two.log.decision("a", "three"), null);
      await two.log.decide(1, null, () => decided({ key: "k" }));
      same("key of two", await two.log.seenAs("k"), "a");
    },
  ],
  [
    "what two instances would say of one delivery is said once",
    async (open) => {
      const [one, two] = [await open({ instance: "one" }), await open({ instance: "two" })];
      await decide(
        one,
        "a",
        1,
        decided({ effects: [reply(1, "the label is missing"), reply(1, "of one alone")] }),
      );
      await two.log.decide(1, refText(1), () =>
        decided({ effects: [reply(1, "the label is missing"), reply(1, "of two alone")] }),
      );
      const pending = async (store: typeof one): Promise<unknown> =>
        (await store.outbox.pending({ limit: 9 })).map(({ effect }) => effect);
      same("one", await pending(one), [reply(1, "the label is missing"), reply(1, "of one alone")]);
      same("two", await pending(two), [reply(1, "of two alone")]);
    },
  ],
  [
    "S08: of eight instances that see one start exactly one claims it",
    async (open) => {
      const stores = await Promise.all(
        Array.from({ length: 8 }, (_, n) => open({ instance: `i-${n}` })),
      );
      const [first] = stores;
      if (first === undefined) throw new Error("no store");
      const seq = await stored(first, "start");
      const decisions = await Promise.all(
        stores.map((store, n) =>
          store.log.decide(seq, refText(1), (item) => {
            if (item.workItem?.control.instance != null) return decided();
            const control = {
              ...workItemOf(1).control,
              status: "started" as const,
              instance: `i-${n}`,
            };
            return decided({
              effects: [turnFor("start", 1, "spawn")],
              after: { ...item, workItem: workItemOf(1, { control }) },
            });
          }),
        ),
      );
      same("claims", decisions.filter((each) => each?.decision.effects.length === 1).length, 1);
      same("turns", (await first.lanes.turns({ limit: 9 })).length, 1);
    },
  ],
]);
