import { emptyItemState, formatRef } from "@loopwork/core/ports";
import { noon, same } from "@loopwork/core/testing";
import {
  decide,
  decided,
  fullItem,
  holdOf,
  lineOf,
  refText,
  sessionOf,
  setItem,
  workItemOf,
} from "./build.ts";
import { codeOf, rowsOf, type StoreRow } from "./row.ts";

/** States of work items. */
export const itemRows: readonly StoreRow[] = rowsOf("items", [
  [
    "an unknown work item is empty",
    async (open) => {
      const { items } = await open();
      same("state", await items.load(refText(1)), emptyItemState);
      same("list", await items.list(), []);
    },
  ],
  [
    "a state comes back as it was saved, every part in its order",
    async (open) => {
      const { items } = await open();
      same(
        "result",
        await items.update(refText(1), () => ({ after: fullItem(1), lines: [] })),
        fullItem(1),
      );
      same("other handle", await (await open()).items.load(refText(1)), fullItem(1));
      same("other item", await items.load(refText(2)), emptyItemState);
    },
  ],
  [
    "parts change, move and go",
    async (open) => {
      const store = await open();
      const full = fullItem(1);
      await setItem(store, 1, full);
      const swapped = {
        ...full,
        sessions: full.sessions.toReversed(),
        pullRequests: full.pullRequests.slice(1),
        collaborators: [],
        ciAttempts: full.ciAttempts.map((each) => ({ ...each, noticed: true })),
        workItem: workItemOf(1, { title: "new", open: false }),
      };
      await setItem(store, 1, swapped);
      same("changed", await store.items.load(refText(1)), swapped);
      await setItem(store, 1, { workItem: null, sessions: [], pullRequests: [], ciAttempts: [] });
      same("emptied", await store.items.load(refText(1)), { ...emptyItemState, lanes: full.lanes });
    },
  ],
  [
    "a lane that is no longer listed is open, and stays known",
    async (open) => {
      const store = await open();
      await setItem(store, 1, { lanes: [{ endpoint: refText(1), hold: holdOf("paused") }] });
      await setItem(store, 1, { lanes: [] });
      same("lanes", (await store.items.load(refText(1))).lanes, [
        { endpoint: refText(1), hold: null },
      ]);
    },
  ],
  [
    "a step that throws changes nothing, and lines come with the state",
    async (open) => {
      const store = await open();
      const broken = store.items.update(refText(1), () => {
        throw new Error("a bug");
      });
      same("thrown", await codeOf(broken), "Error: a bug");
      same("state", await store.items.load(refText(1)), emptyItemState);
      await store.items.update(refText(1), (item) => ({
        after: { ...item, workItem: workItemOf(1) },
        lines: [lineOf({ reason: "x" })],
      }));
      same(
        "lines",
        (await store.events.list({ limit: 9 })).map((line) => line.reason),
        ["x"],
      );
    },
  ],
  [
    "work items of a pull request come oldest record first; heads are found by their commit",
    async (open) => {
      const store = await open();
      const link = {
        pullRequest: refText(50),
        headSha: "a".repeat(40),
        headBranch: null,
        open: true,
        at: noon,
      };
      await setItem(store, 3, { pullRequests: [{ ...link, at: noon + 3 }] });
      await setItem(store, 1, { pullRequests: [{ ...link, at: noon + 1 }] });
      await setItem(store, 2, {
        pullRequests: [{ ...link, pullRequest: refText(51), headSha: "b".repeat(40) }],
      });
      same("linked", await store.items.linkedTo(refText(50)), [refText(1), refText(3)]);
      same("not linked", await store.items.linkedTo(refText(1)), []);
      same(
        "by head",
        (await store.items.linksBySha("a".repeat(40))).map(({ workItem, link: found }) => [
          workItem,
          found.at,
        ]),
        [
          [refText(1), noon + 1],
          [refText(3), noon + 3],
        ],
      );
      same("unknown head", await store.items.linksBySha("c".repeat(40)), []);
    },
  ],
  [
    "a repository is known once something of it is on record: a work item, a session, a pull request of one",
    async (open) => {
      const store = await open();
      const [app, apple] = [
        { host: null, owner: "Octo", repo: "App" },
        { host: null, owner: "octo", repo: "apple" },
      ];
      const known = async (): Promise<readonly boolean[]> =>
        Promise.all(
          [app, apple, { ...app, host: "git.example.org" }].map((each) =>
            store.items.knowsRepository(each),
          ),
        );
      same("nothing", await known(), [false, false, false]);
      await decide(store, "a", 1, decided({ after: emptyItemState }));
      same("an event that left nothing behind", await known(), [false, false, false]);
      same("no record of it", await store.items.list(), []);
      await setItem(store, 1, { workItem: workItemOf(1) });
      same("a work item", await known(), [true, false, false]);
      const link = {
        pullRequest: formatRef({ ...app, host: "git.example.org", number: 5 }),
        headSha: null,
        headBranch: null,
        open: true,
        at: noon,
      };
      await setItem(store, 1, { pullRequests: [link] });
      same("a pull request", await known(), [true, false, true]);
      await setItem(store, 2, {
        sessions: [sessionOf(2, { endpoint: formatRef({ ...apple, number: 3 }) })],
      });
      same("a session", await known(), [true, true, true]);
    },
  ],
  [
    "an endpoint belongs to its active session before a closed one; sessions are found by the harness's id",
    async (open) => {
      const store = await open();
      await setItem(store, 1, {
        sessions: [
          sessionOf(1, {
            endpoint: refText(50),
            status: "closed",
            createdAt: noon + 9,
            harnessSessionId: "s-1",
          }),
        ],
      });
      await setItem(store, 2, {
        sessions: [sessionOf(2, { endpoint: refText(50), harnessSessionId: "s-2" })],
      });
      same("owner", await store.items.ownerOfEndpoint(refText(50)), refText(2));
      same("nobody", await store.items.ownerOfEndpoint(refText(51)), null);
      same("session", (await store.items.sessionByHarnessId("s-1"))?.workItem, refText(1));
      same("no session", await store.items.sessionByHarnessId("s-3"), null);
    },
  ],
  [
    "P08: the first numeric id of a login stays pinned, whatever its case",
    async (open) => {
      const store = await open();
      await decide(store, "a", null, decided({ pin: { login: "Ada", id: "7" } }));
      await decide(store, "b", null, decided({ pin: { login: "ADA", id: "8" } }));
      same("pinned", await store.items.pinnedActor("ada"), "7");
      same("unknown", await store.items.pinnedActor("grace"), null);
      same("only ASCII folds", await store.items.pinnedActor("\u212Aim"), null);
    },
  ],
  [
    "P08: a name is pinned by hand once, and found by its id",
    async (open) => {
      const store = await open();
      same("pinned", await store.items.pinActor({ login: "Kim", id: "7" }), "7");
      same("pinned already", await store.items.pinActor({ login: "kim", id: "8" }), "7");
      same(
        "another name of the account",
        await store.items.pinActor({ login: "kim-lovelace", id: "7" }),
        "7",
      );
      same("by name", await store.items.pinnedActor("KIM"), "7");
      same("not by a look-alike", await store.items.pinnedActor("\u212Aim"), null);
      same("by id", await store.items.pinnedTo("7"), ["kim", "kim-lovelace"]);
      same("by an unknown id", await store.items.pinnedTo("8"), []);
      await decide(store, "a", null, decided({ pin: { login: "kim", id: "8" } }));
      same("first sight changes nothing", await store.items.pinnedActor("kim"), "7");
    },
  ],
  [
    "P08: a pinned login that is forgotten is pinned anew by its next event, and the log says so once",
    async (open) => {
      const store = await open();
      await decide(store, "a", null, decided({ pin: { login: "Ada", id: "7" } }));
      const before = (await store.events.list({ limit: 100 })).length;
      same(
        "forgotten",
        await store.items.unpinActor("aDa", [lineOf({ kind: "actor.forgotten" })]),
        true,
      );
      same(
        "again",
        await store.items.unpinActor("ada", [lineOf({ kind: "actor.forgotten" })]),
        false,
      );
      same("lines", (await store.events.list({ limit: 100 })).length, before + 1);
      same("unpinned", await store.items.pinnedActor("ada"), null);
      await decide(store, "b", null, decided({ pin: { login: "ada", id: "8" } }));
      same("pinned anew", await store.items.pinnedActor("ada"), "8");
    },
  ],
  [
    "the list holds every work item once, in the order of refs",
    async (open) => {
      const store = await open();
      for (const number of [3, 1, 2])
        await setItem(store, number, { workItem: workItemOf(number) });
      same(
        "list",
        (await store.items.list()).map((item) => item.workItem?.ref),
        [refText(1), refText(2), refText(3)],
      );
    },
  ],
  [
    "pages hold what is remembered, in the order of refs, and go on after the last ref of the page before",
    async (open) => {
      const store = await open();
      for (const number of [5, 3, 1, 2])
        await setItem(store, number, { workItem: workItemOf(number) });
      await setItem(store, 4, { sessions: [sessionOf(4)] });
      await setItem(store, 2, {
        workItem: { ...workItemOf(2), control: { ...workItemOf(2).control, status: "paused" } },
        lanes: [{ endpoint: refText(2), hold: holdOf("paused") }],
      });
      const refs = async (query: Parameters<typeof store.items.page>[0]): Promise<unknown> =>
        (await store.items.page(query)).map((item) => item.workItem?.ref);
      same("first", await refs({ after: null, limit: 2 }), [refText(1), refText(2)]);
      same("second", await refs({ after: refText(2), limit: 2 }), [refText(3), refText(5)]);
      same("after the last", await refs({ after: refText(5), limit: 2 }), []);
      same("paused", await refs({ after: null, limit: 9, status: "paused" }), [refText(2)]);
      same("held", await refs({ after: null, limit: 9, held: true }), [refText(2)]);
      same("not held", await refs({ after: null, limit: 9, held: false }), [
        refText(1),
        refText(3),
        refText(5),
      ]);
      same("whole", (await store.items.page({ after: refText(1), limit: 1 }))[0]?.lanes.length, 1);
    },
  ],
  [
    "pages of what waits and of what is managed hold nothing else, also where only a session or a lane is remembered",
    async (open) => {
      const store = await open();
      for (const number of [1, 2, 3, 8, 9])
        await setItem(store, number, { workItem: workItemOf(number) });
      const idle = { ...workItemOf(1).control, status: "idle", instance: null } as const;
      await setItem(store, 1, { workItem: { ...workItemOf(1), control: idle } });
      await setItem(store, 2, {
        workItem: { ...workItemOf(2), control: idle, closeDeferred: true },
      });
      await setItem(store, 3, {
        workItem: { ...workItemOf(3), control: idle },
        sessions: [{ ...sessionOf(3), status: "active", asked: { text: "Which port?", at: 1 } }],
      });
      await setItem(store, 4, {
        sessions: [{ ...sessionOf(4), status: "closed", asked: { text: "Which port?", at: 1 } }],
      });
      await setItem(store, 5, {
        sessions: [{ ...sessionOf(5), status: "active", asked: null }],
        lanes: [{ endpoint: refText(5), hold: holdOf("paused") }],
      });
      await setItem(store, 8, {
        workItem: { ...workItemOf(8), control: { ...idle, status: "stopped" } },
      });
      await setItem(store, 9, {
        workItem: { ...workItemOf(9), control: { ...idle, instance: "north" } },
      });
      const graph = { graph: "work-item", node: "intake", signals: [], announced: null };
      await setItem(store, 6, {
        workItem: {
          ...workItemOf(6),
          control: idle,
          graph: { ...graph, waits: { for: "approval", node: "intake", detail: "", since: 1 } },
        },
      });
      await setItem(store, 7, {
        workItem: { ...workItemOf(7), control: idle, graph: { ...graph, waits: null } },
      });
      await setItem(store, 10, {
        workItem: {
          ...workItemOf(10),
          control: idle,
          startHeld: {
            what: "title",
            by: "mallory",
            at: "2026-01-01T00:00:00Z",
            requestedBy: "ada",
          },
        },
      });
      const numbers = async (
        query: Omit<Parameters<typeof store.items.page>[0], "limit">,
        limit = 20,
      ): Promise<unknown> =>
        (await store.items.page({ ...query, limit })).map(
          ({ workItem, sessions }) => workItem?.ref ?? sessions[0]?.workItem,
        );
      same("waiting", await numbers({ after: null, only: "waiting" }), [
        refText(10),
        refText(2),
        refText(3),
        refText(5),
        refText(6),
      ]);
      same("managed", await numbers({ after: null, only: "managed" }), [
        refText(3),
        refText(4),
        refText(5),
        refText(8),
        refText(9),
      ]);
      same("managed, a page", await numbers({ after: refText(3), only: "managed" }, 2), [
        refText(4),
        refText(5),
      ]);
      same("on record", await numbers({ after: null }), [
        refText(1),
        refText(10),
        refText(2),
        refText(3),
        refText(6),
        refText(7),
        refText(8),
        refText(9),
      ]);
    },
  ],
]);
