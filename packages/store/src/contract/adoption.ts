import type { Adoption, ItemState, Store } from "@loopwork/core/ports";
import { noon, same } from "@loopwork/core/testing";
import {
  adoption,
  begin,
  both,
  decide,
  decided,
  endOf,
  holdOf,
  leaseMs,
  lifeOf,
  lineOf,
  owned,
  queueTurn,
  refOf,
  refText,
  reply,
  sessionOf,
  setItem,
  take,
  taken,
  turnFor,
} from "./build.ts";
import { rowsOf, type StoreRow } from "./row.ts";

/** What passes from one instance to another. */
export const adoptionRows: readonly StoreRow[] = rowsOf("adoption", [
  [
    "adopting moves state, lanes and posts; the fence shuts the old owner out; what waits is taken by the new one alone",
    async (open) => {
      const [north, south] = await both(open);
      await owned(north, 1, "started");
      await setItem(north, 1, {
        sessions: [sessionOf(1, { workdir: "/north/1" })],
        lanes: [{ endpoint: refText(1), hold: null }],
      });
      await decide(north, "a", 1, decided({ effects: [turnFor("a", 1), reply(1, "hello")] }));
      const lane = await taken(north);
      same("adopted", await south.instances.adopt("north", refText(1), adoption), {
        uncertain: [],
        begun: [],
        decidedAnew: 0,
      });
      const item = await south.items.load(refText(1));
      same(
        "item",
        [item.workItem?.control.instance, item.workItem?.control.status, item.sessions],
        ["south", "started", []],
      );
      same(
        "late",
        [
          await begin(north, lane),
          await north.lanes.renew(lane.lease, noon, leaseMs),
          await take(north),
        ],
        [false, false, null],
      );
      same(
        "posts",
        [
          (await north.outbox.pending({ limit: 9 })).length,
          (await south.outbox.pending({ limit: 9 })).map(({ effect }) => effect.kind),
        ],
        [0, ["reply"]],
      );
      same("fence", (await taken(south)).lease.fence, 3);
      same("once", await south.instances.adopt("north", refText(1), adoption), null);
      same("itself", await south.instances.adopt("south", refText(1), adoption), null);
      same(
        "line",
        (await south.events.list({ limit: 9 })).filter(({ reason }) => reason === "adopted").length,
        1,
      );
    },
  ],
  [
    "S09: a reply whose posting had begun is posted by nobody again: it fails, and who adopts is told; the old owner may neither begin another nor end one",
    async (open) => {
      const [north, south] = await both(open);
      await owned(north, 1, "started");
      await decide(
        north,
        "a",
        1,
        decided({
          effects: [
            reply(1, "begun"),
            reply(1, "waits"),
            {
              kind: "react",
              on: { thread: refOf(1), surface: "conversation", commentId: "7" },
              reaction: "eyes",
            },
          ],
        }),
      );
      const [begun, waits, reaction] = await north.outbox.pending({ limit: 9 });
      const claim = {
        state: "pending",
        notBefore: noon,
        note: "is being posted",
        tried: true,
      } as const;
      for (const each of [begun, reaction])
        same("claimed", await north.outbox.settle(each?.id ?? 0, claim, null, []), true);
      const lines: Adoption["lines"] = ({ begun: posts }) =>
        posts.map(({ id }) => lineOf({ reason: `left ${id}` }));
      const adopted = await south.instances.adopt("north", refText(1), { ...adoption, lines });
      same(
        "told",
        adopted?.begun.map(({ id, deliveryId, effect }) => [id, deliveryId, effect]),
        [[begun?.id, "a", reply(1, "begun")]],
      );
      same(
        "line",
        (await south.events.list({ limit: 9 })).map(({ reason }) => reason),
        [`left ${begun?.id}`],
      );
      same(
        "left",
        (await south.outbox.pending({ limit: 9 })).map(({ id }) => id),
        [waits?.id, reaction?.id],
      );
      const done = { state: "done", note: "comment 7" } as const;
      same(
        "late",
        [
          await north.outbox.settle(begun?.id ?? 0, done, null, []),
          await north.outbox.settle(waits?.id ?? 0, claim, null, []),
        ],
        [false, false],
      );
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
      const refused = await south.instances.adopt("north", refText(1), { ...adoption, check }).then(
        () => "adopted",
        (error: unknown) => String(error),
      );
      same(
        "refused",
        [
          refused,
          (await south.items.load(refText(1))).workItem?.control.instance,
          await south.events.list({ limit: 9 }),
        ],
        ["Error: north lives", "north", []],
      );
      await north.instances.leave();
      same(
        "ended",
        (await south.instances.adopt("north", refText(1), { ...adoption, check }))?.uncertain,
        [],
      );
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
      same("adopted", await south.instances.adopt("north", refText(1), adoption), {
        uncertain: [lane.turn.id],
        begun: [],
        decidedAnew: 0,
      });
      same("late", await north.lanes.settle(lane.lease, lane.turn.id, endOf()), false);
      same(
        "turn",
        [
          (await south.lanes.turn(lane.turn.id))?.state,
          (await south.lanes.turn(lane.turn.id))?.note,
        ],
        ["uncertain", "it was under way on north"],
      );
      same("held", (await south.items.load(refText(1))).lanes, [
        {
          endpoint: refText(1),
          hold: { reason: "uncertain", until: null, detail: "it was under way on north" },
        },
      ]);
      same("nothing", await take(south), null);
      same("retried", await south.lanes.resolve(lane.turn.id, "retry", "by hand", []), true);
      same("continued", (await taken(south)).turn.next, "continue");
    },
  ],
  [
    "S09: what the old owner still writes of an item changes nothing and is counted; the new one writes, and so does whoever has what nobody was asked for",
    async (open) => {
      const [north, south] = await both(open);
      await owned(north, 1, "started");
      await queueTurn(north, "a", 1);
      await queueTurn(north, "b", 2);
      const write = ({ items }: Store, number: number, login: string): Promise<ItemState | null> =>
        items.updateOwn(refText(number), (item) => ({
          after: {
            ...item,
            collaborators: [...item.collaborators, { login, id: null, grantedBy: "ada", at: noon }],
          },
          lines: [lineOf({ reason: login })],
        }));
      same(
        "before",
        [
          await write(north, 1, "before"),
          await write(north, 2, "lane"),
          await write(south, 3, "nobody's"),
        ].includes(null),
        false,
      );
      same("another's", [await write(south, 1, "no"), await write(south, 2, "no")], [null, null]);
      for (const number of [1, 2])
        await south.instances.adopt("north", refText(number), { ...adoption, lines: () => [] });
      same("late", [await write(north, 1, "late"), await write(north, 2, "late")], [null, null]);
      same("counted", [(await north.stats()).lateWrites, (await south.stats()).lateWrites], [2, 2]);
      same(
        "new",
        (await write(south, 1, "new"))?.collaborators.map(({ login }) => login),
        ["before", "new"],
      );
      same(
        "lines",
        (await south.events.list({ limit: 9 })).map(({ reason }) => reason),
        ["before", "lane", "nobody's", "new"],
      );
      const later = await open({ instance: "south" });
      await later.instances.enter(lifeOf("later"));
      same("earlier life", await write(south, 1, "no"), null);
      same("later life", (await write(later, 1, "yes"))?.collaborators.length, 3);
    },
  ],
  [
    "holds that only the old machine could lift go with it, ends that only it could carry out as well; a pause stays",
    async (open) => {
      const [north, south] = await both(open);
      await owned(north, 1, "paused");
      await setItem(north, 1, {
        lanes: [
          { endpoint: refText(1), hold: holdOf("paused") },
          { endpoint: refText(101), hold: holdOf("login") },
        ],
      });
      await decide(
        north,
        "a",
        1,
        decided({
          effects: [
            {
              kind: "release",
              workItem: { host: null, owner: "octo", repo: "app", number: 1 },
              why: "cleaned-up",
            },
          ],
        }),
      );
      await south.instances.adopt("north", refText(1), adoption);
      same(
        "holds",
        (await south.items.load(refText(1))).lanes.map(({ hold }) => hold?.reason ?? null),
        ["paused", null],
      );
      same(
        "ends",
        [
          (await north.outbox.pending({ limit: 9 })).length,
          (await south.outbox.pending({ limit: 9 })).length,
        ],
        [0, 0],
      );
    },
  ],
]);
