import { describe, expect, test } from "vitest";
import {
  canaryBody,
  canaryEvent,
  canaryId,
  canaryWords,
  parseCanary,
} from "../../src/canary/canary-delivery.ts";
import { type ClockFacts, clockReport } from "../../src/canary/clock.ts";
import { allLinks, canaryLinks, linkName, parseLinkReport } from "../../src/canary/links.ts";

const nonce = "0b54f5a2-9f4e-4d5e-8a3f-1c2d3e4f5a6b";
const now = 1_767_225_600_000;

describe("a canary's words", () => {
  test("are one delivery per nonce", () => {
    expect([canaryId({ nonce }), canaryWords({ nonce, sentAt: 7 }), canaryBody("x")]).toEqual([
      `canary-${nonce}`,
      `loop canary ${nonce} 7`,
      '{"canary":"x"}',
    ]);
  });

  test.each([
    "",
    `loop canary ${nonce}`,
    `loop canary ${nonce} 7 `,
    ` loop canary ${nonce} 7`,
    `loop canary ${nonce.toUpperCase()} 7`,
    `loop canary ${nonce} 12345678901234567`,
    "loop canary x 7",
    "loop start",
  ])("%j is none", (signed) => {
    for (const id of [canaryId({ nonce }), "canary-undefined"])
      expect(parseCanary({ id, event: canaryEvent }, canaryBody(signed))).toBeNull();
  });
});

/** A wrong clock lets the order of commands, holds and budgets go wrong. */
describe("what is told of the clock", () => {
  const facts: ClockFacts = {
    sentAt: now,
    receivedAt: now + 10,
    answeredAt: now + 400,
    newestBefore: null,
    behindHost: null,
  };
  const todo = "let this machine's clock be set (`timedatectl set-ntp true`), then `loop restart`";

  test.each<[Partial<ClockFacts>, "good" | "weak" | "broken", string]>([
    [{}, "good", "2026-01-01 00:00:00 UTC, the same here and in the service"],
    [
      { receivedAt: now - 2_000 },
      "good",
      "2025-12-31 23:59:58 UTC, the same here and in the service",
    ],
    [{ receivedAt: now - 2_001 }, "broken", "the service's clock is 2 s behind the one here"],
    [
      { receivedAt: now + 2_400 },
      "good",
      "2026-01-01 00:00:02 UTC, the same here and in the service",
    ],
    [{ receivedAt: now + 2_401 }, "broken", "the service's clock is 2 s ahead of the one here"],
    [
      { receivedAt: now, answeredAt: now - 10_000 },
      "broken",
      "the service's clock is 10 s ahead of the one here",
    ],
    [{ receivedAt: now + 119_400 }, "broken", "the service's clock is 119 s ahead of the one here"],
    [{ receivedAt: now + 120_400 }, "broken", "the service's clock is 2 min ahead of the one here"],
    [
      { receivedAt: now - 7_199_000 },
      "broken",
      "the service's clock is 120 min behind the one here",
    ],
    [{ receivedAt: now - 7_200_000 }, "broken", "the service's clock is 2 h behind the one here"],
    [
      { receivedAt: now - 172_799_000 },
      "broken",
      "the service's clock is 48 h behind the one here",
    ],
    [
      { receivedAt: now - 172_800_000 },
      "broken",
      "the service's clock is 2 days behind the one here",
    ],
    [
      { sentAt: 5_000, receivedAt: 86_405_010 },
      "broken",
      "it says 1970-01-01, which is before this program was written",
    ],
    [
      { receivedAt: 1_735_689_599_999 },
      "broken",
      "it says 2024-12-31, which is before this program was written",
    ],
    [
      { sentAt: 1_735_689_599_999 },
      "broken",
      "it says 2024-12-31, which is before this program was written",
    ],
    [
      { sentAt: 1_735_689_600_000, receivedAt: 1_735_689_600_000, answeredAt: 1_735_689_600_000 },
      "good",
      "2025-01-01 00:00:00 UTC, the same here and in the service",
    ],
    [
      { newestBefore: now + 60_400 },
      "good",
      "2026-01-01 00:00:00 UTC, the same here and in the service",
    ],
    [
      { newestBefore: now + 60_401 },
      "weak",
      "it was set back: a delivery on record came 60 s from now",
    ],
    [{ behindHost: 120_000 }, "good", "2026-01-01 00:00:00 UTC, the same here and in the service"],
    [
      { behindHost: 120_001 },
      "weak",
      "it was 2 min behind the code host's: the newest event was received before it happened",
    ],
  ])("%j: %s", (changed, state, found) => {
    expect(clockReport({ ...facts, ...changed })).toEqual({
      link: "clock",
      state,
      found,
      todo: state === "good" ? null : todo,
    });
  });
});

describe("the links of the chain", () => {
  test("stand in their order, and unknown where nobody looked", () => {
    expect(allLinks([]).map(({ link, state, found, todo }) => [link, state, found, todo])).toEqual(
      canaryLinks.map((link) => [link, "unknown", "not reached", null]),
    );
  });

  test.each([
    [["good", "weak"], "weak"],
    [["weak", "good"], "weak"],
    [["broken", "weak"], "broken"],
    [["unknown", "good"], "good"],
  ] as const)("of %j the worst counts: %s", (states, worst) => {
    expect(
      allLinks(
        states.map((state) => ({ link: "git" as const, state, found: state, todo: null })),
      ).find(({ link }) => link === "git")?.found,
    ).toBe(worst);
  });

  test("have names that people write", () => {
    expect([linkName("harness-binary"), linkName("git")]).toEqual(["harness binary", "git"]);
  });

  test.each([
    ['["good","x",null]', true],
    ['["weak","x","y"]', true],
    ['["broken","x","y"]', true],
    ['["unknown","x",null]', true],
    ['["good","x"]', false],
    ['["good","x",1]', false],
    ['["better","x",null]', false],
    ["not JSON", false],
    ['"good"', false],
  ])("%s is a report: %s", (field, report) => {
    expect(parseLinkReport("git", field) !== null).toBe(report);
  });
});
