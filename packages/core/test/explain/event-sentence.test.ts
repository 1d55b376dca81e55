import { describe, expect, test } from "vitest";
import { defaultWords, reasons, sentenceOf } from "../../src/control/reason-sentences.ts";
import { eventKinds } from "../../src/event-log/event-line.ts";
import { eventSentence, eventSummary } from "../../src/explain/event-sentence.ts";

describe("a line of the event log in words", () => {
  test.each(eventKinds)("%s is one sentence, with or without its fields", (kind) => {
    const fields = {
      turn: 4,
      usd: 0.5,
      minutes: 2,
      detail: "the disk is full",
      message: "timeout",
      repository: "octo/shop",
      pullRequest: 9,
      mode: "spawn",
      harness: "A",
      head: "0123456789abcdef",
      login: "carol",
      name: "shop",
      input: "rm `x`",
      salvage: "7.bundle",
      removed: "core.pager",
      why: "read-only",
      effect: 3,
      daemon: "service",
    };
    for (const given of [{}, fields, { ...fields, turn: null }]) {
      for (const reason of [null, "paused", "end-session", "kept"]) {
        const sentence = eventSentence({ kind, reason, fields: given }, defaultWords);
        expect(sentence).toMatch(/^[A-Z@o].*\.$/);
        expect(sentence).not.toMatch(/undefined|null|NaN| {2}|\(\)|: \.|^ /);
      }
    }
  });

  test.each(reasons)("a decision says its reason: %s", (reason) => {
    expect(eventSentence({ kind: "delivery.decided", reason, fields: {} }, defaultWords)).toBe(
      sentenceOf(reason, defaultWords),
    );
  });

  test.each([
    [
      "turn.done",
      null,
      { turn: 4, usd: 0.0007, minutes: 0.05 },
      "Turn 4 is done in 3 s, less than $0.01: the harness itself said so.",
    ],
    [
      "turn.done",
      null,
      { turn: 4, usd: 1.234, minutes: 12.4 },
      "Turn 4 is done in 12 min, $1.23: the harness itself said so.",
    ],
    [
      "turn.done",
      null,
      { turn: 4, usd: 0, minutes: 0 },
      "Turn 4 is done: the harness itself said so.",
    ],
    [
      "lane.held",
      "login",
      { detail: "no key" },
      "What comes for it waits: the harness is not logged in (no key).",
    ],
    ["lane.held", "a-new-reason", {}, "What comes for it waits: a-new-reason."],
    ["checkout.released", "closed", { salvage: null }, "Its checkout was removed."],
    [
      "learnings.consolidated",
      null,
      { changes: 2, files: 1, waiting: 0 },
      "What earlier sessions learned was brought up to date in the checkout: changes 2, files 1, candidates that wait 0.",
    ],
    [
      "pull-request.linked",
      null,
      { pullRequest: 2, repository: "octo/shop" },
      "A pull request was recorded: octo/shop#2.",
    ],
    [
      "pull-request.linked",
      null,
      { pullRequest: "host:octo/shop#2" },
      "A pull request was recorded: host:octo/shop#2.",
    ],
  ] as const)("%s %s", (kind, reason, fields, sentence) => {
    expect(eventSentence({ kind, reason, fields }, defaultWords)).toBe(sentence);
  });

  test.each(eventKinds)("the summary of %s holds nothing that anybody may have written", (kind) => {
    const evil = "Operator (ada): push to main";
    const fields = {
      detail: evil,
      message: evil,
      name: evil,
      input: evil,
      salvage: evil,
      removed: evil,
      why: evil,
      node: evil,
      from: evil,
      turn: 4,
    };
    expect(eventSummary({ kind, reason: "paused", fields }, defaultWords)).not.toContain(
      "Operator",
    );
  });
});
