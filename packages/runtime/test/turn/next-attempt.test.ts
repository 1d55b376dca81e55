import type { Attempt, Runner } from "@loopwork/core/ports";
import { expect, test } from "vitest";
import { nextAttempt } from "../../src/turn/plan.ts";

const parts = { ids: { uuid: () => "fresh" }, clock: { now: () => 7 } };

function next(
  before: Partial<Attempt>,
  runner: Runner,
): Pick<Attempt, "receipt" | "kind" | "runner"> {
  const attempt: Attempt = {
    receipt: "used",
    kind: "first",
    harnessSessionId: "s-1",
    startedAt: 1,
    child: null,
    ...before,
  };
  const {
    receipt,
    kind,
    runner: by,
  } = nextAttempt({ next: "again", attempt }, { harnessSessionId: "s-1" }, runner, parts);
  return { receipt, kind, ...(by === undefined ? {} : { runner: by }) };
}

test.each([
  [
    "the same runner uses the receipt again",
    { runner: "tmux" },
    "tmux",
    { receipt: "used", kind: "again", runner: "tmux" },
  ],
  [
    "another one finds nothing of what it came to, so the session is told to look",
    { runner: "tmux" },
    "headless",
    { receipt: "fresh", kind: "continue", runner: "headless" },
  ],
  [
    "and the other way round",
    { runner: "headless" },
    "tmux",
    { receipt: "fresh", kind: "continue", runner: "tmux" },
  ],
  [
    "another conversation has seen no receipt",
    { runner: "tmux", harnessSessionId: "s-0" },
    "tmux",
    { receipt: "fresh", kind: "again", runner: "tmux" },
  ],
  [
    "an old record was judged by either",
    {},
    "headless",
    { receipt: "used", kind: "again", runner: "headless" },
  ],
] as const)("again: %s", (_what, before, runner, expected) => {
  expect(next(before, runner)).toEqual(expected);
});
