import { describe, expect, test } from "vitest";
import type { GraphSignal } from "../../src/work-item/graph-record.ts";
import type { Authority } from "../../src/control/authority-type.ts";
import type { Actor, InboundEvent } from "../../src/event/event.ts";
import { formatRef } from "../../src/ref/ref.ts";
import type { Candidate } from "../../src/learnings/candidate.ts";
import { capture, isUntouched, leftOut, type SeenTurn } from "../../src/learnings/capture.ts";
import { shortHash } from "../../src/learnings/short-hash.ts";
import {
  activityEvent,
  ciEvent,
  commentEvent,
  controlEvent,
  issueOf,
  mallory,
} from "../../src/testing/build-event.ts";
import { authorsOf } from "../../src/testing/build-state.ts";

const turnOf = (inputs: readonly (readonly [InboundEvent, Authority])[]): SeenTurn["turn"] => ({
  id: 7,
  createdAt: 1_800_000_000_000,
  workItem: formatRef({ host: null, owner: "octo", repo: "shop", number: 7 }),
  inputs: inputs.map(([event, authority], seq) => ({
    seq,
    deliveryId: `d${seq}`,
    event,
    authority,
    receivedAt: 0,
    steered: null,
  })),
});
const seen = (
  over: Partial<SeenTurn> = {},
  ...inputs: readonly (readonly [InboundEvent, Authority])[]
): SeenTurn => ({
  turn: turnOf(inputs),
  stopped: null,
  missing: [],
  signals: [],
  recovered: new Set(),
  ownCommits: new Set(),
  harness: "A",
  instance: "default",
  at: 5,
  untouched: true,
  ...over,
});

/** What all candidates of that turn have in common, and an id of what is said. */
const whole = (of: Pick<Candidate, "text" | "signal"> & Partial<Candidate>): Candidate => ({
  category: "general",
  severity: "medium",
  severityReason: null,
  evidence: "",
  workItem: "host:octo/shop#7",
  run: "turn-7",
  harness: "A",
  instance: "default",
  at: 5,
  ...of,
  id: `001800000000000-turn-7-${shortHash(`${of.signal.kind} ${of.run ?? ""} ${of.text}`)}`,
});

const hooks = (...failed: readonly string[]): GraphSignal => ({
  kind: "hooks",
  node: "build",
  subject: "s",
  failed,
  at: 1,
});
const finding = (
  title: string,
): Extract<GraphSignal, { readonly kind: "critics" }>["findings"][number] => ({
  severity: "major",
  title,
  detail: "",
  file: "src/a.ts",
  line: 3,
  critics: ["strict", "kind"],
  rounds: 1,
});
const critics = (...titles: readonly string[]): GraphSignal => ({
  kind: "critics",
  node: "review",
  subject: "s",
  round: 1,
  outcome: "escalated",
  findings: titles.map(finding),
  why: null,
  at: 1,
});
const ci =
  "Before you push, run what the check ci:unit-tests runs; it failed on work that was pushed";

describe("the whole of a candidate", () => {
  test.each<[string, SeenTurn, Candidate]>([
    [
      "out of a comment",
      seen({}, [commentEvent("Use the factory instead of the constructor"), "authorized"]),
      whole({
        text: "Use the factory instead of the constructor",
        signal: { kind: "user-feedback", by: "authorized", ref: "" },
      }),
    ],
    [
      "out of a comment whose address is none",
      seen({}, [
        commentEvent("Use the factory", { comment: { url: "https://host/c 1" } }),
        "authorized",
      ]),
      whole({
        text: "Use the factory",
        signal: { kind: "user-feedback", by: "authorized", ref: "" },
      }),
    ],
    [
      "out of a comment that insists",
      seen({}, [
        commentEvent("Never push to main", { comment: { url: "https://host/c/1" } }),
        "authorized",
      ]),
      whole({
        text: "Never push to main",
        signal: { kind: "user-feedback", by: "authorized", ref: "https://host/c/1" },
        severity: "high",
        severityReason: "user-said-never",
      }),
    ],
    [
      "out of what an operator says",
      seen({}, [
        controlEvent({ verb: "say", text: "Use the factory. It is new here." }),
        "authorized",
      ]),
      whole({
        text: "Use the factory",
        signal: { kind: "user-feedback", by: "authorized", ref: "" },
      }),
    ],
    [
      "out of a review that rejects",
      seen({}, [
        commentEvent("The importer swallows lines.", {
          surface: "review",
          comment: { reviewState: "changes_requested" },
        }),
        "authorized",
      ]),
      whole({
        text: "The importer swallows lines",
        signal: { kind: "review-reject", by: "authorized", ref: "" },
      }),
    ],
    [
      "out of a review that comments",
      seen({}, [
        commentEvent("Use the factory", {
          surface: "review",
          comment: { reviewState: "commented" },
        }),
        "authorized",
      ]),
      whole({
        text: "Use the factory",
        signal: { kind: "user-feedback", by: "authorized", ref: "" },
      }),
    ],
    [
      "out of a check",
      seen({}, [ciEvent({ name: "Unit tests" }), "none"]),
      whole({
        text: ci,
        category: "ci",
        signal: { kind: "ci-fail", by: "check", ref: "" },
        run: "check-unit-tests",
        evidence: `Unit tests: failure at ${"a".repeat(40)}`,
      }),
    ],
    [
      "out of a lack",
      seen({ missing: ["tasks.md is not there"] }),
      whole({
        text: "Before you end a turn see that this is not so: tasks.md is not there",
        category: "process",
        signal: { kind: "gate-block", by: "gate", ref: "" },
      }),
    ],
    [
      "out of a lack in the gate's own words, whoever was heard",
      seen({ missing: ["tasks.md is not there"], untouched: false }),
      whole({
        text: "Before you end a turn see that this is not so: tasks.md is not there",
        category: "process",
        signal: { kind: "gate-block", by: "gate", ref: "" },
      }),
    ],
    [
      "out of a hook",
      seen({ signals: [hooks("the check `npm test` failed: it ended with 1")] }),
      whole({
        text: "Run npm test before you end a turn; the service's hook:npm-test failed",
        category: "testing",
        signal: { kind: "test-fail", by: "check", ref: "" },
        run: "hook-build",
        evidence: "the check `npm test` failed: it ended with 1",
      }),
    ],
    [
      "out of what critics found",
      seen({ signals: [critics("Errors of the importer are swallowed")] }),
      whole({
        text: "Errors of the importer are swallowed",
        signal: { kind: "review-reject", by: "gate", ref: "src/a.ts" },
        run: "critics-review",
        evidence: "found by strict, kind at review",
      }),
    ],
    [
      "out of a turn that took too long",
      seen({ stopped: "timeout" }),
      whole({
        text: "Work in steps that end well before the turn's time limit; a turn here was stopped for running too long",
        category: "process",
        signal: { kind: "run-fail", by: "check", ref: "" },
      }),
    ],
    [
      "out of a turn that printed too much",
      seen({ stopped: "output-limit" }),
      whole({
        text: "Send long output of commands into a file; a turn here was stopped for printing too much",
        category: "process",
        signal: { kind: "run-fail", by: "check", ref: "" },
      }),
    ],
  ])("%s", (_what, turn, expected) => {
    expect(capture(turn)).toEqual([expected]);
    expect(leftOut(turn)).toEqual([]);
  });
});

describe("nothing comes out of", () => {
  test.each<[string, SeenTurn]>([
    [
      "a review that approves in words",
      seen({}, [
        commentEvent("The importer swallows lines", {
          surface: "review",
          comment: { reviewState: "approved" },
        }),
        "authorized",
      ]),
    ],
    [
      "words of an operator that are no rule",
      seen({}, [controlEvent({ verb: "say", text: "The importer swallows lines" }), "authorized"]),
    ],
    [
      "another order of an operator",
      seen({}, [controlEvent({ verb: "pause", login: null, instance: null }), "authorized"]),
    ],
    ["an activity", seen({}, [activityEvent(), "authorized"])],
    ["a check that came to nothing", seen({}, [ciEvent({ conclusion: null }), "none"])],
    [
      "lacks behind what a hook printed",
      seen({ missing: ["the check `npm test` failed: it ended with 1", "tasks.md is not there"] }),
    ],
    [
      "a critic's finding where somebody else was heard",
      seen({ missing: ["major: Always run Y, found by security"], untouched: false }),
    ],
    [
      "an answer and a waiver",
      seen({
        signals: [
          {
            kind: "answer",
            node: "n",
            subject: "s",
            approved: false,
            by: "alice",
            delivery: "d",
            at: 1,
          },
          { kind: "waived", node: "n", how: "skipped", by: "alice", at: 1 },
        ],
      }),
    ],
  ])("%s", (_what, turn) => {
    expect(capture(turn)).toEqual([]);
    expect(leftOut(turn)).toEqual([]);
  });
});

test("the evidence of a hook has what all of them said, in 500 characters", () => {
  const failed = [
    "the check `npm test` failed: it ended with 1",
    `the check \`make\` failed: ${"x".repeat(600)}`,
  ];
  expect(capture(seen({ signals: [hooks(...failed)] })).map(({ evidence }) => evidence)).toEqual([
    failed.join("; ").slice(0, 500),
    failed.join("; ").slice(0, 500),
  ]);
});

describe("what is left out is no candidate, and is told", () => {
  const noName = "the name of this check has no letter and no digit to call it by";
  const six = ["one", "two", "three", "four", "five", "six"];
  const flood = "more than five of one source are not kept at once";
  const unfit = "a learning says something: it needs at least two words with content";
  test.each<[string, SeenTurn, number, readonly { text: string; left: string }[]]>([
    [
      "a hook's sentence without a command",
      seen({ signals: [hooks("it took too long")] }),
      0,
      [{ text: "it took too long", left: "it does not name its command" }],
    ],
    [
      "a hook's sentence with half of one",
      seen({ signals: [hooks("the check `npm test")] }),
      0,
      [{ text: "the check `npm test", left: "it does not name its command" }],
    ],
    [
      "a hook's sentence with one at its end",
      seen({ signals: [hooks("npm test` failed: it ended")] }),
      0,
      [{ text: "npm test` failed: it ended", left: "it does not name its command" }],
    ],
    [
      "a command without a letter",
      seen({ signals: [hooks("the check `✅` failed: it ended")] }),
      0,
      [{ text: "✅", left: noName }],
    ],
    [
      "a check without a letter",
      seen({}, [ciEvent({ name: "✅" }), "none"]),
      0,
      [{ text: "✅", left: noName }],
    ],
    [
      "a flood of lacks",
      seen({ missing: six.map((name) => `${name}.md is not there`) }),
      5,
      [{ text: "six.md is not there", left: flood }],
    ],
    [
      "a flood of findings",
      seen({ signals: [critics(...six.map((name) => `File ${name} is empty`))] }),
      5,
      [{ text: "File six is empty", left: flood }],
    ],
    [
      "a finding that says nothing",
      seen({ signals: [critics("Wrong", "Errors are swallowed")] }),
      1,
      [{ text: "Wrong", left: unfit }],
    ],
  ])("%s", (_what, turn, kept, left) => {
    expect(capture(turn)).toHaveLength(kept);
    expect(leftOut(turn)).toEqual(left);
  });
});

describe("whether nobody else's words reached a turn", () => {
  const untouched = (event: InboundEvent, own: Actor | null = mallory): boolean =>
    isUntouched({
      turn: turnOf([[event, "authorized"]]),
      authors: authorsOf({ collaborators: [] }),
      own,
    });

  test("an item of nobody is not the service's own where nobody knows its login", () => {
    expect(
      untouched(commentEvent("hello", { item: issueOf({ number: 17, author: null }) }), null),
    ).toBe(false);
  });

  test.each<[string, InboundEvent, boolean]>([
    [
      "an order that was given where somebody else's item was shown",
      controlEvent({ verb: "say", text: "Go on" }, { shown: issueOf({ author: mallory }) }),
      false,
    ],
    [
      "an order that was given where one's own was shown",
      controlEvent({ verb: "say", text: "Go on" }, { shown: issueOf() }),
      true,
    ],
    ["an order of the command line", controlEvent({ verb: "say", text: "Go on" }), true],
    [
      "the item itself, of the service",
      commentEvent("hello", { item: issueOf({ author: mallory }) }),
      false,
    ],
    [
      "another item, of the service",
      commentEvent("hello", { item: issueOf({ number: 17, author: mallory }) }),
      true,
    ],
    [
      "another item, of nobody",
      commentEvent("hello", { item: issueOf({ number: 17, author: null }) }),
      false,
    ],
  ])("%s", (_what, event, expected) => {
    expect(untouched(event)).toBe(expected);
  });
});
