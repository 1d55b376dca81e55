import type { Reason } from "@loopwork/core";
import type { Decided, LogQuery } from "@loopwork/core/ports";
import { bytesOf, deliveryOf, noon, same, sameBytes } from "@loopwork/core/testing";
import { decide, decided, lineOf, queueTurn, refText } from "./build.ts";
import { codeOf, rowsOf, type StoreRow } from "./row.ts";

const day = 24 * 60 * 60 * 1000;

/** The log of deliveries. */
export const logRows: readonly StoreRow[] = rowsOf("log", [
  [
    "what is undecided comes in the order of the log, without what was ignored at the door",
    async (open) => {
      const { append, log } = await open();
      for (const id of ["c", "a"]) await append(deliveryOf(id));
      await append(deliveryOf("ping", { ignored: "ping", body: null, digest: "0".repeat(64) }));
      await append(deliveryOf("b"));
      same(
        "undecided",
        (await log.undecided(10)).map((each) => each.id),
        ["c", "a", "b"],
      );
      same(
        "first two",
        (await log.undecided(2)).map((each) => each.seq),
        [1, 2],
      );
      same("none", await log.undecided(0), []);
    },
  ],
  [
    "deliveries may be decided out of order, and none is passed over",
    async (open) => {
      const store = await open();
      for (const id of ["a", "b", "c", "d"]) await store.append(deliveryOf(id));
      for (const [seq, left] of [
        [3, ["a", "b", "d"]],
        [1, ["b", "d"]],
        [4, ["b"]],
        [2, []],
      ] as const) {
        await store.log.decide(seq, null, () => decided());
        same(
          `after ${seq}`,
          (await store.log.undecided(9)).map((each) => each.id),
          left,
        );
      }
      same("backlog", (await store.stats()).undecided, 0);
    },
  ],
  [
    "the list pages by seq, backwards too, and can be kept to one work item",
    async (open) => {
      const store = await open();
      await decide(store, "a", 1, decided());
      await decide(store, "b", 2, decided());
      await store.append(
        deliveryOf("ping", { ignored: "ping", body: null, digest: "0".repeat(64) }),
      );
      await decide(store, "c", 1, decided());
      const ids = async (query: Parameters<typeof store.log.list>[0]): Promise<readonly string[]> =>
        (await store.log.list(query)).map((each) => each.id);
      same("all", await ids({ limit: 9 }), ["a", "b", "ping", "c"]);
      same("page", await ids({ afterSeq: 1, limit: 2 }), ["b", "ping"]);
      same("newest", await ids({ limit: 2, newestFirst: true }), ["c", "ping"]);
      same("older ones", await ids({ limit: 2, newestFirst: true, beforeSeq: 3 }), ["b", "a"]);
      same(
        "older ones of an item",
        await ids({ limit: 2, newestFirst: true, beforeSeq: 4, workItem: refText(1) }),
        ["a"],
      );
      same("before the first", await ids({ limit: 2, newestFirst: true, beforeSeq: 1 }), []);
      same("item", await ids({ limit: 9, workItem: refText(1) }), ["a", "c"]);
      const entries = await store.log.list({ limit: 9 });
      same("decision", entries[0]?.decision, {
        verdict: "noted",
        reason: "armed",
        workItem: refText(1),
      });
      same(
        "ignored",
        [entries[2]?.decision, entries[2]?.ignored, entries[0]?.ignored],
        [null, "ping", null],
      );
    },
  ],
  [
    "what an instance refused is found by its reasons, whatever else it and others have decided",
    async (open) => {
      const [store, other] = [await open(), await open({ instance: "other" })];
      const refused = (reason: Reason): Decided =>
        decided({ decision: { verdict: { kind: "refused", verb: "start" }, reason, effects: [] } });
      for (const id of ["a", "b", "c", "d", "e"]) await store.append(deliveryOf(id));
      const reasons: readonly (Reason | null)[] = [
        "scope-locked",
        null,
        "not-paused",
        "addressed-elsewhere",
        "scope-locked",
      ];
      for (const [n, reason] of reasons.entries())
        await store.log.decide(n + 1, refText(n + 1), () =>
          reason === null
            ? decided({
                decision: { verdict: { kind: "ignored" }, reason: "scope-locked", effects: [] },
              })
            : refused(reason),
        );
      await other.log.decide(2, refText(2), () => refused("scope-locked"));
      const ids = async (
        query: Omit<Extract<LogQuery, { refused: readonly Reason[] }>, "limit">,
        limit: number = 9,
      ): Promise<readonly string[]> =>
        (await store.log.list({ ...query, limit })).map(({ id }) => id);
      same("one reason", await ids({ refused: ["scope-locked"] }), ["a", "e"]);
      same(
        "two, newest first",
        await ids({ refused: ["scope-locked", "addressed-elsewhere"], newestFirst: true }, 2),
        ["e", "d"],
      );
      same(
        "older ones",
        await ids({
          refused: ["scope-locked", "addressed-elsewhere"],
          newestFirst: true,
          beforeSeq: 4,
        }),
        ["a"],
      );
      same("none", await ids({ refused: [] }), []);
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
      same("dropped", await store.log.forgetBodies(noon + day), 1);
      same("again", await store.log.forgetBodies(noon + day), 0);
      same(
        "kept",
        await Promise.all([1, 2, 3, 4].map(async (seq) => (await store.log.body(seq)) !== null)),
        [false, true, true, false],
      );
      same("known", (await store.append(deliveryOf("old"))).kind, "duplicate");
      same("replay", (await store.append(deliveryOf("other", { body }))).kind, "duplicate");
    },
  ],
  [
    "R14: over its bound the inbox refuses, yet knows duplicates and ignored ones, and takes again once it is worked off",
    async (open) => {
      const store = await open({ maxBacklog: 3 });
      const answers = await Promise.allSettled(
        ["a", "b", "c", "d", "e"].map((id) => store.append(deliveryOf(id))),
      );
      same(
        "outcomes",
        answers.map((each) => each.status),
        ["fulfilled", "fulfilled", "fulfilled", "rejected", "rejected"],
      );
      same("code", await codeOf(store.append(deliveryOf("f"))), "LOOP_E_BACKLOG_FULL");
      same("duplicate", (await store.append(deliveryOf("a"))).kind, "duplicate");
      same(
        "ignored",
        (
          await store.append(
            deliveryOf("ping", { ignored: "ping", body: null, digest: "0".repeat(64) }),
          )
        ).kind,
        "accepted",
      );
      same("backlog", (await store.stats()).undecided, 3);
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
      same(
        "turns",
        (await second.lanes.turns({ states: ["ready"], limit: 9 })).map((turn) => turn.mode),
        ["spawn"],
      );
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
