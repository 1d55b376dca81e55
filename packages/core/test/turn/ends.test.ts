import { verbatimPost } from "../../src/message/post.ts";
import { describe, expect, it } from "vitest";
import { endAgainAfterMs, isStuck, leftUndone } from "../../src/turn/ends.ts";
import type { OutboxEffect } from "../../src/turn/outbox-entry.ts";

const ref = { host: null, owner: "octo", repo: "shop", number: 7 };
const minute = 60_000;
const end = (graceMs: number): OutboxEffect => ({
  kind: "end-session",
  endpoint: ref,
  why: "closed",
  graceMs,
});
const release: OutboxEffect = { kind: "release", workItem: ref, why: "closed" };
const reply: OutboxEffect = { kind: "reply", thread: ref, text: verbatimPost("no") };

describe("ends that fail", () => {
  it("are tried again ever later, at most a quarter of an hour", () => {
    expect([1, 2, 3, 6, 7, 900].map(endAgainAfterMs)).toEqual([
      30_000,
      minute,
      2 * minute,
      15 * minute,
      15 * minute,
      15 * minute,
    ]);
  });

  it.each<[string, OutboxEffect, { attempts: number; age: number }, boolean]>([
    ["a release after two failures", release, { attempts: 2, age: minute }, false],
    ["a release after three", release, { attempts: 3, age: minute }, true],
    [
      "a release that nothing came of for half an hour",
      release,
      { attempts: 0, age: 31 * minute },
      true,
    ],
    [
      "an end within the grace of its closing",
      end(10 * minute),
      { attempts: 0, age: 39 * minute },
      false,
    ],
    ["an end long after it", end(10 * minute), { attempts: 0, age: 41 * minute }, true],
    ["a post, which is given up by itself", reply, { attempts: 9, age: 999 * minute }, false],
  ])("somebody should look, or not: %s", (_name, effect, { attempts, age }, stuck) => {
    expect(isStuck({ effect, attempts, createdAt: 1_000 }, 1_000 + age)).toBe(stuck);
  });

  it("are folded, where a person leaves them, as if they had been carried out", () => {
    const nothing = { kind: "nothing", why: "dropped by a person" };
    const react: OutboxEffect = {
      kind: "react",
      on: { thread: ref, surface: "conversation", commentId: "1" },
      reaction: "eyes",
    };
    const phase: OutboxEffect = {
      kind: "phase-label",
      workItem: ref,
      phase: "design",
      phases: ["design", "build"],
    };
    expect([end(0), release, reply, react, phase].map((effect) => leftUndone(effect, 5))).toEqual([
      { kind: "session-closed", endpoint: ref },
      { kind: "released", workItem: ref, salvage: null, at: 5 },
      nothing,
      nothing,
      nothing,
    ]);
  });
});
