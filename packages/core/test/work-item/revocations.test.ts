import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Revocation } from "../../src/work-item/records.ts";
import { mostRevocations, revokedAt, withRevocation } from "../../src/work-item/revocations.ts";

const one = (login: string | null, at: number): Revocation => ({ login, at, clock: "host" });
const remembered = (...each: readonly Revocation[]): readonly Revocation[] =>
  each.reduce<readonly Revocation[]>(withRevocation, []);

describe("revocations that are remembered", () => {
  it("keep the newest of a login", () => {
    expect(remembered(one("dave", 5), one("DAVE", 9), one("dave", 7))).toEqual([one("dave", 9)]);
  });

  it("a closing stands for every older one, and for no newer one", () => {
    expect(remembered(one("dave", 5), one("erin", 9), one(null, 7))).toEqual([
      one("erin", 9),
      one(null, 7),
    ]);
    expect(remembered(one(null, 7), one("dave", 5))).toEqual([one(null, 7)]);
    expect(remembered(one(null, 7), one(null, 3))).toEqual([one(null, 7)]);
  });

  it("keep the list where one adds nothing", () => {
    const known = remembered(one("dave", 5), one(null, 3));
    expect(withRevocation(known, one("dave", 5))).toBe(known);
  });

  it("mean the account under whatever login, and of a login keep what else they know", () => {
    const known = remembered({ ...one("dave2", 5), ids: ["1011"] }, one("dave2", 9));
    expect(revokedAt("dave", known, "1011")).toMatchObject({ at: 5 });
    expect(revokedAt("dave", known, "7")).toBeNull();
    expect(revokedAt("dave", known)).toBeNull();
    expect(revokedAt("Dave2", known, "7")).toMatchObject({ at: 9 });
    expect(remembered(one("dave2", 5), { ...one("dave2", 9), ids: ["1011"] })).toEqual([
      { ...one("dave2", 9), ids: ["1011"] },
    ]);
    expect(
      remembered({ ...one("dave2", 9), ids: ["1", "2"] }, { ...one("dave2", 5), ids: ["2"] }),
    ).toHaveLength(1);
    expect(remembered({ ...one("dave2", 5), ids: ["1011"] }, one(null, 5))).toEqual([one(null, 5)]);
  });

  it("past their bound the oldest counts for everybody", () => {
    const known = remembered(
      ...Array.from({ length: mostRevocations + 1 }, (_, n) => one(`login-${n}`, 100 + n)),
    );
    expect(known).toHaveLength(mostRevocations);
    expect(known).toContainEqual(one(null, 101));
    expect(revokedAt("nobody-in-particular", known)).toEqual(one(null, 101));
  });

  it("past their bound the oldest is the one that ended first, wherever it stands in the list", () => {
    const times = Array.from({ length: mostRevocations + 1 }, (_, n) => (n === 20 ? 5 : 200 - n));
    const known = remembered(...times.map((at, n) => one(`login-${n}`, at)));
    expect(known).toHaveLength(mostRevocations);
    expect(known.filter(({ login }) => login === null)).toEqual([one(null, 150)]);
  });

  it("are none where none are remembered, and of several of one time the first is named", () => {
    expect(revokedAt("dave")).toBeNull();
    expect(
      revokedAt("dave", [
        { login: null, at: 5, clock: "host" },
        { login: "dave", at: 5, clock: "machine" },
      ]),
    ).toEqual(one(null, 5));
  });

  it("are bounded, and never forget that a grant ended, in whatever order they come", () => {
    const entries = fc.array(
      fc.record({
        login: fc.oneof(
          { weight: 9, arbitrary: fc.integer({ min: 0, max: 80 }).map((n) => `login-${n}`) },
          { weight: 1, arbitrary: fc.constant(null) },
        ),
        at: fc.integer({ min: 0, max: 1000 }),
      }),
      { maxLength: 200 },
    );
    fc.assert(
      fc.property(entries, (each) => {
        const known = remembered(...each.map(({ login, at }) => one(login, at)));
        expect(known.length).toBeLessThanOrEqual(mostRevocations);
        for (const { login, at } of each)
          expect(revokedAt(login ?? "anybody", known)?.at).toBeGreaterThanOrEqual(at);
      }),
      { numRuns: 300 },
    );
  });
});
