import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { afterLeaving, attachedOver, coveredBy } from "../../src/turn/attached.ts";
import { outranks, strongerHold } from "../../src/work-item/hold.ts";
import type { Hold, HoldReason } from "../../src/work-item/records.ts";

const now = 1_000_000;
const hold = (reason: HoldReason, until: number | null): Hold => ({
  reason,
  until,
  detail: reason,
});
const attached = attachedOver(null, now);

describe("a person who sits down at a session and leaves again", () => {
  test.each([
    ["an open lane", null, "attached", null],
    ["a hold that has run out", hold("backoff", now), "attached", null],
    ["a backoff of half a minute", hold("backoff", now + 30_000), "attached", "backoff"],
    ["a usage limit for hours", hold("usage-limit", now + 3_600_000), null, "usage-limit"],
    ["a pause", hold("paused", null), null, "paused"],
    ["a missing login", hold("login", null), null, "login"],
    ["somebody who was in the way before", hold("session-busy", now + 90_000), "attached", null],
  ] as const)("%s", (_what, present, said, left) => {
    const put = attachedOver(present, now);
    expect(put?.reason ?? null).toBe(said);
    const covered = coveredBy(present, null, now);
    expect(afterLeaving(put ?? present, covered, now + 1)?.reason ?? null).toBe(left);
  });

  test("the hold says for a minute at a time that it ends when they leave", () => {
    expect(attached).toEqual({
      reason: "attached",
      until: now + 60_000,
      detail: expect.stringContaining("when they leave"),
    });
  });

  test("what the lane came to wait for meanwhile stays, and what somebody opened is not brought back", () => {
    const covered = coveredBy(hold("backoff", now + 30_000), null, now);
    expect(afterLeaving(null, covered, now + 1)).toBe(null);
    expect(afterLeaving(hold("paused", null), covered, now + 1)?.reason).toBe("paused");
    expect(coveredBy(null, covered, now)).toBe(null);
    expect(coveredBy(attached, covered, now)).toBe(covered);
  });

  test("a turn that ends while somebody waits to sit down leaves its hold: what is said of people keeps nothing from being said", () => {
    for (const reason of ["usage-limit", "backoff", "login", "uncertain"] as const)
      expect(strongerHold(attached, hold(reason, now + 5), now)?.reason).toBe(reason);
    expect(outranks(hold("usage-limit", now + 5), attached)).toBe(true);
  });

  test("whoever is killed while attached leaves a hold that lasts no shorter than the one in whose place it stands", () => {
    fc.assert(
      fc.property(
        fc.constantFrom<HoldReason>("usage-limit", "backoff"),
        fc.integer({ min: -90_000, max: 180_000 }),
        (reason, ms) => {
          const present = hold(reason, now + ms);
          expect((attachedOver(present, now) ?? present).until).toBeGreaterThanOrEqual(now + ms);
        },
      ),
    );
  });
});
