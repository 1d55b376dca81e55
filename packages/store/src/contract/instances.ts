import { deliveryOf, noon, same } from "@loopwork/core/testing";
import {
  adoption,
  begin,
  both,
  decided,
  endOf,
  leaseMs,
  lifeOf,
  lineOf,
  owned,
  queueTurn,
  refText,
  sessionOf,
  setItem,
  take,
  taken,
} from "./build.ts";
import { codeOf, rowsOf, type StoreRow } from "./row.ts";

const day = 24 * 60 * 60 * 1000;

/** Instances and their lives. */
export const instanceRows: readonly StoreRow[] = rowsOf("instances", [
  [
    "opening a store begins no life; a life is listed with its scope and how long ago it was seen, and ends",
    async (open) => {
      const clock = { now: noon };
      const store = await open({ instance: "north", now: () => clock.now });
      same("nobody", await store.instances.list(), []);
      await store.instances.enter(lifeOf("one", "left-host"));
      clock.now += 2_000;
      same(
        "beat",
        await store.instances.beat({ mode: "addressed", workItems: [refText(4)] }),
        true,
      );
      same(
        "listed",
        (await store.instances.list()).map(({ name, machine, scope, ended, drained }) => ({
          name,
          machine,
          scope,
          ended,
          drained,
        })),
        [
          {
            name: "north",
            machine: "left-host",
            scope: { mode: "addressed", workItems: [refText(4)] },
            ended: false,
            drained: false,
          },
        ],
      );
      await store.instances.leave();
      same(
        "ended",
        (await store.instances.list()).map(({ ended }) => ended),
        [true],
      );
      await store.instances.enter(lifeOf("two"));
      same(
        "again",
        (await store.instances.list()).map(({ ended, machine }) => [ended, machine]),
        [[false, "here"]],
      );
    },
  ],
  [
    "S09: of two lives of one instance the later one is the present one: the earlier gets no lane, takes up no turn, and its word changes nothing",
    async (open) => {
      const [earlier, later] = [await open(), await open()];
      await earlier.instances.enter(lifeOf("one"));
      await queueTurn(earlier, "a", 1);
      await queueTurn(earlier, "b", 2);
      const lane = await taken(earlier);
      await begin(earlier, lane);
      await later.instances.enter(lifeOf("two"));
      same("take", await take(earlier), null);
      same(
        "orphans",
        await earlier.lanes.orphans({ owner: "me", now: noon + leaseMs, leaseMs }),
        [],
      );
      same("beat", await earlier.instances.beat({ mode: "locked", workItems: [] }), false);
      await earlier.instances.leave();
      same(
        "unchanged",
        (await later.instances.list()).map(({ ended, scope }) => [ended, scope.mode]),
        [[false, "open"]],
      );
      same(
        "taken up",
        (await later.lanes.orphans({ owner: "me", now: noon, leaseMs })).map(
          ({ lease }) => lease.fence,
        ),
        [2],
      );
      same("late", await earlier.lanes.settle(lane.lease, lane.turn.id, endOf()), false);
      same("next", (await taken(later)).lease.lane, refText(2));
    },
  ],
  [
    "a handle that began no life takes lanes as before",
    async (open) => {
      const [dispatching, other] = [await open(), await open()];
      await dispatching.instances.enter(lifeOf("one"));
      await queueTurn(other, "a", 1);
      same("taken", (await taken(other)).lease.lane, refText(1));
    },
  ],
  [
    "an instance is told to take nothing new, and hears it, also when it begins another life; an unknown one cannot be told",
    async (open) => {
      const [north, south] = [await open({ instance: "north" }), await open({ instance: "south" })];
      same("unknown", await south.instances.drain("north", true, [lineOf()]), false);
      same("no line", await south.events.list({ limit: 9 }), []);
      await north.instances.enter(lifeOf("one"));
      same("told", await south.instances.drain("north", true, [lineOf({ reason: "told" })]), true);
      same(
        "line",
        (await south.events.list({ limit: 9 })).map(({ reason }) => reason),
        ["told"],
      );
      await north.instances.enter(lifeOf("two"));
      same(
        "drained",
        [await north.instances.isDrained(), await south.instances.isDrained()],
        [true, false],
      );
      await south.instances.drain("north", false, []);
      same("no more", await north.instances.isDrained(), false);
    },
  ],
  [
    "an instance that begins its first life has what came in the last seven days to decide, and refuses nobody for what is older",
    async (open) => {
      const north = await open({ instance: "north" });
      for (const [id, age] of [
        ["old", 8],
        ["older", 9],
        ["week", 6.9],
        ["late", 7.5],
        ["new", 0],
      ] as const)
        await north.append(deliveryOf(id, { receivedAt: noon - age * day }));
      const clock = { now: noon };
      const south = await open({ instance: "south", now: () => clock.now, maxBacklog: 4 });
      same("before", await codeOf(south.append(deliveryOf("refused"))), "LOOP_E_BACKLOG_FULL");
      await south.instances.enter(lifeOf("one"));
      const left = async (): Promise<unknown> => [
        (await south.log.undecided(9)).map(({ id }) => id),
        (await south.stats()).undecided,
      ];
      same("to decide", await left(), [["week", "late", "new"], 3]);
      same("room", (await south.append(deliveryOf("taken"))).kind, "accepted");
      clock.now += 30 * day;
      await south.instances.enter(lifeOf("two"));
      same("its own stays", await left(), [["week", "late", "new", "taken"], 4]);
      const east = await open({ instance: "east" });
      await east.log.decide(4, null, () => decided());
      await east.instances.enter(lifeOf("three"));
      same("one that decided before has all", (await east.stats()).undecided, 5);
    },
  ],
  [
    "the work items of an instance: which it was asked for, with an active session, or with turns that stand",
    async (open) => {
      const north = await open({ instance: "north" });
      await owned(north, 1, "started");
      await owned(north, 2, "paused");
      await owned(north, 3, "stopped");
      await setItem(north, 4, {
        sessions: [sessionOf(4)],
        lanes: [{ endpoint: refText(4), hold: null }],
      });
      await setItem(north, 5, {
        sessions: [sessionOf(5, { status: "closed" })],
        lanes: [{ endpoint: refText(5), hold: null }],
      });
      await queueTurn(north, "a", 6);
      same("theirs", await north.instances.itemsOf("north"), [1, 2, 3, 4, 6].map(refText));
      same("nobody's", await north.instances.itemsOf("south"), []);
    },
  ],
  [
    "the counts are those of the instance alone, and what passes to another counts there",
    async (open) => {
      const [north, south] = await both(open);
      await owned(north, 1, "started");
      await queueTurn(north, "a", 1);
      const ready = async (): Promise<unknown> => [
        (await north.stats()).turns.ready,
        (await south.stats()).turns.ready,
      ];
      same("of its own", await ready(), [1, 0]);
      await south.instances.adopt("north", refText(1), adoption);
      same("passed on", await ready(), [0, 1]);
    },
  ],
]);
