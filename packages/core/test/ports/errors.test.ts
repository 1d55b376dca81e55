import { expect, test } from "vitest";
import { LoopError } from "../../src/ports/loop-error.ts";
import { CodeHostError, type CodeHostFailure } from "../../src/ports/code-host.ts";
import { InboxUnavailable } from "../../src/ports/inbox.ts";
import { isBrokerLost, knownEnd } from "../../src/ports/lost-broker.ts";
import { GitLost } from "../../src/ports/run-git.ts";

/**
 * What each failure of the code host means for the caller: whether the same call may do later, and
 * whether the thing is not there.
 */
const failures: Readonly<Record<CodeHostFailure, "passing" | "missing" | "neither">> = {
  LOOP_E_HOST_UNREACHABLE: "passing",
  LOOP_E_HOST_SERVER: "passing",
  LOOP_E_HOST_LIMIT: "passing",
  LOOP_E_HOST_NOT_FOUND: "missing",
  LOOP_E_HOST_GONE: "missing",
  LOOP_E_HOST_UNAUTHORIZED: "neither",
  LOOP_E_HOST_FORBIDDEN: "neither",
  LOOP_E_HOST_REFUSED: "neither",
  LOOP_E_HOST_REDIRECT: "neither",
  LOOP_E_HOST_NO_TOKEN: "neither",
};
const codes = Object.keys(failures).filter((code): code is CodeHostFailure => code in failures);

test.each(codes)("%s", (code) => {
  const error = new CodeHostError(code, "the host said so");
  expect([error.name, error.message, error.code, error.retryAfterMs]).toEqual([
    "CodeHostError",
    "the host said so",
    code,
    null,
  ]);
  expect([error.passing, error.missing]).toEqual([
    failures[code] === "passing",
    failures[code] === "missing",
  ]);
});

test("a failure of the host says how long to wait where waiting helps", () => {
  expect(new CodeHostError("LOOP_E_HOST_LIMIT", "too many", 60_000).retryAfterMs).toBe(60_000);
});

test("an inbox that cannot take deliveries says why, and to come again in five seconds unless it knows better", () => {
  const error = new InboxUnavailable("LOOP_E_BACKLOG_FULL", "no room");
  expect([error.name, error.message, error.code, error.retryAfterSeconds]).toEqual([
    "InboxUnavailable",
    "no room",
    "LOOP_E_BACKLOG_FULL",
    5,
  ]);
  expect(new InboxUnavailable("LOOP_E_STORE_UNAVAILABLE", "", 60).retryAfterSeconds).toBe(60);
});

test("a git that was lost says that its end is unknown, and that nothing is to be done", () => {
  const error = new GitLost();
  expect([error.name, error.code]).toEqual(["GitLost", "LOOP_E_BROKER"]);
  expect(error.message).toBe(
    "the process that runs git ended before it said what came of a command",
  );
  expect(error.hint).toBe("nothing to do: another is started, and the work is taken up again");
});

test("what was lost with a broker is told from every other failure", () => {
  expect(
    [
      new GitLost(),
      new LoopError("LOOP_E_BROKER", "", ""),
      new LoopError("LOOP_E_TERMINAL", "", ""),
      new Error("LOOP_E_BROKER"),
      null,
    ].map(isBrokerLost),
  ).toEqual([true, true, false, false, false]);
});

test.each([
  { code: 0, signal: null, stopped: null },
  { code: null, signal: "SIGKILL", stopped: null },
  { code: null, signal: null, stopped: "deadline" },
] as const)("an end that somebody saw is what it is: %j", (end) => {
  expect(knownEnd(end)).toBe(end);
});

test("an end that nobody saw is none", () => {
  const lost = expect.objectContaining({
    code: "LOOP_E_BROKER",
    message: "the process that starts children ended before it said how one ended",
    hint: "nothing to do: another is started, and the work is taken up again",
  });
  expect(() => knownEnd({ code: null, signal: null, stopped: null })).toThrow(lost);
});

test("knows an error of another copy of core, as a global installation brings one", () => {
  const other: unknown = Object.assign(new Error("No."), { code: "LOOP_E_OTHER", hint: "Do." });
  expect([other instanceof LoopError, new Error("no") instanceof LoopError]).toEqual([true, false]);

  class Narrow extends LoopError {}
  expect([other instanceof Narrow, new Narrow("LOOP_E_A", "", "") instanceof Narrow]).toEqual([
    false,
    true,
  ]);
  const away = Object.assign(new Error("away"), { name: "InboxUnavailable" });
  expect(away instanceof InboxUnavailable).toBe(true);
});
