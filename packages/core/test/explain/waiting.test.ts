import { describe, expect, test } from "vitest";
import { defaultWords } from "../../src/control/reason-sentences.ts";
import { type OnRecord, waitingOf } from "../../src/explain/waiting.ts";
import { formatRef } from "../../src/ref/ref.ts";
import type { Turn } from "../../src/turn/turn.ts";
import type { Hold, ItemState } from "../../src/work-item/records.ts";
import { noon } from "../../src/testing/build-delivery.ts";
import { commentEvent } from "../../src/testing/build-event.ts";
import { issueRef, itemOf, laneOf, sessionOf } from "../../src/testing/build-state.ts";

const ref = formatRef(issueRef);

function held(reason: Hold["reason"], until: number | null = null): ItemState {
  return itemOf("started", { lanes: [laneOf(issueRef, { reason, until, detail: "" })] });
}

function turnIn(state: Turn["state"]): Turn {
  const input = {
    seq: 1,
    deliveryId: "d-1",
    event: commentEvent("water it"),
    authority: "authorized",
    receivedAt: noon,
    steered: null,
  } as const;
  return {
    id: 4,
    lane: ref,
    workItem: ref,
    mode: "resume",
    state,
    inputs: [input],
    attempt: null,
    attempts: 1,
    notBefore: 0,
    next: "first",
    note: null,
    createdAt: noon,
  };
}

function waits(
  item: ItemState,
  over: Partial<OnRecord> = {},
  words = defaultWords,
): ReturnType<typeof waitingOf> {
  return waitingOf({ items: [item], open: [], pending: [], ...over }, words, "work-item", noon);
}

describe("what waits", () => {
  test("an open lane does not", () => {
    expect(waits(itemOf("started", { lanes: [laneOf(issueRef, null)] }))).toEqual([]);
  });

  test.each(["usage-limit", "backoff", "session-busy"] as const)(
    "%s whose time has come does not",
    (reason) => {
      expect(waits(held(reason, noon))).toEqual([]);
    },
  );

  test.each(["ending", "releasing"] as const)(
    "%s is shown until it is over, whenever that was to be",
    (reason) => {
      expect(waits(held(reason, noon - 1))).toMatchObject([{ reason }]);
    },
  );

  test.each(["usage-limit", "backoff", "session-busy", "attached", "ending", "releasing"] as const)(
    "%s goes on by itself: nothing is to be typed, and no turn decided",
    (reason) => {
      expect(waits(held(reason, noon + 1))).toMatchObject([
        { workItem: ref, lane: ref, reason, until: noon + 1, turn: null, type: null },
      ]);
    },
  );

  test.each([
    "paused",
    "loop-breaker",
    "budget",
    "login",
    "billing",
    "not-installed",
    "failed",
    "workspace",
    "spawn-refused",
  ] as const)("%s says what to type, in the words of the configuration", (reason) => {
    expect(waits(held(reason))[0]?.type).toContain('comment "loop resume" on it');
    const silent = { ...defaultWords, keywords: { ...defaultWords.keywords, resume: "" } };
    expect(waits(held(reason), {}, silent)[0]?.type).toContain(
      `\`loop sessions resume --work-item ${ref}\``,
    );
  });

  test.each(["uncertain", "failed"] as const)(
    "a lane held for a turn that is %s names that turn",
    (state) => {
      expect(waits(held(state), { open: [turnIn(state)] })).toMatchObject([
        { turn: 4, type: expect.stringContaining("`loop turns retry 4`") },
      ]);
    },
  );

  test("a turn that is only ready is not the one to decide", () => {
    expect(waits(held("uncertain"), { open: [turnIn("ready")] })).toMatchObject([
      { turn: null, type: "`loop turns list --state uncertain`" },
    ]);
  });

  test("a closing that nobody might do, and a question, need a person; what goes on by itself comes last", () => {
    const deferred = itemOf("started");
    const record = deferred.workItem;
    const items = [
      held("backoff", noon + 1),
      { ...deferred, workItem: record === null ? null : { ...record, closeDeferred: true } },
      itemOf("started", { sessions: [sessionOf({ asked: { text: "Which\nport?", at: noon } })] }),
    ];
    expect(
      waitingOf({ items, open: [], pending: [] }, defaultWords, "work-item", noon).map(
        ({ reason, type }) => [reason, type === null],
      ),
    ).toEqual([
      ["close-deferred", false],
      ["asked", false],
      ["backoff", true],
    ]);
  });

  test("what is alike stands in the order of the record", () => {
    const items = (["backoff", "login", "usage-limit", "session-busy", "paused"] as const).map(
      (reason) => held(reason),
    );
    expect(
      waitingOf({ items, open: [], pending: [] }, defaultWords, "work-item", noon).map(
        ({ reason }) => reason,
      ),
    ).toEqual(["login", "paused", "backoff", "usage-limit", "session-busy"]);
  });

  test.each([
    ["approval", "waits for an approval", "comment `approved` on it"],
    [
      "unfinished",
      "while the node review was unfinished",
      `\`loop graph complete review --work-item ${ref}\``,
    ],
  ] as const)(
    "work at a node that waits for a person (%s) says what helps, as long as somebody works on the item",
    (why, words, type) => {
      const at = (status: "started" | "paused" | "stopped" | "closed"): ItemState => {
        const item = itemOf(status);
        const graph = {
          graph: "work-item",
          node: "review",
          signals: [],
          announced: null,
          waits: { for: why, node: "review", detail: "review.md\nis missing", since: noon },
        };
        return { ...item, workItem: item.workItem === null ? null : { ...item.workItem, graph } };
      };
      expect(waits(at("started"))).toMatchObject([
        {
          workItem: ref,
          reason: why,
          words: expect.stringContaining(words),
          detail: expect.not.stringContaining("\n"),
          turn: null,
          until: null,
          type: expect.stringContaining(type),
        },
      ]);
      for (const status of ["paused", "stopped", "closed"] as const)
        expect(waits(at(status)).filter(({ reason }) => reason === why)).toEqual([]);
    },
  );

  test("a question of a session that is over waits for nobody", () => {
    expect(
      waits(
        itemOf("started", {
          sessions: [sessionOf({ status: "closed", asked: { text: "Which port?", at: noon } })],
        }),
      ),
    ).toEqual([]);
  });
});
