import fc from "fast-check";
import { expect, test } from "vitest";
import { createKnownNames } from "../../src/file-inbox/name-index.ts";

test("finds every name that was added, at its latest place, however many there are", () => {
  const known = createKnownNames();
  const places = new Map<string, number>();
  for (let n = 1; n <= 20_000; n += 1) {
    const name = `delivery-${(n * 7) % 15_000}`;
    known.add(name, 1 + Math.floor(n / 500), n);
    places.set(name, n);
  }
  for (const [name, offset] of places)
    expect(known.find(name, (place) => place.offset)).toBe(offset);
  expect(known.find("delivery-of-nobody", () => true)).toBe(null);
  expect(known.size()).toBe(20_000);
});

test("a hit that is not confirmed is no hit: equal hashes swallow nothing", () => {
  const known = createKnownNames();
  known.add("a", 1, 16);
  expect(known.find("a", () => null)).toBe(null);
});

test("a moved name is found at its new place only", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 50 }),
      (names) => {
        const known = createKnownNames();
        for (const [n, name] of names.entries()) known.add(name, 1, n);
        for (const [n, name] of names.entries())
          known.move(name, { segment: 1, offset: n }, { segment: 1, offset: 1000 + n });
        for (const [n, name] of names.entries())
          expect(
            known.find(name, (place) => (place.offset === 1000 + n ? place.offset : null)),
          ).toBe(1000 + n);
        for (const [n, name] of names.entries())
          expect(known.find(name, (place) => (place.offset === n ? true : null))).toBe(null);
      },
    ),
  );
});
