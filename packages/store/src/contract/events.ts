import { deliveryOf, noon, same } from "@loopwork/core/testing";
import {
  alone,
  decide,
  decided,
  holdLane,
  holdOf,
  lineOf,
  queueTurn,
  refText,
  reply,
  stored,
  taken,
} from "./build.ts";
import { rowsOf, type StoreRow } from "./row.ts";

/** The event log and the counts of `status`. */
export const eventRows: readonly StoreRow[] = rowsOf("events", [
  [
    "lines keep their fields and get growing ids",
    async (open) => {
      const { events } = await open();
      const line = lineOf({
        kind: "workspace.trusted",
        level: "warn",
        workItem: refText(1),
        delivery: "a",
        reason: "r",
        fields: { text: "\u001b[31m\n", number: 1.5, yes: true, none: null },
      });
      await events.append([line, lineOf()]);
      same("lines", await events.list({ limit: 9 }), [
        { id: 1, ...line },
        { id: 2, ...lineOf() },
      ]);
    },
  ],
  [
    "filters add up, pages follow the id, newest first on request",
    async (open) => {
      const { events } = await open();
      await events.append([
        lineOf({ time: noon, kind: "turn.done", workItem: "w", delivery: "a" }),
        lineOf({ time: noon + 1, kind: "turn.done", workItem: "w", delivery: "b" }),
        lineOf({ time: noon + 2, kind: "turn.failed", workItem: "w", delivery: "b" }),
        lineOf({ time: noon + 3, kind: "turn.done", workItem: "v", delivery: "b" }),
      ]);
      const ids = async (
        query: Omit<Parameters<typeof events.list>[0], "limit">,
        limit: number = 9,
      ): Promise<readonly number[]> =>
        (await events.list({ ...query, limit })).map((line) => line.id);
      same("kind", await ids({ kind: "turn.done" }), [1, 2, 4]);
      same("kind and item", await ids({ kind: "turn.done", workItem: refText(1) }), []);
      same("delivery", await ids({ delivery: "b", since: noon + 2 }), [3, 4]);
      same("page", await ids({ afterId: 1 }, 2), [2, 3]);
      same("newest", await ids({ newestFirst: true }, 2), [4, 3]);
      same(
        "older ones",
        await ids({ newestFirst: true, beforeId: 3, kind: "turn.done" }, 9),
        [2, 1],
      );
    },
  ],
  [
    "a line is found by the comment that it names, however many came after it",
    async (open) => {
      const { events } = await open();
      const posted = (comment: string | null): ReturnType<typeof lineOf> =>
        lineOf({ kind: "host.posted", fields: { comment } });
      await events.append([
        posted("42"),
        posted(null),
        lineOf(),
        ...Array.from({ length: 20 }, (_, n) => posted(String(100 + n))),
      ]);
      const ids = async (comment: string): Promise<readonly number[]> =>
        (await events.list({ kind: "host.posted", comment, limit: 3, newestFirst: true })).map(
          ({ id }) => id,
        );
      same("there", await ids("42"), [1]);
      same("not there", await ids("4"), []);
    },
  ],
  [
    "old lines can go, and their ids are not given again",
    async (open) => {
      const { events } = await open();
      await events.append([lineOf({ time: noon }), lineOf({ time: noon + 1 })]);
      same("forgotten", await events.forget(noon + 2), 2);
      await events.append([lineOf()]);
      same(
        "next id",
        (await events.list({ limit: 9 })).map((line) => line.id),
        [3],
      );
    },
  ],
  [
    "the counts say what waits, what is held and what is at work",
    async (open) => {
      const store = await open({ now: () => noon });
      await stored(store, "waiting");
      await queueTurn(store, "a", 1);
      await queueTurn(store, "b", 2);
      await queueTurn(store, "c", 3);
      await decide(store, "d", 4, decided({ effects: [reply(4, "x")] }));
      await holdLane(store, 3, holdOf("paused"));
      await holdLane(store, 2, holdOf("backoff", noon - 1));
      const lane = await taken(store, noon, "me", alone);
      await store.lanes.renew({ ...lane.lease, fence: 0 }, noon, 1);
      const { turns, ...counts } = await store.stats();
      same("counts", counts, {
        undecided: 1,
        lanesHeld: 1,
        lanesLeased: 1,
        pendingEffects: 1,
        lateWrites: 1,
      });
      same("turns", turns, {
        ready: 3,
        injecting: 0,
        done: 0,
        failed: 0,
        uncertain: 0,
        dropped: 0,
      });
    },
  ],
  [
    "what happened is counted step by step: deliveries that were not ignored, decisions, and turns that failed, each once however many lines tell it",
    async (open) => {
      const store = await open();
      await store.append({ ...deliveryOf("a"), receivedAt: noon });
      await store.append({ ...deliveryOf("b"), receivedAt: noon + 59 });
      await store.append({ ...deliveryOf("c"), receivedAt: noon + 61, ignored: "ping" });
      await store.append({ ...deliveryOf("d"), receivedAt: noon - 1 });
      await store.events.append([
        lineOf({ time: noon + 1 }),
        lineOf({ time: noon + 130 }),
        lineOf({ time: noon + 130, kind: "turn.failed", delivery: "a" }),
        lineOf({ time: noon + 130, kind: "lane.held", reason: "failed", delivery: "a" }),
        lineOf({ time: noon + 131, kind: "lane.held", reason: "failed" }),
        lineOf({ time: noon + 131, kind: "lane.held", reason: "paused" }),
        lineOf({ time: noon + 131, kind: "turn.done" }),
        lineOf({ time: noon - 1 }),
      ]);
      same("steps", await store.activity({ since: noon, stepMs: 60 }), [
        { at: noon, accepted: 2, decided: 1, failed: 0 },
        { at: noon + 120, accepted: 0, decided: 1, failed: 2 },
      ]);
      same("later", await store.activity({ since: noon + 1_000, stepMs: 60 }), []);
    },
  ],
]);
