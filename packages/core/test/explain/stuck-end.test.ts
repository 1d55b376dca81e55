import { verbatimPost } from "../../src/message/post.ts";
import { describe, expect, test } from "vitest";
import { endView } from "../../src/explain/stuck-end.ts";
import type { PendingEffect } from "../../src/turn/outbox-entry.ts";
import { issueRef } from "../../src/testing/build-state.ts";
import { formatRef } from "../../src/ref/ref.ts";
import { now } from "../turn/build.ts";

const hour = 3_600_000;
const end = { kind: "end-session", endpoint: issueRef, why: "stopped", graceMs: 0 } as const;
const release = { kind: "release", workItem: issueRef, why: "closed" } as const;
const pending = (over: Partial<PendingEffect>): PendingEffect => ({
  id: 4,
  workItem: formatRef(issueRef),
  deliveryId: "d",
  effect: end,
  attempts: 0,
  notBefore: 0,
  note: null,
  createdAt: now,
  ...over,
});

/** What `loop status` says of an end that a lane waits for, and what to type. */
describe("an end that a lane waits for", () => {
  test.each<[string, PendingEffect, ReturnType<typeof endView>]>([
    ["nobody had time for it yet", pending({}), null],
    ["half an hour is not over", pending({ createdAt: now - hour / 2 }), null],
    [
      "half an hour after its grace is not over",
      pending({ effect: { ...end, graceMs: 600_000 }, createdAt: now - hour / 2 - 600_000 }),
      null,
    ],
    [
      "it is no end at all",
      pending({
        effect: { kind: "reply", thread: issueRef, text: verbatimPost("x") },
        attempts: 9,
      }),
      null,
    ],
    [
      "it failed once",
      pending({ attempts: 1, note: "no such process", notBefore: now + 5000 }),
      {
        words: "its session could not be ended",
        detail: "no such process",
        until: now + 5000,
        type: null,
      },
    ],
    [
      "it failed often and is tried later",
      pending({ effect: release, attempts: 3, note: "disk full", notBefore: now + hour }),
      {
        words: "its checkout could not be released",
        detail: "disk full; tried 3 times, again in 60 min",
        until: null,
        type: "put that right, then `loop effects retry 4` tries at once; `loop effects drop 4` leaves the checkout where it is",
      },
    ],
    [
      "it failed often and is tried now",
      pending({ attempts: 3, note: "disk full", notBefore: now }),
      {
        words: "its session could not be ended",
        detail: "disk full; tried 3 times, again now",
        until: null,
        type: "put that right, then `loop effects retry 4` tries at once; `loop effects drop 4` counts the session as closed",
      },
    ],
    [
      "nobody has looked at it for an hour",
      pending({ createdAt: now - hour }),
      {
        words: "its session could not be ended",
        detail: "nobody has looked at it yet; asked for 60 min ago",
        until: null,
        type: "`loop start` where no service runs, else `loop effects drop 4` counts the session as closed",
      },
    ],
  ])("%s", (_, effect, view) => {
    expect(endView(effect, now)).toEqual(view);
  });
});
