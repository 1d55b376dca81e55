import { expect, test } from "vitest";
import { check } from "../src/check/check.ts";
import type { Evidence } from "../src/check/evidence.ts";
import type { StoreRows } from "../src/check/rows.ts";
import type { Prompt } from "../src/transcripts.ts";

const lane = "host:practice/garden#1";
const prompt: Prompt = {
  session: "s",
  receipt: "r",
  text: "word-end",
  continues: false,
  ends: 1,
  records: 1,
  overlaps: false,
};
const rows: StoreRows = {
  deliveries: [
    { seq: 1, id: "d-1", ignored: null },
    { seq: 2, id: "d-2", ignored: null },
  ],
  decisions: [
    {
      instance: "north",
      seq: 1,
      workItem: lane,
      verdict: "taken",
      reason: "start-requested",
      actor: "ada",
    },
    {
      instance: "north",
      seq: 2,
      workItem: lane,
      verdict: "refused",
      reason: "not-authorized",
      actor: "mallory",
    },
  ],
  items: [{ ref: lane, instance: "north", status: "started", requestedBy: "ada" }],
  lanes: [{ endpoint: lane, workItem: lane, instance: "north", hold: null, holder: null }],
  turns: [{ id: 1, lane, state: "done", note: null, deliveries: ["d-1"] }],
  effects: [
    {
      id: 1,
      instance: "north",
      workItem: lane,
      delivery: "d-1",
      kind: "reply",
      state: "done",
      text: "It is not paused.",
      note: "comment 7",
    },
  ],
  events: [
    {
      id: 1,
      kind: "delivery.decided",
      instance: "north",
      workItem: lane,
      delivery: "d-1",
      reason: "start-requested",
      fields: "{}",
    },
    {
      id: 2,
      kind: "delivery.decided",
      instance: "north",
      workItem: lane,
      delivery: "d-2",
      reason: "not-authorized",
      fields: "{}",
    },
  ],
};
const good: Evidence = {
  sent: [
    { id: "d-1", statuses: [503, 202], forbidden: false },
    { id: "d-2", statuses: [202], forbidden: true },
  ],
  store: rows,
  posts: [{ thread: "#1", id: "7", body: "It is not paused.\n<!-- marker -->" }],
  prompts: [prompt],
  expected: new Map([[1, ["word-end"]]]),
  authorized: ["ada"],
  livest: new Map([["s", 1]]),
  trust: [
    {
      file: ".claude.json",
      text: '{ "theme": "dark", "projects": {} }',
      foreign: '"theme": "dark"',
    },
  ],
  secrets: ["hush"],
  texts: [{ where: "the log", text: "all is well" }],
  strayPaths: [],
};

test("what is as it should be has nothing to report", () => {
  expect(check(good)).toEqual([]);
});

const store = (changed: Partial<StoreRows>): Partial<Evidence> => ({
  store: { ...rows, ...changed },
});

test.each<[string, RegExp, Partial<Evidence>]>([
  ["a store that cannot be read", /^I1/, { store: null }],
  [
    "an acknowledged delivery that is not stored",
    /^I1: delivery d-3/,
    { sent: [...good.sent, { id: "d-3", statuses: [202], forbidden: false }] },
  ],
  [
    "a word said twice",
    /^I2, I3: repeated/,
    { prompts: [prompt, { ...prompt, receipt: "again" }] },
  ],
  ["a word that nobody heard", /^I2, I3: lost/, { prompts: [] }],
  ["two messages at once", /^I2, I3: two at once/, { prompts: [{ ...prompt, overlaps: true }] }],
  ["two processes in a session", /^I4/, { livest: new Map([["s", 2]]) }],
  [
    "an item with lanes of two instances",
    /^I5/,
    store({
      lanes: [
        ...rows.lanes,
        {
          endpoint: "host:practice/garden#2",
          workItem: lane,
          instance: "south",
          hold: null,
          holder: null,
        },
      ],
    }),
  ],
  [
    "a start that two instances took",
    /^I5/,
    store({
      decisions: [
        ...rows.decisions,
        {
          instance: "south",
          seq: 1,
          workItem: lane,
          verdict: "taken",
          reason: "start-requested",
          actor: "ada",
        },
      ],
      events: [
        ...rows.events,
        {
          id: 3,
          kind: "delivery.decided",
          instance: "south",
          workItem: lane,
          delivery: "d-1",
          reason: "start-requested",
          fields: "{}",
        },
      ],
    }),
  ],
  [
    "a refusal that nobody is told",
    /^I6: the decision of north on d-2 stands 0 times/,
    store({ events: rows.events.slice(0, 1) }),
  ],
  [
    "a refusal that is told twice",
    /^I6: the decision of north on d-2 stands 2 times/,
    store({ events: [...rows.events, ...rows.events.slice(1)] }),
  ],
  [
    "a refusal with an effect",
    /^I6: the refused delivery d-2 caused a react/,
    store({
      effects: [
        ...rows.effects,
        {
          id: 2,
          instance: "north",
          workItem: lane,
          delivery: "d-2",
          kind: "react",
          state: "done",
          text: null,
          note: null,
        },
      ],
    }),
  ],
  [
    "a refusal on a lane",
    /^I6: a refused delivery was put on a lane/,
    store({ turns: [{ id: 1, lane, state: "done", note: null, deliveries: ["d-1", "d-2"] }] }),
  ],
  [
    "a stranger's command that was taken",
    /^I7: a command of mallory/,
    store({ decisions: rows.decisions.map((each) => ({ ...each, verdict: "taken" })) }),
  ],
  [
    "an item that does what a stranger asked for",
    /^I7: .* mallory asked for/,
    store({ items: [{ ref: lane, instance: "north", status: "started", requestedBy: "mallory" }] }),
  ],
  ["a file where none belongs", /^I8/, { strayPaths: ["home/.profile"] }],
  [
    "a torn trust file",
    /^I9: .* does not parse/,
    { trust: [{ file: ".claude.json", text: '{ "theme": "dark"', foreign: '"theme": "dark"' }] },
  ],
  [
    "a trust file in which another program's words changed",
    /^I9: what others wrote/,
    { trust: [{ file: ".claude.json", text: '{ "theme":"dark" }', foreign: '"theme": "dark"' }] },
  ],
  [
    "a secret in a text",
    /^I10: a secret stands in the log$/,
    { texts: [{ where: "the log", text: "the hush is out" }] },
  ],
  [
    "a delivery that nobody took",
    /^I11: delivery d-1 was never taken/,
    { sent: [{ id: "d-1", statuses: [503, null], forbidden: false }] },
  ],
  [
    "a delivery that nobody decided",
    /^I11: delivery d-2 was never decided/,
    store({ decisions: rows.decisions.slice(0, 1) }),
  ],
  [
    "a lane that is leased for ever",
    /^I11: lane .* leased to north/,
    store({ lanes: rows.lanes.map((each) => ({ ...each, holder: "north" })) }),
  ],
  [
    "a turn that never ends",
    /^I11: turn 1 is still under way/,
    store({ turns: rows.turns.map((each) => ({ ...each, state: "injecting" })) }),
  ],
  [
    "a turn that waits for nothing",
    /^I11: turn 1 waits/,
    store({ turns: rows.turns.map((each) => ({ ...each, state: "ready" })) }),
  ],
  [
    "an uncertain turn without a reason",
    /^I11: turn 1 is uncertain without/,
    store({ turns: rows.turns.map((each) => ({ ...each, state: "uncertain" })) }),
  ],
  [
    "an effect that waits for ever",
    /^I11: effect 1, reply, still waits/,
    store({ effects: rows.effects.map((each) => ({ ...each, state: "pending" })) }),
  ],
  [
    "a post that stands twice",
    /^posts: .* stands 2 times/,
    { posts: [...good.posts, { thread: "#1", id: "8", body: "It is not paused." }] },
  ],
  ["a post that is done and nowhere", /^posts: .* does not stand/, { posts: [] }],
  [
    "a post that nobody asked for",
    /^posts: nothing asked for comment 9/,
    { posts: [...good.posts, { thread: "#1", id: "9", body: "Hello!" }] },
  ],
])("%s is seen", (_name, sentence, planted) => {
  expect(check({ ...good, ...planted })).toEqual(
    expect.arrayContaining([expect.stringMatching(sentence)]),
  );
});
