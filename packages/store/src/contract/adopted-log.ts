import { deliveryOf, noon, same } from "@loopwork/core/testing";
import {
  adoption,
  both,
  decide,
  decided,
  lifeOf,
  owned,
  refText,
  reply,
  stored,
  taken,
  turnFor,
} from "./build.ts";
import { rowsOf, type StoreRow } from "./row.ts";

const day = 24 * 60 * 60 * 1000;

/** What whoever adopts a work item has to decide of the log. */
export const adoptedLogRows: readonly StoreRow[] = rowsOf("adopted-log", [
  [
    "what was said while nobody worked on the item is decided anew by the one that adopts it, and by nobody twice",
    async (open) => {
      const [north, south] = await both(open);
      await owned(north, 1, "started");
      await decide(north, "both", 1, decided());
      const seqs = new Map((await south.log.undecided(9)).map(({ id, seq }) => [id, seq]));
      const elsewhere = decided({
        decision: { verdict: { kind: "ignored" }, reason: "owned-elsewhere", effects: [] },
        key: "k",
      });
      await south.log.decide(seqs.get("both") ?? 0, refText(1), () => elsewhere);
      await decide(south, "missed", 1, { ...elsewhere, key: "m" });
      // One that reads ahead of the owner does not know yet that the item was started.
      await decide(
        south,
        "early",
        1,
        decided({ decision: { verdict: { kind: "ignored" }, reason: "not-started", effects: [] } }),
      );
      await decide(
        south,
        "locked",
        1,
        decided({
          decision: {
            verdict: { kind: "refused", verb: "start" },
            reason: "scope-locked",
            effects: [],
          },
        }),
      );
      await decide(
        south,
        "told",
        1,
        decided({
          decision: {
            verdict: { kind: "refused", verb: "start" },
            reason: "scope-locked",
            effects: [reply(1, "no")],
          },
        }),
      );
      await decide(south, "noted", 1, decided());
      await decide(south, "other", 2, { ...elsewhere, key: "o" });
      same("all decided", (await south.stats()).undecided, 0);
      same("adopted", await south.instances.adopt("north", refText(1), adoption), {
        uncertain: [],
        begun: [],
        decidedAnew: 3,
      });
      same(
        "again",
        (await south.log.undecided(9)).map(({ id }) => id),
        ["missed", "early", "locked"],
      );
      same("counted", (await south.stats()).undecided, 3);
      for (const { seq } of (await south.log.undecided(9)).slice(1))
        await south.log.decide(seq, refText(1), () => decided());
      await south.log.decide((await south.log.undecided(1))[0]?.seq ?? 0, refText(1), () =>
        decided({ effects: [turnFor("missed", 1)], key: "m" }),
      );
      same(
        "done",
        [
          (await south.log.undecided(9)).length,
          (await taken(south)).turn.inputs.map(({ deliveryId }) => deliveryId),
        ],
        [0, ["missed"]],
      );
    },
  ],
  [
    "who adopts reads on from where the old owner had come to, however long ago that was, also before its own first life",
    async (open) => {
      const north = await open({ instance: "north" });
      await north.instances.enter(lifeOf("one"));
      await owned(north, 1, "started");
      for (const [id, age] of [
        ["first", 30],
        ["missed", 20],
        ["week", 5],
      ] as const)
        await north.append(deliveryOf(id, { receivedAt: noon - age * day }));
      await north.log.decide(1, refText(1), () => decided());
      for (const early of [true, false]) {
        const south = await open({ instance: early ? "early" : "later" });
        if (!early) await south.instances.enter(lifeOf("two"));
        if (!early)
          same(
            "recent",
            (await south.log.undecided(9)).map(({ id }) => id),
            ["week"],
          );
        await owned(south, 1, "started");
        await south.instances.adopt("north", refText(1), { ...adoption, fold: (item) => item });
        if (early) await south.instances.enter(lifeOf("three"));
        same(
          "read on",
          [(await south.log.undecided(9)).map(({ id }) => id), (await south.stats()).undecided],
          [["missed", "week"], 2],
        );
      }
    },
  ],
  [
    "what adopting gives back is decided before what was read already",
    async (open) => {
      const [north, south] = await both(open);
      await owned(north, 1, "started");
      await decide(
        south,
        "missed",
        1,
        decided({
          decision: { verdict: { kind: "ignored" }, reason: "owned-elsewhere", effects: [] },
        }),
      );
      const later = await stored(south, "later");
      const read = (await south.log.undecided(9)).map(({ seq }) => seq);
      await south.instances.adopt("north", refText(1), adoption);
      const turn = (id: string) => () => decided({ effects: [turnFor(id, 1)] });
      same("overtaken", await south.log.decide(later, refText(1), turn("later"), read), null);
      const again = await south.log.undecided(9);
      for (const { id, seq } of again)
        await south.log.decide(
          seq,
          refText(1),
          turn(id),
          again.map((each) => each.seq),
        );
      same(
        "in order",
        (await south.lanes.turns({ lane: refText(1), limit: 9 })).map(
          ({ inputs }) => inputs[0]?.deliveryId,
        ),
        ["missed", "later"],
      );
    },
  ],
  [
    "one that was turned away a moment ago and is given back goes first as well, whatever was read along with it; one that waits keeps nobody",
    async (open) => {
      const [north, south] = await both(open);
      await owned(north, 1, "started");
      const [older, newer, newest] = [
        await stored(south, "older"),
        await stored(south, "newer"),
        await stored(south, "newest"),
      ];
      await south.log.decide(
        older,
        refText(1),
        () =>
          decided({
            decision: { verdict: { kind: "ignored" }, reason: "owned-elsewhere", effects: [] },
          }),
        [],
      );
      await south.instances.adopt("north", refText(1), adoption);
      same("overtaken", await south.log.decide(newer, refText(1), () => decided(), []), null);
      same(
        "first",
        (await south.log.decide(older, refText(1), () => decided(), []))?.decision.reason,
        "armed",
      );
      same(
        "waits",
        (await south.log.decide(newest, refText(1), () => decided(), [newer]))?.decision.reason,
        "armed",
      );
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
      same(
        "left",
        [(await south.log.undecided(9)).map(({ id }) => id), (await south.stats()).undecided],
        [["elsewhere"], 1],
      );
      same(
        "noted",
        [(await south.log.decision("first"))?.decision.reason, await south.log.seenAs("k")],
        ["owned-elsewhere", "first"],
      );
      same("kept", (await north.log.decision("first"))?.decision.reason, "armed");
    },
  ],
]);
