import { describe, expect, test } from "vitest";
import type { NextStep } from "../../src/turn/next.ts";
import { afterCrash, afterOutcome } from "../../src/turn/retry.ts";
import type { Outcome, ReceiptEvidence } from "../../src/turn/outcome.ts";
import { formatPost } from "../../src/message/post.ts";
import { facts, injecting, now, settings } from "./build.ts";

const after = (outcome: Outcome, over: Parameters<typeof facts>[0] = {}, attempts = 1): NextStep =>
  afterOutcome(outcome, injecting("first", attempts), settings, now, facts(over));
const crashed = (evidence: ReceiptEvidence, over: Parameters<typeof facts>[0] = {}): NextStep =>
  afterCrash(evidence, injecting(), settings, now, facts(over));
const logged = ({ lines }: NextStep): unknown =>
  lines.map(({ kind, level, reason, fields }) => [kind, level, reason, fields]);
const transient: Outcome = { kind: "transient", status: 529, detail: "overloaded" };
const killed: Outcome = { kind: "killed", signal: "SIGKILL", asked: false };

/** The note stands with the turn in `loop turns`: one sentence that says why it is as it is. */
describe("why a turn is in its state", () => {
  test.each<[string, NextStep, string | null]>([
    ["done", after({ kind: "done", denials: [], usd: 0, minutes: 0 }), null],
    [
      "a moment's failure of the service",
      after(transient),
      "the harness's service failed for a moment: overloaded",
    ],
    [
      "no tries left",
      after(transient, {}, 8),
      "the harness's service failed for a moment: overloaded; no more tries after 8",
    ],
    [
      "a full conversation",
      after({ kind: "prompt-too-long" }),
      "the conversation was full; a new one is seeded from the work item",
    ],
    [
      "a full conversation, and no tries left",
      after({ kind: "prompt-too-long" }, {}, 8),
      "the conversation was full; no more tries",
    ],
    [
      "a prompt too long for any",
      after({ kind: "prompt-too-long" }, { sessionBegun: false }),
      "the prompt is too long for a fresh conversation",
    ],
    [
      "a lost conversation",
      after({ kind: "session-not-found" }),
      "the harness does not know the conversation any more; a new one is seeded from the work item",
    ],
    [
      "somebody in the conversation",
      after({ kind: "session-busy" }),
      "somebody else works in this conversation",
    ],
    [
      "somebody in the conversation, and more is known",
      after({ kind: "session-busy", detail: "a terminal is attached" }),
      "a terminal is attached",
    ],
    [
      "a conversation that exists already",
      after({ kind: "session-id-taken" }),
      "the conversation existed already",
    ],
    [
      "a usage limit",
      after({ kind: "usage-limit", until: null, limit: null }),
      "usage limit reached",
    ],
    [
      "a usage limit with a name",
      after({ kind: "usage-limit", until: null, limit: "weekly" }),
      "usage limit (weekly) reached",
    ],
    ["no login", after({ kind: "login", detail: "please log in" }), "please log in"],
    ["no trust", after({ kind: "untrusted" }), "the harness does not trust the working directory"],
    [
      "wrong arguments",
      after({ kind: "bad-invocation", detail: "no option --x" }),
      "the harness refused its arguments: no option --x",
    ],
    [
      "a hook that refused",
      after({ kind: "prompt-blocked", detail: "no secrets" }),
      "a hook of the harness refused the message: no secrets",
    ],
    [
      "a timeout",
      after({ kind: "timeout" }),
      `it ran longer than ${Math.round(settings.turnTimeoutMs / 1000)} seconds`,
    ],
    ["too much output", after({ kind: "output-limit" }), "it printed more than is kept"],
    [
      "too much output without reading",
      after({ kind: "output-limit" }, { evidence: { kind: "absent", sessionExists: true } }),
      "it printed more than is kept without reading the message",
    ],
    [
      "killed, and nobody looked",
      after(killed),
      "cannot tell whether the session acted: the harness was killed and nobody looked at its record",
    ],
    [
      "unclear, and nobody looked",
      after({ kind: "unclear", detail: "exit 0 without a result" }),
      "cannot tell whether the session acted: exit 0 without a result",
    ],
    [
      "answered before, and not on record",
      after({ kind: "swallowed" }),
      "cannot tell whether the session acted: the harness says that it had answered this message before, and its record does not show it",
    ],
    [
      "answered before in part",
      after({ kind: "swallowed" }, { evidence: { kind: "interrupted" } }),
      "the harness had begun to answer this message before",
    ],
    ["an ending session", after(killed, { closing: true }), "the session was ending (killed)"],
    [
      "an ending session after a crash",
      crashed({ kind: "interrupted" }, { closing: true }),
      "the session was ending when the daemon stopped",
    ],
    [
      "a conversation that is gone",
      crashed({ kind: "absent", sessionExists: false }),
      "the conversation is gone; a new one is seeded from the work item",
    ],
    [
      "never read",
      crashed({ kind: "absent", sessionExists: true }),
      "the message never reached the model",
    ],
    [
      "read, and nothing more",
      crashed({ kind: "asked-only" }),
      "the model was asked and nothing happened yet",
    ],
    [
      "interrupted",
      crashed({ kind: "interrupted" }),
      "the session was interrupted after it had begun to act",
    ],
    [
      "a limit that was reset since",
      crashed({ kind: "api-error", outcome: { kind: "usage-limit", until: now, limit: null } }),
      "the usage limit has been reset since",
    ],
    [
      "a recorded moment's failure of the service",
      crashed({ kind: "api-error", outcome: transient }),
      "the harness's service failed for a moment: overloaded",
    ],
    [
      "a recorded error of no kind",
      crashed({ kind: "api-error", outcome: { kind: "timeout" } }),
      "the harness recorded an error (timeout)",
    ],
    [
      "no telling",
      crashed({ kind: "unknown", why: "another version" }),
      "cannot tell whether the session acted: another version",
    ],
  ])("%s", (_, next, note) => {
    expect(next.turn.note).toBe(note);
    if (next.hold !== null) expect(next.hold.detail).toBe(note);
  });
});

/** Whoever reads the thread is told what waits, and what helps. */
describe("what the work item is told", () => {
  test.each<[string, NextStep, string | null]>([
    ["done", after({ kind: "done", denials: [], usd: 0, minutes: 0 }), null],
    [
      "no login",
      after({ kind: "login", detail: "Please log in." }),
      "Harness A cannot work: `Please log in`. What helps: log in to harness A, then run `loop doctor`.",
    ],
    [
      "an unpaid bill",
      after({ kind: "billing", detail: "balance too low" }, { harness: "B" }),
      "Harness B cannot work: `balance too low`. What helps: settle the bill of harness B.",
    ],
    [
      "no program",
      after({ kind: "not-installed", detail: "no such file" }),
      "Harness A cannot work: `no such file`. What helps: install harness A, or set harnesses.A.command; `loop doctor` checks it.",
    ],
    [
      "no trust",
      after({ kind: "untrusted" }),
      "This work item waits: the harness does not trust the working directory. What helps: set routing.harnessTrust.enabled or accept the directory in the harness, then resume.",
    ],
    [
      "wrong arguments, of which the first line is told",
      after({ kind: "bad-invocation", detail: "no option --x\n  at /home/x" }),
      "This work item waits: the harness refused its arguments: `no option --x`. What helps: check harnesses.A.args, then resume.",
    ],
    [
      "a dot inside of the complaint",
      after({ kind: "bad-invocation", detail: "see config.json for more" }),
      "This work item waits: the harness refused its arguments: `see config.json for more`. What helps: check harnesses.A.args, then resume.",
    ],
    [
      "a hook that refused",
      after({ kind: "prompt-blocked", detail: "no" }),
      "A hook of the harness refused a message; the session did not see it. `loop turns retry 1` sends it again.",
    ],
    [
      "a timeout",
      after({ kind: "output-limit" }),
      "A turn was stopped: it printed more than is kept. `loop turns retry 1` goes on with it.",
    ],
    [
      "no tries left",
      after({ kind: "prompt-too-long" }, { sessionBegun: false }),
      "A message could not be delivered: `the prompt is too long for a fresh conversation`. `loop turns retry 1` tries again.",
    ],
    [
      "no telling",
      after(killed),
      "It is not certain whether the last message was worked on. `loop turns retry 1` goes on, `loop turns drop 1` leaves it.",
    ],
  ])("%s", (_, next, notice) => {
    expect(next.notice && formatPost(next.notice)).toBe(notice);
  });

  test("at most five denials are shown, a tool without input by its name alone", () => {
    const denials = [
      { tool: "Read", input: "" },
      ...Array.from({ length: 6 }, (_, n) => ({ tool: "Bash", input: `${n} ${"x".repeat(600)}` })),
    ];
    const { notice, lines } = after({ kind: "done", denials, usd: 1, minutes: 2 });
    const told = (notice === null ? "" : formatPost(notice)).split("\n");
    expect([told.length, told[1], told[6]]).toEqual([8, "- `Read`", "- and 2 more"]);
    expect(told[2]).toBe(`- \`${`Bash: 0 ${"x".repeat(600)}`.slice(0, 200)}…\``);
    expect(
      lines
        .slice(1)
        .map(({ kind, level, reason, fields }) => [
          kind,
          level,
          reason,
          String(fields["input"]).length,
        ]),
    ).toEqual([
      ["turn.denied-tools", "warn", "Read", 0],
      ...denials.slice(1).map(() => ["turn.denied-tools", "warn", "Bash", 500]),
    ]);
  });

  test("five denials are all of them", () => {
    const denials = Array.from({ length: 5 }, () => ({ tool: "Bash", input: "ls" }));
    const { notice } = after({ kind: "done", denials, usd: 0, minutes: 0 });
    expect(notice && formatPost(notice)).not.toContain("more");
  });
});

/** Kinds, levels and fields of the event log, which people filter by. */
describe("what the log is told", () => {
  test.each<[string, NextStep, unknown]>([
    [
      "done",
      after({ kind: "done", denials: [], usd: 1, minutes: 2 }, {}, 3),
      [["turn.done", "info", null, { usd: 1, minutes: 2, attempts: 3 }]],
    ],
    [
      "tried again later",
      after(transient, {}, 2),
      [
        [
          "turn.retried",
          "warn",
          "the harness's service failed for a moment: overloaded",
          { attempts: 2, next: "continue", delayMs: 30_000, counted: true },
        ],
      ],
    ],
    [
      "tried again at once, for which the turn is not to blame",
      crashed({ kind: "interrupted" }),
      [
        [
          "turn.retried",
          "warn",
          "the session was interrupted after it had begun to act",
          { attempts: 1, next: "continue", delayMs: 0, counted: false },
        ],
      ],
    ],
    [
      "tried again at once, the limit having been reset",
      crashed({ kind: "api-error", outcome: { kind: "usage-limit", until: now - 1, limit: null } }),
      [
        [
          "turn.retried",
          "warn",
          "the usage limit has been reset since",
          { attempts: 1, next: "continue", delayMs: 0, counted: false },
        ],
      ],
    ],
    [
      "no tries left",
      after(transient, {}, 8),
      [
        [
          "turn.failed",
          "error",
          "the harness's service failed for a moment: overloaded; no more tries after 8",
          { attempts: 8 },
        ],
        [
          "lane.held",
          "warn",
          "failed",
          {
            until: null,
            detail: "the harness's service failed for a moment: overloaded; no more tries after 8",
          },
        ],
      ],
    ],
    [
      "a new conversation",
      after({ kind: "session-not-found" }),
      [
        ["session.lost", "warn", "the harness does not know the conversation any more", {}],
        [
          "turn.retried",
          "info",
          "the harness does not know the conversation any more",
          { attempts: 1, next: "first", delayMs: 0, counted: true },
        ],
      ],
    ],
    [
      "held",
      after({ kind: "login", detail: "log in" }),
      [["lane.held", "warn", "login", { until: null, detail: "log in" }]],
    ],
    [
      "uncertain",
      crashed({ kind: "unknown", why: "x" }),
      [
        ["turn.uncertain", "error", "x", { attempts: 1 }],
        [
          "lane.held",
          "warn",
          "uncertain",
          { until: null, detail: "cannot tell whether the session acted: x" },
        ],
      ],
    ],
    [
      "failed, and the lane goes on",
      after({ kind: "output-limit" }),
      [["turn.failed", "error", "it printed more than is kept", { attempts: 1 }]],
    ],
    [
      "dropped",
      after(killed, { closing: true }),
      [["turn.dropped", "info", "the session was ending (killed)", {}]],
    ],
  ])("%s", (_, next, lines) => {
    expect(logged(next)).toEqual(lines);
  });
});

describe("what is learned about the conversation, and spent", () => {
  test.each<[string, NextStep, boolean | null]>([
    ["a timeout of which nothing is known", after({ kind: "timeout" }), null],
    [
      "a timeout, and the record cannot be read",
      after({ kind: "timeout" }, { evidence: { kind: "unknown", why: "x" } }),
      null,
    ],
    [
      "a timeout that was tried twice without being read",
      after({ kind: "timeout" }, { evidence: { kind: "absent", sessionExists: true } }, 2),
      null,
    ],
    [
      "a timeout in the middle of the work",
      after({ kind: "timeout" }, { evidence: { kind: "interrupted" } }),
      true,
    ],
    [
      "a timeout that was never read",
      after({ kind: "timeout" }, { evidence: { kind: "absent", sessionExists: false } }),
      false,
    ],
    [
      "answered in part before",
      after({ kind: "swallowed" }, { evidence: { kind: "asked-only" } }),
      true,
    ],
    ["an id that is taken", after({ kind: "session-id-taken" }), true],
    ["a usage limit", after({ kind: "usage-limit", until: null, limit: null }), true],
    ["a login that is missing", after({ kind: "login", detail: "x" }), null],
    ["a new conversation", after({ kind: "session-not-found" }), false],
  ])("%s: %s", (_, next, begun) => {
    expect(next.sessionBegun).toBe(begun);
    expect(next.spend).toEqual({ usd: 0, minutes: 0 });
  });

  test("an id that is taken where it was to continue: it continues at once, whatever the record says", () => {
    const next = afterOutcome(
      { kind: "session-id-taken" },
      injecting("continue"),
      settings,
      now,
      facts({ evidence: { kind: "unknown", why: "x" } }),
    );
    expect([next.turn.next, next.hold, logged(next)]).toEqual([
      "continue",
      null,
      [
        [
          "turn.retried",
          "warn",
          "the conversation existed already",
          { attempts: 1, next: "continue", delayMs: 0, counted: false },
        ],
      ],
    ]);
  });

  test("a limit whose reset is this very moment is over", () => {
    expect(after({ kind: "usage-limit", until: now, limit: null }).hold?.until).toBe(
      now + settings.retry.usageLimitMs,
    );
    expect(
      after({ kind: "usage-limit", until: now + 8 * 86_400_000, limit: null }).hold?.until,
    ).toBe(now + 8 * 86_400_000);
  });

  test("a recorded error that a person must mend holds the lane as if it had been seen", () => {
    expect(
      crashed({ kind: "api-error", outcome: { kind: "billing", detail: "x" } }).hold?.reason,
    ).toBe("billing");
    expect(crashed({ kind: "api-error", outcome: { kind: "prompt-too-long" } }).newSession).toBe(
      true,
    );
  });
});
