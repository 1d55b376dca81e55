import { verbatimPost } from "../../src/message/post.ts";
import { describe, expect, test } from "vitest";
import { defaultWords } from "../../src/control/reason-sentences.ts";
import { type OnRecord, waitingOf } from "../../src/explain/waiting.ts";
import { formatRef } from "../../src/ref/ref.ts";
import type { Turn } from "../../src/turn/turn.ts";
import type { Hold, HoldReason, ItemState } from "../../src/work-item/records.ts";
import { harnessOf, waitsWithOthers } from "../../src/turn/harness-hold.ts";
import type { PendingEffect } from "../../src/turn/outbox-entry.ts";
import { noon } from "../../src/testing/build-delivery.ts";
import { commentEvent } from "../../src/testing/build-event.ts";
import {
  issueRef,
  itemOf,
  laneOf,
  policyOf,
  pullRef,
  sessionOf,
} from "../../src/testing/build-state.ts";

const ref = formatRef(issueRef);
const holdOf = (reason: HoldReason, until: number | null = null): Hold => ({
  reason,
  until,
  detail: "seen",
});
const held = (reason: HoldReason): ItemState =>
  itemOf("started", { lanes: [laneOf(issueRef, holdOf(reason))] });
const told = (
  item: ItemState,
  over: Partial<OnRecord> = {},
  mode: "work-item" | "cli" = "work-item",
): ReturnType<typeof waitingOf> =>
  waitingOf({ items: [item], open: [], pending: [], ...over }, defaultWords, mode, noon);
const resume = 'comment "loop resume" on it';
const turnOf = (id: number, state: Turn["state"], lane = ref): Turn => ({
  id,
  lane,
  workItem: ref,
  mode: "resume",
  state,
  inputs: [
    {
      seq: 1,
      deliveryId: "d",
      event: commentEvent("x"),
      authority: "authorized",
      receivedAt: noon,
      steered: null,
    },
  ],
  attempt: null,
  attempts: 1,
  notBefore: 0,
  next: "first",
  note: null,
  createdAt: noon,
});

/** `loop status` says of each lane why it waits, and what somebody can type. */
describe("what waits, and what to type", () => {
  test.each<[HoldReason, string, string | null]>([
    ["paused", "somebody paused it", resume],
    [
      "uncertain",
      "nobody knows whether the last turn was carried out",
      "`loop turns list --state uncertain`",
    ],
    ["loop-breaker", "it had many turns in a row without a word from a person", resume],
    ["budget", "its budget is used up", `${resume}: the same amount is granted again`],
    ["usage-limit", "the harness's usage limit is reached", null],
    ["backoff", "the last try failed, and there will be another one", null],
    [
      "login",
      "the harness is not logged in",
      `log in to the harness (\`loop doctor\` checks it), then ${resume}`,
    ],
    ["billing", "the harness's bill is open", `settle the harness's bill, then ${resume}`],
    [
      "not-installed",
      "the harness is not there",
      `install the harness or set its command (\`loop doctor\` checks it), then ${resume}`,
    ],
    ["session-busy", "somebody else works in its session", null],
    ["attached", "somebody is attached to its session", null],
    ["failed", "its last turn failed for good", resume],
    [
      "workspace",
      "its checkout could not be made ready",
      `see \`loop events --type lane.held\`, put it right, then ${resume}`,
    ],
    ["spawn-refused", "no session may begin for it", resume],
    ["ending", "its session is ending", null],
    ["releasing", "its checkout is being released", null],
  ])("%s: %s", (reason, words, type) => {
    expect(told(held(reason))).toEqual([
      { workItem: ref, lane: ref, reason, words, until: null, detail: "seen", turn: null, type },
    ]);
  });

  test.each([
    ["uncertain", "`loop turns retry 4` goes on with it, `loop turns drop 4` leaves it"],
    ["failed", `\`loop turns retry 4\` tries again, or ${resume} to go on without it`],
  ] as const)("a turn that is %s, the newest of its own lane", (state, type) => {
    const open = [
      turnOf(3, state),
      turnOf(4, state),
      turnOf(5, state, formatRef(pullRef)),
      turnOf(6, "ready"),
    ];
    expect(told(held(state), { open })).toMatchObject([{ turn: 4, type }]);
  });

  test("a lane of which no item is on record names itself", () => {
    expect(told({ ...held("paused"), workItem: null })).toMatchObject([
      { workItem: ref, lane: ref },
    ]);
  });

  test("a closing that nobody might do", () => {
    const item = itemOf("started", { workItem: { closeDeferred: true }, lanes: [] });
    expect(told(item)).toEqual([
      {
        workItem: ref,
        lane: ref,
        reason: "close-deferred",
        words: "it was closed, and nothing was released",
        until: null,
        detail: "closed by somebody who may not release it",
        turn: null,
        type: 'comment "loop cleanup" on it to release it',
      },
    ]);
  });

  test.each([
    ["cli", `\`loop sessions say ${ref} <answer>\``],
    ["work-item", `answer on the thread of ${ref}, or \`loop sessions say ${ref} <answer>\``],
  ] as const)("a question, where people answer by %s", (mode, type) => {
    const item = itemOf("started", {
      sessions: [
        sessionOf({ asked: { text: "Which\nport?", at: 1 } }),
        sessionOf({ asked: null }),
        sessionOf(),
      ],
      lanes: [],
    });
    expect(told(item, {}, mode)).toEqual([
      {
        workItem: ref,
        lane: ref,
        reason: "asked",
        words: "its agent asked something",
        until: null,
        detail: expect.stringContaining("port?"),
        turn: null,
        type,
      },
    ]);
  });
});

describe("an end that a lane waits for", () => {
  const end = (id: number, over: Partial<PendingEffect> = {}): PendingEffect => ({
    id,
    workItem: ref,
    deliveryId: "d",
    effect: { kind: "end-session", endpoint: issueRef, why: "stopped", graceMs: 0 },
    attempts: 3,
    notBefore: noon,
    note: "no such process",
    createdAt: noon,
    ...over,
  });
  const stuck = {
    words: "its session could not be ended",
    detail: "no such process; tried 3 times, again now",
  };

  test.each(["ending", "releasing"] as const)("%s: the oldest of the item is told", (reason) => {
    const reply = end(1, { effect: { kind: "reply", thread: issueRef, text: verbatimPost("x") } });
    expect(
      told(held(reason), {
        pending: [end(2, { workItem: formatRef(pullRef) }), reply, end(3), end(4)],
      }),
    ).toMatchObject([{ ...stuck, type: expect.stringContaining("`loop effects retry 3`") }]);
  });

  test("a lane that waits for something else has nothing to do with it", () => {
    expect(told(held("backoff"), { pending: [end(3)] })).toMatchObject([
      { words: "the last try failed, and there will be another one", type: null },
    ]);
  });

  test("a lane of which no item is on record waits for no end of another", () => {
    expect(told({ ...held("ending"), workItem: null }, { pending: [end(3)] })).toMatchObject([
      { words: "its session is ending", type: null },
    ]);
  });

  test("nothing has gone wrong yet", () => {
    expect(told(held("ending"), { pending: [end(3, { attempts: 0 })] })).toMatchObject([
      { words: "its session is ending", type: null },
    ]);
  });
});

/** The session's, else by label, else the configured default. */
describe("the harness of a lane", () => {
  const b = {
    ...itemOf("started"),
    workItem: { ...itemOf("started").workItem, labels: ["loop: harness-b"] },
  } as ItemState;
  const withSession = (status: "active" | "closed", endpoint = ref): ItemState => ({
    ...b,
    sessions: [sessionOf({ endpoint, status, harness: "A" })],
  });

  test.each<[string, ItemState, "A" | "B"]>([
    ["no label, no session", itemOf("started"), "A"],
    ["the label", b, "B"],
    [
      "the label in another case",
      { ...b, workItem: { ...b.workItem, labels: ["Loop: Harness-B"] } } as ItemState,
      "B",
    ],
    ["a session of the other", withSession("active"), "A"],
    ["a session that is over", withSession("closed"), "B"],
    ["another lane's session", withSession("active", formatRef(pullRef)), "B"],
    ["nothing on record", { ...itemOf("started"), workItem: null }, "A"],
  ])("%s", (_, item, harness) => {
    expect(harnessOf(item, ref, policyOf())).toBe(harness);
  });

  test("the first to wake is the probe, in whatever order the lanes stand", () => {
    const at = (until: number | null): Parameters<typeof waitsWithOthers>[0][number] => ({
      workItem: ref,
      endpoint: ref,
      hold: { reason: "usage-limit", until, detail: "" },
    });
    expect(waitsWithOthers([at(noon + 9000), at(noon + 5000), at(noon + 7000)], noon)?.until).toBe(
      noon + 125_000,
    );
    expect(waitsWithOthers([at(null)], noon)?.until).toBeNull();
  });
});
