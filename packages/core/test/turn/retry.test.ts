import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NextStep } from "../../src/turn/next.ts";
import { afterCrash, afterOutcome, needsEvidence } from "../../src/turn/retry.ts";
import type { Outcome, ReceiptEvidence } from "../../src/turn/outcome.ts";
import type { Hold } from "../../src/work-item/records.ts";
import type { AttemptKind, Turn } from "../../src/turn/turn.ts";
import { formatPost } from "../../src/message/post.ts";
import { attempt, facts, injecting, now, settings, turn } from "./build.ts";

/**
 * What a `Next` says, in short: state, kind of the next attempt, hold of the lane and for how long.
 */
function short({ turn: after, hold, harnessHold, newSession }: NextStep): string {
  const words: string[] = [after.state];
  if (after.state === "ready") words.push(after.next);
  if (hold !== null)
    words.push(`held:${hold.reason}${hold.until === null ? "" : `+${(hold.until - now) / 1000}s`}`);
  if (harnessHold !== null) words.push(`harness:${harnessHold.reason}`);
  if (newSession) words.push("new-session");
  return words.join(" ");
}

const done: Outcome = { kind: "done", denials: [], usd: 0.5, minutes: 3 };
const transient: Outcome = { kind: "transient", status: 529, detail: "overloaded" };
const outcomes: Readonly<Record<Outcome["kind"], Outcome>> = {
  done,
  swallowed: { kind: "swallowed" },
  "prompt-blocked": { kind: "prompt-blocked", detail: "no" },
  "session-not-found": { kind: "session-not-found" },
  "session-busy": { kind: "session-busy" },
  "session-id-taken": { kind: "session-id-taken" },
  login: { kind: "login", detail: "not logged in" },
  billing: { kind: "billing", detail: "balance too low" },
  transient,
  "usage-limit": { kind: "usage-limit", until: now + 3_600_000, limit: "five_hour" },
  "prompt-too-long": { kind: "prompt-too-long" },
  untrusted: { kind: "untrusted" },
  unsandboxed: { kind: "unsandboxed", detail: "no sandbox" },
  timeout: { kind: "timeout" },
  "output-limit": { kind: "output-limit" },
  killed: { kind: "killed", signal: "SIGKILL", asked: false },
  "bad-invocation": { kind: "bad-invocation", detail: "unknown option" },
  "not-installed": { kind: "not-installed", detail: "no such program" },
  unclear: { kind: "unclear", detail: "no result and exit 0" },
};
const evidences: Readonly<Record<string, ReceiptEvidence>> = {
  done: { kind: "done", usd: 0.2, minutes: 1 },
  absent: { kind: "absent", sessionExists: true },
  "asked-only": { kind: "asked-only" },
  interrupted: { kind: "interrupted" },
  "api-error": { kind: "api-error", outcome: transient },
  unknown: { kind: "unknown", why: "another version" },
};

describe("X03 each way in which an attempt ends", () => {
  test.each([
    ["done", {}, "done"],
    ["swallowed", {}, "uncertain held:uncertain"],
    ["prompt-blocked", {}, "failed"],
    ["session-not-found", {}, "ready first new-session"],
    ["session-busy", {}, "ready again held:session-busy+30s"],
    ["session-id-taken", {}, "ready again held:backoff+15s"],
    ["login", {}, "ready continue held:login harness:login"],
    ["billing", {}, "ready continue held:billing harness:billing"],
    ["transient", {}, "ready continue held:backoff+15s"],
    ["usage-limit", {}, "ready continue held:usage-limit+3600s harness:usage-limit"],
    ["prompt-too-long", {}, "ready first new-session"],
    ["prompt-too-long", { sessionBegun: false }, "failed held:failed"],
    ["untrusted", {}, "ready again held:workspace"],
    ["unsandboxed", {}, "ready continue held:sandbox"],
    [
      "unsandboxed",
      { evidence: { kind: "absent", sessionExists: true } },
      "ready again held:sandbox",
    ],
    ["timeout", {}, "failed"],
    ["output-limit", {}, "failed"],
    ["killed", {}, "uncertain held:uncertain"],
    ["bad-invocation", {}, "ready again held:failed"],
    ["not-installed", {}, "ready again held:not-installed harness:not-installed"],
    ["unclear", {}, "uncertain held:uncertain"],
  ] as const)("%s %j → %s", (kind, over, expected) => {
    expect(short(afterOutcome(outcomes[kind], injecting(), settings, now, facts(over)))).toBe(
      expected,
    );
  });

  test("every kind that waits for somebody or gives up says so on the work item, once", () => {
    const told = Object.values(outcomes)
      .filter(
        (outcome) => afterOutcome(outcome, injecting(), settings, now, facts()).notice !== null,
      )
      .map(({ kind }) => kind);
    expect(told).toEqual([
      "swallowed",
      "prompt-blocked",
      "login",
      "billing",
      "untrusted",
      "unsandboxed",
      "timeout",
      "output-limit",
      "killed",
      "bad-invocation",
      "not-installed",
      "unclear",
    ]);
  });

  test("every kind leaves a line in the log", () => {
    for (const outcome of Object.values(outcomes))
      expect([
        outcome.kind,
        afterOutcome(outcome, injecting(), settings, now, facts()).lines.length > 0,
      ]).toEqual([outcome.kind, true]);
  });

  test("a session that is ending tries nothing again, whatever happened", () => {
    for (const outcome of Object.values(outcomes)) {
      const next = afterOutcome(outcome, injecting(), settings, now, facts({ closing: true }));
      expect([outcome.kind, short(next)]).toEqual([
        outcome.kind,
        outcome.kind === "done" ? "done" : "dropped",
      ]);
      if (outcome.kind !== "done")
        expect([next.notice, next.harnessHold, next.newSession]).toEqual([null, null, false]);
    }
  });

  test("spend is counted when a turn is done, and denied tools are shown with the key that allows them", () => {
    const next = afterOutcome(
      { ...done, denials: [{ tool: "Bash", input: "curl `x`\nevil" }] },
      injecting(),
      settings,
      now,
      facts({ harness: "B" }),
    );
    expect(next.spend).toEqual({ usd: 0.5, minutes: 3 });
    expect(next.notice && formatPost(next.notice)).toBe(
      "The session was not allowed to use:\n- `Bash: curl 'x'\\nevil`\n`harnesses.B.allowedTools` allows a program, `harnesses.B.permissions: bypass` everything.",
    );
    expect(next.lines.map(({ kind }) => kind)).toEqual(["turn.done", "turn.denied-tools"]);
  });
});

describe("outcomes that transcript and ledger decide", () => {
  test.each([
    ["killed", "done", "done"],
    ["killed", "absent", "ready again held:backoff+15s"],
    ["killed", "asked-only", "ready again held:backoff+15s"],
    ["killed", "interrupted", "ready continue held:backoff+15s"],
    ["killed", "api-error", "ready continue held:backoff+15s"],
    ["killed", "unknown", "uncertain held:uncertain"],
    ["unclear", "done", "done"],
    ["unclear", "absent", "ready again held:backoff+15s"],
    ["unclear", "interrupted", "ready continue held:backoff+15s"],
    ["unclear", "unknown", "uncertain held:uncertain"],
    ["swallowed", "done", "done"],
    ["swallowed", "absent", "uncertain held:uncertain"],
    ["swallowed", "asked-only", "ready continue held:backoff+15s"],
    ["swallowed", "interrupted", "ready continue held:backoff+15s"],
    ["swallowed", "api-error", "ready continue held:backoff+15s"],
    ["swallowed", "unknown", "uncertain held:uncertain"],
    ["session-id-taken", "done", "done"],
    ["session-id-taken", "absent", "ready again"],
    ["session-id-taken", "interrupted", "ready continue"],
    ["session-id-taken", "unknown", "uncertain held:uncertain"],
    ["timeout", "done", "done"],
    ["timeout", "absent", "ready again held:backoff+15s"],
    ["timeout", "interrupted", "failed"],
    ["timeout", "unknown", "failed"],
    ["output-limit", "interrupted", "failed"],
  ] as const)("%s, %s → %s", (kind, evidence, expected) => {
    expect(needsEvidence(outcomes[kind])).toBe(true);
    expect(
      short(
        afterOutcome(
          outcomes[kind],
          injecting(),
          settings,
          now,
          facts({ evidence: evidences[evidence] ?? null }),
        ),
      ),
    ).toBe(expected);
  });

  test("an answer of before that was an error which a person must mend: held, as if it had been seen", () => {
    expect(
      short(
        afterOutcome(
          outcomes.swallowed,
          injecting(),
          settings,
          now,
          facts({ evidence: { kind: "api-error", outcome: outcomes.login } }),
        ),
      ),
    ).toBe("ready continue held:login harness:login");
  });

  test("evidence is not asked for where it would change nothing", () => {
    expect(
      Object.values(outcomes)
        .filter(needsEvidence)
        .map(({ kind }) => kind),
    ).toEqual([
      "swallowed",
      "session-id-taken",
      "unsandboxed",
      "timeout",
      "output-limit",
      "killed",
      "unclear",
    ]);
  });

  test("X01 after a timeout the lane goes on", () => {
    expect(
      afterOutcome(
        outcomes.timeout,
        injecting(),
        settings,
        now,
        facts({ evidence: { kind: "interrupted" } }),
      ).hold,
    ).toBeNull();
  });

  test("killed because we shut down goes on at once", () => {
    const asked: Outcome = { kind: "killed", signal: "SIGTERM", asked: true };
    expect(
      short(
        afterOutcome(
          asked,
          injecting(),
          settings,
          now,
          facts({ evidence: { kind: "interrupted" } }),
        ),
      ),
    ).toBe("ready continue");
  });
});

describe("delays and tries", () => {
  test("transient errors back off: doubled, capped, then the turn fails and the lane waits", () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8].map((attempts) =>
      short(afterOutcome(transient, injecting("first", attempts), settings, now, facts())),
    );
    expect(delays).toEqual(
      ["15", "30", "60", "120", "240", "480", "900"]
        .map((s) => `ready continue held:backoff+${s}s`)
        .concat("failed held:failed"),
    );
  });

  test("tries that the shell counted go before attempts", () => {
    expect(
      short(afterOutcome(transient, injecting("first", 50), settings, now, facts({ tries: 1 }))),
    ).toBe("ready continue held:backoff+15s");
  });

  test.each([
    ["a reset time", now + 60_000, 60],
    ["no reset time", null, 900],
    ["a reset time that is over", now - 1, 900],
    ["a reset time in nine days", now + 9 * 86_400_000, 900],
    ["a reset time in seven days", now + 7 * 86_400_000, 604_800],
  ])("a usage limit with %s", (_, until, seconds) => {
    const next = afterOutcome(
      { kind: "usage-limit", until, limit: null },
      injecting("first", 99),
      settings,
      now,
      facts(),
    );
    expect(next.hold).toEqual({
      reason: "usage-limit",
      until: now + seconds * 1000,
      detail: "usage limit reached",
    });
    expect(next.notice).toBeNull();
  });

  test("a lost conversation is not sought for ever", () => {
    expect(
      short(
        afterOutcome({ kind: "session-not-found" }, injecting("first", 8), settings, now, facts()),
      ),
    ).toBe("failed held:failed");
  });

  test("delays are holds, so that resume ends them", () => {
    for (const outcome of Object.values(outcomes))
      expect(afterOutcome(outcome, injecting(), settings, now, facts()).turn.notBefore).toBe(0);
  });
});

describe("the turn as it was taken, before its attempt was written", () => {
  const taken = (next: AttemptKind, attempts: number): Turn =>
    turn({ state: "ready", next, attempts, attempt: attempts === 0 ? null : attempt("first") });

  test("names the judged attempt as its next one", () => {
    expect(
      short(
        afterOutcome(
          outcomes.killed,
          taken("continue", 1),
          settings,
          now,
          facts({ evidence: evidences["absent"] ?? null }),
        ),
      ),
    ).toBe("ready continue held:backoff+30s");
    expect(
      short(
        afterOutcome(
          outcomes.killed,
          taken("again", 1),
          settings,
          now,
          facts({ evidence: evidences["absent"] ?? null }),
        ),
      ),
    ).toBe("ready again held:backoff+30s");
  });

  test("counts the judged attempt", () => {
    expect(
      [0, 1, 6, 7].map((attempts) =>
        short(afterOutcome(transient, taken("first", attempts), settings, now, facts())),
      ),
    ).toEqual([
      "ready continue held:backoff+15s",
      "ready continue held:backoff+30s",
      "ready continue held:backoff+900s",
      "failed held:failed",
    ]);
  });
});

describe("holds that were there before", () => {
  const paused: Hold = { reason: "paused", until: null, detail: "by alice" };
  test("a pause outlives a backoff and a missing login, uncertainty outranks it", () => {
    for (const outcome of [transient, outcomes.login])
      expect(
        afterOutcome(outcome, injecting(), settings, now, facts({ hold: paused })).hold,
      ).toEqual(paused);
    expect(
      afterOutcome(outcomes.unclear, injecting(), settings, now, facts({ hold: paused })).hold
        ?.reason,
    ).toBe("uncertain");
  });
  test("a done turn leaves the hold alone", () => {
    expect(afterOutcome(done, injecting(), settings, now, facts({ hold: paused })).hold).toBeNull();
  });
  test("a hold that has run out is replaced", () => {
    expect(
      afterOutcome(
        transient,
        injecting(),
        settings,
        now,
        facts({ hold: { reason: "usage-limit", until: now - 1, detail: "" } }),
      ).hold?.reason,
    ).toBe("backoff");
  });
});

describe("after a crash of ours, the child being dead", () => {
  test.each([
    ["the end of the turn is on record", evidences["done"], {}, "done", true],
    [
      "no row, conversation known: absent, the same receipt",
      evidences["absent"],
      {},
      "ready again",
      true,
    ],
    [
      "no row, no conversation, and it was to begin: the same receipt",
      { kind: "absent", sessionExists: false },
      { sessionBegun: false },
      "ready again",
      false,
    ],
    [
      "no row, and the conversation is gone: a new one",
      { kind: "absent", sessionExists: false },
      { sessionBegun: true },
      "ready first new-session",
      false,
    ],
    [
      "a row, no reply, no tool: the same receipt",
      evidences["asked-only"],
      {},
      "ready again",
      true,
    ],
    [
      "a row, and a tool ran or a reply began: a new receipt, look before you act",
      evidences["interrupted"],
      {},
      "ready continue",
      true,
    ],
    [
      "a recorded API error: a new receipt after the backoff",
      evidences["api-error"],
      {},
      "ready continue held:backoff+15s",
      true,
    ],
    [
      "a recorded usage limit: sleeps",
      { kind: "api-error", outcome: outcomes["usage-limit"] },
      {},
      "ready continue held:usage-limit+3600s harness:usage-limit",
      true,
    ],
    [
      "a recorded usage limit whose reset is over: goes on at once",
      { kind: "api-error", outcome: { kind: "usage-limit", until: now - 1, limit: null } },
      {},
      "ready continue",
      true,
    ],
    [
      "a recorded usage limit without a reset time: sleeps",
      { kind: "api-error", outcome: { kind: "usage-limit", until: null, limit: null } },
      {},
      "ready continue held:usage-limit+900s harness:usage-limit",
      true,
    ],
    [
      "a recorded login error: held",
      { kind: "api-error", outcome: outcomes.login },
      {},
      "ready continue held:login harness:login",
      true,
    ],
    [
      "a recorded error of no kind: a new receipt",
      { kind: "api-error", outcome: outcomes.unclear },
      {},
      "ready continue held:backoff+15s",
      true,
    ],
    ["cannot tell: uncertain", evidences["unknown"], {}, "uncertain held:uncertain", null],
  ] as const)("%s", (_, evidence, over, expected, begun) => {
    const next = afterCrash(evidence as ReceiptEvidence, injecting(), settings, now, facts(over));
    expect(short(next)).toBe(expected);
    expect(next.sessionBegun).toBe(begun);
  });

  test("crashes of ours never use up the tries", () => {
    for (const evidence of [
      evidences["absent"],
      evidences["asked-only"],
      evidences["interrupted"],
    ]) {
      expect(
        short(
          afterCrash(evidence as ReceiptEvidence, injecting("first", 500), settings, now, facts()),
        ),
      ).toMatch(/^ready (again|continue)$/);
    }
  });

  test("a session that was ending drops its turn, unless it was done", () => {
    for (const evidence of Object.values(evidences))
      expect(
        short(afterCrash(evidence, injecting(), settings, now, facts({ closing: true }))),
      ).toBe(evidence.kind === "done" ? "done" : "dropped");
  });
});

describe("never the same receipt after any reply", () => {
  const someOutcome = fc.constantFrom(...Object.values(outcomes));
  const someEvidence = fc.constantFrom(null, ...Object.values(evidences), {
    kind: "absent",
    sessionExists: false,
  } as const);
  const replied = new Set(["interrupted", "api-error", "done"]);

  test("whatever happened, `again` is only for what has no reply, and an interrupted turn stays one", () => {
    fc.assert(
      fc.property(
        someOutcome,
        someEvidence,
        fc.constantFrom("first", "again", "continue"),
        fc.integer({ min: 1, max: 12 }),
        fc.boolean(),
        fc.boolean(),
        (outcome, evidence, kind, attempts, sessionBegun, crash) => {
          const at = facts({ evidence, sessionBegun });
          const tried = injecting(kind as "first", attempts);
          const next =
            crash && evidence !== null
              ? afterCrash(evidence, tried, settings, now, at)
              : afterOutcome(outcome, tried, settings, now, at);
          if (next.turn.state === "ready" && next.turn.next === "again") {
            const judged = crash || needsEvidence(outcome);
            if (judged && evidence !== null) expect(replied.has(evidence.kind)).toBe(false);
            expect(
              ["transient", "usage-limit", "login", "billing", "swallowed"].includes(
                outcome.kind,
              ) && !(crash && evidence !== null),
            ).toBe(false);
            expect(kind).not.toBe("continue");
          }
          expect(next.turn.state === "uncertain").toBe(
            next.turn.state === "uncertain" && next.hold?.reason === "uncertain",
          );
        },
      ),
      { numRuns: 2000 },
    );
  });
});

test("a thread is told the first line of a program's complaint, the event log all of it", () => {
  const detail =
    "error: unknown option '--x'\n    at main (/home/someone/secret-place/main.js:1:1)";
  const next = afterOutcome(
    { kind: "bad-invocation", detail },
    injecting("first", 1),
    settings,
    now,
    facts(),
  );
  const notice = next.notice && formatPost(next.notice);
  expect(notice).toContain("unknown option '--x'");
  expect(notice).not.toContain("secret-place");
  expect(next.hold?.detail).toContain("secret-place");
});
