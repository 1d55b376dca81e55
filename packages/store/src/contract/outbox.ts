import { noon, same } from "@loopwork/core/testing";
import { decide, decided, lifeOf, lineOf, refOf, refText, reply, workItemOf } from "./build.ts";
import { rowsOf, type StoreRow } from "./row.ts";

/** Effects that are not turns. */
export const outboxRows: readonly StoreRow[] = rowsOf("outbox", [
  [
    "of each work item the first pending effect is due, oldest first",
    async (open) => {
      const store = await open();
      await decide(store, "a", 1, decided({ effects: [reply(1, "1a"), reply(1, "1b")] }));
      await decide(store, "b", 2, decided({ effects: [reply(2, "2a")] }));
      same("due", await texts(store.outbox.due(noon, 9)), ["1a", "2a"]);
      same("limit", await texts(store.outbox.due(noon, 1)), ["1a"]);
      const [first] = await store.outbox.due(noon, 9);
      same("entry", [first?.workItem, first?.deliveryId, first?.attempts], [refText(1), "a", 0]);
    },
  ],
  [
    "one that waits for its time is not overtaken by a later one of its work item",
    async (open) => {
      const store = await open();
      await decide(store, "a", 1, decided({ effects: [reply(1, "1a"), reply(1, "1b")] }));
      const [first] = await store.outbox.due(noon, 9);
      await store.outbox.settle(
        first?.id ?? 0,
        { state: "pending", notBefore: noon + 100, note: "try again", tried: true },
        null,
        [],
      );
      same("waiting", await texts(store.outbox.due(noon + 99, 9)), []);
      const [again] = await store.outbox.due(noon + 100, 9);
      same("again", [again?.id, again?.attempts], [first?.id, 1]);
    },
  ],
  [
    "an end does not wait for a post, a post waits for an end",
    async (open) => {
      const store = await open();
      const workItem = refOf(1);
      const end = { kind: "end-session", endpoint: workItem, why: "stopped", graceMs: 0 } as const;
      await decide(
        store,
        "a",
        1,
        decided({
          effects: [
            reply(1, "eyes"),
            end,
            { kind: "release", workItem, why: "cleaned-up" },
            reply(1, "hooray"),
          ],
        }),
      );
      const kinds = async (): Promise<readonly string[]> =>
        (await store.outbox.due(noon, 9)).map(({ effect }) =>
          effect.kind === "reply" ? effect.text : effect.kind,
        );
      const settle = async (kind: string, state: "done" | "pending"): Promise<void> => {
        const entry = (await store.outbox.due(noon, 9)).find(({ effect }) => effect.kind === kind);
        await store.outbox.settle(
          entry?.id ?? 0,
          state === "done"
            ? { state, note: "" }
            : { state, notBefore: noon + 1, note: "", tried: true },
          null,
          [],
        );
      };
      same("both", await kinds(), ["eyes", "end-session"]);
      await settle("reply", "pending");
      same("the host is away", await kinds(), ["end-session"]);
      await settle("end-session", "done");
      same("next", await kinds(), ["release"]);
      await settle("release", "done");
      same("posts keep their order", await kinds(), []);
      same("later", await texts(store.outbox.due(noon + 1, 9)), ["eyes"]);
    },
  ],
  [
    "an end that waits is no attempt; one that failed keeps its own posts back and nobody else's",
    async (open) => {
      const store = await open();
      const end = { kind: "end-session", endpoint: refOf(1), why: "stopped", graceMs: 0 } as const;
      const due = (): Promise<readonly string[]> =>
        store.outbox
          .due(noon, 9)
          .then((entries) =>
            entries.map(({ effect, deliveryId }) =>
              effect.kind === "reply" ? effect.text : `${effect.kind} of ${deliveryId}`,
            ),
          );
      const wait = async (tried: boolean): Promise<boolean> =>
        store.outbox.settle(
          (await store.outbox.pending({ limit: 9 }))[0]?.id ?? 0,
          { state: "pending", notBefore: noon + 1, note: "not yet", tried },
          null,
          [],
        );
      await decide(store, "a", 1, decided({ effects: [end, reply(1, "a")] }));
      await decide(store, "b", 1, decided({ effects: [end, reply(1, "b")] }));
      await decide(store, "c", 1, decided({ effects: [reply(1, "c1"), reply(1, "c2")] }));
      await decide(store, "d", 2, decided({ effects: [reply(2, "d")] }));
      same("first", await due(), ["end-session of a", "d"]);
      await wait(false);
      same("it waits", await due(), ["d"]);
      await wait(true);
      same("it failed", await due(), ["c1", "d"]);
      const [entry] = await store.outbox.pending({ workItem: refText(1), limit: 1 });
      same(
        "pending",
        [entry?.deliveryId, entry?.attempts, entry?.notBefore, entry?.note],
        ["a", 1, noon + 1, "not yet"],
      );
      same(
        "all",
        (await store.outbox.pending({ limit: 9 })).map(({ deliveryId }) => deliveryId),
        ["a", "a", "b", "b", "c", "c", "d"],
      );
      await store.outbox.settle(entry?.id ?? 0, { state: "failed", note: "left" }, null, []);
      same("it is left", await due(), ["a", "end-session of b", "d"]);
    },
  ],
  [
    "done and failed ones make room for the next",
    async (open) => {
      const store = await open();
      await decide(
        store,
        "a",
        1,
        decided({ effects: [reply(1, "1a"), reply(1, "1b"), reply(1, "1c")] }),
      );
      for (const [text, state] of [
        ["1a", "done"],
        ["1b", "failed"],
      ] as const) {
        const [due] = await store.outbox.due(noon, 9);
        same("due", due?.effect, reply(1, text));
        await store.outbox.settle(due?.id ?? 0, { state, note: "" }, null, []);
      }
      same("left", await texts((await open()).outbox.due(noon, 9)), ["1c"]);
    },
  ],
  [
    "settling folds the state and writes lines once; a second time changes nothing",
    async (open) => {
      const store = await open();
      await decide(store, "a", 1, decided({ effects: [reply(1, "x")] }));
      const settle = (): Promise<boolean> =>
        store.outbox.settle(
          1,
          { state: "done", note: "posted" },
          (item) => ({
            ...item,
            workItem: workItemOf(1, {
              spend: { turns: (item.workItem?.spend.turns ?? 0) + 1, usd: 0, minutes: 0 },
            }),
          }),
          [lineOf()],
        );
      same(
        "once",
        [
          await settle(),
          await settle(),
          await store.outbox.settle(99, { state: "done", note: "" }, null, [lineOf()]),
        ],
        [true, false, false],
      );
      same("folded once", (await store.items.load(refText(1))).workItem?.spend.turns, 1);
      same("lines", (await store.events.list({ limit: 9 })).length, 1);
    },
  ],
  [
    "effects belong to the instance that decided them, and nobody else settles one",
    async (open) => {
      const [one, two] = [await open({ instance: "one" }), await open({ instance: "two" })];
      await decide(one, "a", 1, decided({ effects: [reply(1, "x")] }));
      same("other", await two.outbox.due(noon, 9), []);
      const id = (await one.outbox.due(noon, 9))[0]?.id ?? 0;
      const done = { state: "done", note: "posted" } as const;
      same(
        "not its own",
        await two.outbox.settle(id, done, (item) => ({ ...item, workItem: workItemOf(1) }), [
          lineOf(),
        ]),
        false,
      );
      same(
        "unchanged",
        [
          (await one.outbox.pending({ limit: 9 })).map(({ attempts, note }) => [attempts, note]),
          (await one.items.load(refText(1))).workItem,
          await one.events.list({ limit: 9 }),
        ],
        [[[0, null]], null, []],
      );
      same(
        "its own",
        [await one.outbox.settle(id, done, null, []), await one.outbox.settle(id, done, null, [])],
        [true, false],
      );
    },
  ],
  [
    "S09: of two lives of one instance only the later settles effects",
    async (open) => {
      const [earlier, later] = [await open(), await open()];
      await earlier.instances.enter(lifeOf("one"));
      await decide(earlier, "a", 1, decided({ effects: [reply(1, "x")] }));
      const id = (await earlier.outbox.due(noon, 9))[0]?.id ?? 0;
      await later.instances.enter(lifeOf("two"));
      const claim = {
        state: "pending",
        notBefore: noon,
        note: "is being posted",
        tried: true,
      } as const;
      same(
        "claims",
        [
          await earlier.outbox.settle(id, claim, null, []),
          await later.outbox.settle(id, claim, null, []),
        ],
        [false, true],
      );
    },
  ],
]);

async function texts(
  due: Promise<readonly { readonly effect: { readonly kind: string; readonly text?: string } }[]>,
): Promise<readonly (string | undefined)[]> {
  return (await due).map((each) => each.effect.text);
}
