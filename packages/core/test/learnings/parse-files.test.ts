import { describe, expect, test } from "vitest";
import {
  type Candidate,
  fieldsOf,
  formatCandidate,
  isFields,
  occurrenceOf,
  parseCandidate,
  soundRef,
  textOf,
  whyUnfit,
} from "../../src/learnings/candidate.ts";
import { bodyOf, detailAfter, formatDetail, parseDetail } from "../../src/learnings/detail-file.ts";
import type { Learning } from "../../src/learnings/learning.ts";
import { malformed, oneLine } from "../../src/learnings/vocabulary.ts";

const long = `Start ${"the database ".repeat(11)}first`;
const candidate: Candidate = {
  id: "01-a",
  text: long,
  category: "testing",
  signal: { kind: "ci-fail", by: "check", ref: "src/a.ts" },
  severity: "high",
  severityReason: "prod-outage",
  workItem: "host:acme/shop#7",
  run: "turn-1",
  harness: "A",
  instance: "default",
  at: 1_800_000_000_000,
  evidence: "it said no",
};
const written = [
  "v: 1",
  "id: 01-a",
  `text: ${long}`,
  "category: testing",
  "signal:",
  "  kind: ci-fail",
  "  by: check",
  "  ref: src/a.ts",
  "severity: high",
  "severityReason: prod-outage",
  "workItem: host:acme/shop#7",
  "run: turn-1",
  "harness: A",
  "instance: default",
  "at: 1800000000000",
  "evidence: it said no",
  "",
].join("\n");

describe("a candidate", () => {
  test("is written with a line for each of its fields, however long, and read back", () => {
    expect(formatCandidate(candidate)).toBe(written);
    expect(parseCandidate(written)).toEqual({ ok: true, candidate });
  });

  test("has 500 characters of evidence, as it is written and as it is read", () => {
    expect(formatCandidate({ ...candidate, evidence: "x".repeat(501) })).toBe(
      formatCandidate({ ...candidate, evidence: "x".repeat(500) }),
    );
    expect(parseCandidate(written.replace("it said no", "x".repeat(501)))).toMatchObject({
      candidate: { evidence: "x".repeat(500) },
    });
  });

  test.each([
    ["no reason", "severityReason: prod-outage", "severityReason: null", { severityReason: null }],
    [
      "no sound place to see it",
      "ref: src/a.ts",
      "ref: see there",
      { signal: { kind: "ci-fail", by: "check", ref: "" } },
    ],
    ["a harness that is no text", "harness: A", "harness: 7", { harness: "" }],
    ["a time of nothing", "at: 1800000000000", "at: 0", { at: 0 }],
  ])("is taken with %s", (_what, right, other, fields) => {
    expect(parseCandidate(written.replace(right, other))).toEqual({
      ok: true,
      candidate: { ...candidate, ...fields },
    });
  });

  const kinds =
    "signal: kind is one of test-fail, ci-fail, review-reject, user-feedback, run-fail, pass-after-fail, gate-block, and by one of check, gate, authorized";
  const empty = "id, workItem and run must not be empty";
  test.each([
    ["a list", written, "- a\n- b\n", "it is no YAML map"],
    ["no YAML", written, "a: b: c: [", "it is no YAML map"],
    ["a key twice", "run: turn-1", "run: turn-1\nrun: turn-2", "it is no YAML map"],
    ["an alias", "ref: src/a.ts", "ref: &a src/a.ts\nmore: *a", "it is no YAML map"],
    ["another version", "v: 1", "v: 2", "v: 1 is the only version that is understood"],
    [
      "an empty text",
      `text: ${long}`,
      "text: ''",
      "text: a learning says something: it needs at least two words with content",
    ],
    [
      "a text of one word",
      `text: ${long}`,
      "text: Databases",
      "text: a learning says something: it needs at least two words with content",
    ],
    [
      "a text that is a number",
      `text: ${long}`,
      "text: 7",
      "text: a learning says something: it needs at least two words with content",
    ],
    [
      "a text of two lines",
      `text: ${long}`,
      'text: "Start it\\nfirst"',
      "text: a learning is one line without control characters",
    ],
    ["another kind", "kind: ci-fail", "kind: rumour", kinds],
    ["another voucher", "by: check", "by: stranger", kinds],
    [
      "no map for its signal",
      "signal:\n  kind: ci-fail\n  by: check\n  ref: src/a.ts",
      "signal: ci-fail",
      kinds,
    ],
    [
      "another severity",
      "severity: high",
      "severity: dire",
      "severity is one of low, medium, high",
    ],
    ["no id", "id: 01-a", "id: ''", empty],
    ["no work item", "workItem: host:acme/shop#7", "workItem: ''", empty],
    ["no run", "run: turn-1", "run: ''", empty],
    ["a time in words", "at: 1800000000000", "at: soon", "at must be milliseconds since 1970"],
    [
      "a time between two milliseconds",
      "at: 1800000000000",
      "at: 0.5",
      "at must be milliseconds since 1970",
    ],
    ["a time before 1970", "at: 1800000000000", "at: -1", "at must be milliseconds since 1970"],
  ])("is refused with %s", (_what, right, wrong, problem) => {
    expect(written).toContain(right);
    expect(parseCandidate(written.replace(right, wrong))).toEqual({ ok: false, problem });
  });

  test("is one occurrence with what says the same in the same run of the same work item", () => {
    expect(occurrenceOf({ workItem: "w", run: "r", text: "Start the database" })).toBe(
      "w|r|begin databas",
    );
  });
});

test("a map is told from what else YAML and JSON know", () => {
  expect([{}, { a: 1 }].map(isFields)).toEqual([true, true]);
  expect([null, [], "a", 7, undefined].map(isFields)).toEqual([false, false, false, false, false]);
  expect(fieldsOf("a: 1")).toEqual({ a: 1 });
  expect(["a", 7, null].map(textOf)).toEqual(["a", "", ""]);
});

test.each([
  ["two words", "Start databases", null],
  ["160 characters", `ab ${"x".repeat(157)}`, null],
  [
    "161 characters",
    `ab ${"x".repeat(158)}`,
    "a learning has at most 160 characters, and this has 161",
  ],
  ["two lines", "Start it\nfirst", "a learning is one line without control characters"],
  ["a blank at its end", "Start databases ", "a learning is one line without control characters"],
  ["the beginning of a comment", "Start <!-- databases", "a learning holds no HTML comment"],
  ["the end of a comment", "Start --> databases", "a learning holds no HTML comment"],
])("a text of %s can stand in a line, or why not", (_what, text, expected) => {
  expect([malformed(text), whyUnfit(text)]).toEqual([expected, expected]);
});

test("a text on one line has no control character, no two blanks, and none around it", () => {
  expect(oneLine(" \u200Ba \u2028 b\tc\n\nd ")).toBe("a b c d");
});

test.each([
  ["src/a.ts:12", "src/a.ts:12"],
  ["", ""],
  ["x".repeat(300), "x".repeat(300)],
  ["x".repeat(301), null],
  ["a b", null],
  ["<b>", null],
])("%j says where something can be seen: %j", (ref, expected) => {
  expect(soundRef(ref)).toBe(expected);
});

const learning: Learning = {
  id: 17,
  text: long,
  category: "testing",
  kind: "do",
  status: "active",
  severity: "high",
  seen: 2,
  firstSeen: 0,
  lastSeen: 5,
  pinned: true,
  supersedes: [3],
  supersededBy: 18,
  keys: ["src/a.ts"],
  sources: [
    {
      workItem: "host:acme/shop#7",
      run: "turn-1",
      signal: "ci-fail",
      at: 0,
      ref: "src/a.ts",
      words: ["0123456789abcdef"],
    },
    { workItem: "host:acme/shop#8", run: "turn-2", signal: "run-fail", at: 5, ref: "" },
  ],
  earlier: ["Start it"],
};
const body = `\n## What happened\n\n- ci-fail in host:acme/shop#7 (src/a.ts)\n- run-fail in host:acme/shop#8\n\n## Learning\n\n${long}\n\n## Action\n\nFollow it in every session of this repository.\n`;
const detail = [
  "---",
  "id: 17",
  `text: ${long}`,
  "category: testing",
  "kind: do",
  "status: active",
  "severity: high",
  "seen: 2",
  "firstSeen: 0",
  "lastSeen: 5",
  "pinned: true",
  "supersedes:",
  "  - 3",
  "supersededBy: 18",
  "keys:",
  "  - src/a.ts",
  "sources:",
  "  - workItem: host:acme/shop#7",
  "    run: turn-1",
  "    signal: ci-fail",
  "    at: 0",
  "    ref: src/a.ts",
  "    words:",
  "      - 0123456789abcdef",
  "  - workItem: host:acme/shop#8",
  "    run: turn-2",
  "    signal: run-fail",
  "    at: 5",
  '    ref: ""',
  "earlier:",
  "  - Start it",
  "---",
  body,
].join("\n");

describe("a detail file", () => {
  test("is written with its fields and a body of ours, and read back", () => {
    expect(bodyOf(learning)).toBe(body);
    expect(detailAfter(undefined, learning)).toEqual({ learning, body });
    expect(formatDetail({ learning, body })).toBe(detail);
    expect(parseDetail(detail)).toEqual({ ok: true, detail: { learning, body } });
  });

  test.each([
    ["not pinned", "pinned: true", "pinned: yes, please", { pinned: false }],
    ["ids that are none left out", "  - 3", "  - 3\n  - x\n  - -1\n  - 0.5", { supersedes: [3] }],
    ["no list where none stands", "supersedes:\n  - 3", "supersedes: 3", { supersedes: [] }],
    ["nothing in its place", "supersededBy: 18", "supersededBy: soon", { supersededBy: null }],
    ["a first id", "id: 17", "id: 1", { id: 1 }],
  ])("is taken: %s", (_what, right, other, fields) => {
    expect(parseDetail(detail.replace(right, other))).toEqual({
      ok: true,
      detail: { learning: { ...learning, ...fields }, body },
    });
  });

  const counts = "id, seen, firstSeen and lastSeen are whole numbers from 0";
  const choices =
    "kind is one of do, dont, fact, status of active, evicted, retired, superseded, severity of low, medium, high";
  const source = "a source has workItem, run, signal, at and ref";
  const hyphens = "it does not begin with front matter between two lines of three hyphens";
  test.each([
    ["no hyphens", "---\nid", "id", hyphens],
    ["no end of its front matter", "---\n\n## What", "\n## What", hyphens],
    ["nothing between", detail, "---\n---\n", "its front matter is no YAML map"],
    ["a list", detail, "---\n- a\n---\n", "its front matter is no YAML map"],
    [
      "a text of one word",
      `text: ${long}`,
      "text: Databases",
      "text: a learning says something: it needs at least two words with content",
    ],
    [
      "a category of its own",
      "category: testing",
      "category: tests",
      "category is one of architecture, build, ci, code-style, data, dependencies, docs, git, process, release, security, testing, tools, general",
    ],
    ["another kind", "kind: do", "kind: rumour", choices],
    ["another status", "status: active", "status: lost", choices],
    ["another severity", "severity: high", "severity: dire", choices],
    ["an id in words", "id: 17", "id: many", counts],
    ["an id below nothing", "id: 17", "id: -1", counts],
    ["half of a count", "seen: 2", "seen: 0.5", counts],
    ["an id of nothing", "id: 17", "id: 0", "ids start at 1"],
    ["a source without a work item", "  - workItem: host:acme/shop#7", "  - workItem: ''", source],
    ["a source without a run", "    run: turn-1", "    run: ''", source],
    ["a source of another signal", "    signal: ci-fail", "    signal: rumour", source],
    ["a source without a time", "    at: 5", "    at: soon", source],
    [
      "a source that is nothing",
      "  - workItem: host:acme/shop#8",
      "  - null\n  - workItem: host:acme/shop#8",
      source,
    ],
    [
      "a source that is a word",
      "  - workItem: host:acme/shop#8",
      "  - word\n  - workItem: host:acme/shop#8",
      source,
    ],
  ])("is refused with %s", (_what, right, wrong, problem) => {
    expect(detail).toContain(right);
    expect(parseDetail(detail.replace(right, wrong))).toEqual({ ok: false, problem });
  });

  test.each([
    ["retired", null, "None: it holds no longer."],
    ["superseded", 18, "None: [018] stands in its place."],
    ["evicted", null, "Follow it in every session of this repository."],
  ] as const)("tells what to do with what is %s", (status, supersededBy, action) => {
    const before = { learning: { ...learning, supersededBy: null }, body };
    expect(detailAfter(before, { ...learning, status, supersededBy }).body).toBe(
      body.replace("Follow it in every session of this repository.", action),
    );
  });
});
