import { describe, expect, test } from "vitest";
import { ago } from "../../src/text/ago.ts";
import type { StoredEvent } from "../../src/event-log/event-line.ts";
import { escapeInline, isHidden } from "../../src/text/hidden-characters.ts";
import { parseLine } from "../../src/event-log/format-line.ts";
import { noticeOf } from "../../src/explain/notice.ts";
import { defaultWords } from "../../src/control/reason-sentences.ts";

const event: StoredEvent = {
  id: 9,
  time: 5,
  kind: "turn.failed",
  level: "warn",
  instance: "laptop",
  workItem: "host:octo/shop#7",
  delivery: "d-1",
  reason: "timeout",
  fields: { turn: 4 },
};

test("a notice says what changed, where, and in which line of the event log it stands", () => {
  expect(noticeOf(event, defaultWords)).toEqual({
    change: "failed",
    time: 5,
    instance: "laptop",
    workItem: "host:octo/shop#7",
    reason: "timeout",
    sentence: "Turn 4 failed for good: timeout.",
    event: 9,
  });
});

describe("of what somebody can be told", () => {
  test.each([
    ["turn.uncertain", null, "uncertain"],
    ["turn.failed", "paused", "failed"],
    ["effect.stuck", null, "failed"],
    ["session.asked", null, "waiting"],
    ["graph.waits", "approval", "waiting"],
    ["delivery.decided", "closed-by-unauthorized", "waiting"],
    ["delivery.decided", "unlabelled", null],
    ["session.closed", "closed-by-unauthorized", null],
    ["lane.held", "login", "held"],
    ["lane.held", null, "held"],
    ["lane.held", "paused", null],
    ["lane.held", "attached", null],
    ["lane.held", "backoff", null],
    ["lane.held", "uncertain", null],
    ["lane.held", "failed", null],
    ["turn.done", null, null],
  ] as const)("%s %s: %s", (kind, reason, change) => {
    const notice = noticeOf({ ...event, kind, reason }, defaultWords);
    expect(notice === null ? null : notice.change).toBe(change);
  });
});

describe("how long ago", () => {
  test.each([
    [0, "0 s"],
    [89, "89 s"],
    [90, "2 min"],
    [5399, "90 min"],
    [5400, "2 h"],
    [129_599, "36 h"],
    [129_600, "2 d"],
    [864_000, "10 d"],
  ])("%i seconds", (seconds, amount) => {
    expect(ago(1_000_000_000_000 - seconds * 1000, 1_000_000_000_000)).toBe(`${amount} ago`);
    if (seconds > 0)
      expect(ago(1_000_000_000_000 + seconds * 1000, 1_000_000_000_000)).toBe(`in ${amount}`);
  });
});

test("control characters and blanks that look like others are hidden, and what people type is not", () => {
  expect([0x1f, 0x7f, 0xa0, 0x00, 0xfe0f].map(isHidden)).toEqual([true, true, true, true, true]);
  expect([0x20, 0x7e, 0x0a, 0x0d, 0x09, 0xa1].map(isHidden)).toEqual([
    false,
    false,
    false,
    false,
    false,
    false,
  ]);
});

test("text on one line is cut where it is longer than there is room", () => {
  expect([
    escapeInline("abcde", 5),
    escapeInline("abcdef", 5),
    escapeInline("a\rb"),
    escapeInline("x".repeat(200)),
  ]).toEqual(["abcde", "abcde…", "a\\rb", "x".repeat(200)]);
});

test.each([
  [
    '{"time":"1","kind":"turn.done","level":"info","instance":"x","workItem":null,"delivery":null,"reason":null,"fields":{}}',
    "time is no number",
  ],
  [
    '{"time":1e999,"kind":"turn.done","level":"info","instance":"x","workItem":null,"delivery":null,"reason":null,"fields":{}}',
    "time is no number",
  ],
  ["null", "no JSON object"],
  ['"words"', "no JSON object"],
  ...["workItem", "delivery", "reason"].map((name) => [
    JSON.stringify({
      time: 1,
      kind: "turn.done",
      level: "info",
      instance: "x",
      workItem: null,
      delivery: null,
      reason: null,
      fields: {},
      [name]: 7,
    }),
    "workItem, delivery or reason is neither text nor null",
  ]),
])("%s is no line of the event log: %s", (text, why) => {
  expect(parseLine(text)).toEqual({ ok: false, why });
});
