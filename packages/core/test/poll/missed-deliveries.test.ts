import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lookBackMs } from "../../src/poll/cursor.ts";
import {
  accountedUntil,
  gapsSince,
  type ListedAttempt,
  missedDeliveries,
  parseGapCursor,
  readAttempt,
} from "../../src/poll/missed-deliveries.ts";
import { instantOf } from "../../src/text/instant.ts";

const noon = "2024-05-06T12:00:00Z";
const raw = {
  id: 12,
  guid: "a-1",
  delivered_at: noon,
  redelivery: false,
  status: "OK",
  status_code: 202,
  event: "issues",
  action: "opened",
};
const attempt = (
  id: number,
  delivery: string,
  more: Partial<ListedAttempt> = {},
): ListedAttempt => ({
  id: String(id),
  delivery,
  at: noon,
  event: "issues",
  answer: null,
  ...more,
});
const policy = { events: new Set(["issues"]), firstLook: "2024-05-01T00:00:00Z" };
const later = (seconds: number): string =>
  new Date(Date.parse(noon) + seconds * 1000).toISOString();

describe("an entry of the host's list", () => {
  test("is read", () => {
    expect(readAttempt(raw)).toEqual({
      id: "12",
      delivery: "a-1",
      at: noon,
      event: "issues",
      answer: 202,
    });
    expect(readAttempt({ ...raw, id: "9007199254740993", status_code: 0 })).toMatchObject({
      id: "9007199254740993",
      answer: null,
    });
    expect(readAttempt({ ...raw, status_code: "202" })?.answer).toBeNull();
  });

  test("of another form counts for nothing, whatever stands in it", () => {
    for (const odd of [
      null,
      [],
      { ...raw, guid: "../x" },
      { ...raw, guid: "" },
      { ...raw, guid: "x".repeat(129) },
      { ...raw, id: "1/attempts" },
      { ...raw, id: -1 },
      { ...raw, id: 1.5 },
      { ...raw, delivered_at: "yesterday" },
      { ...raw, event: 7 },
      { ...raw, id: ["12"] },
      { ...raw, guid: 7 },
      { ...raw, delivered_at: [noon] },
    ])
      expect(readAttempt(odd)).toBeNull();
    fc.assert(fc.property(fc.anything(), (anything) => void readAttempt(anything)));
  });
});

describe("gaps", () => {
  test("are what the inbox has not, once each, in the order of their first attempt, to be fetched by the newest", () => {
    const attempts = [
      attempt(9, "a", { at: later(9) }),
      attempt(5, "b", { at: later(3) }),
      attempt(4, "c", { at: later(2) }),
      attempt(3, "a", { at: later(1) }),
    ];
    expect(
      missedDeliveries(attempts, new Set(["c"]), policy).map((gap) => [
        gap.delivery,
        gap.attempt,
        gap.at,
      ]),
    ).toEqual([
      ["a", "9", later(1)],
      ["b", "5", later(3)],
    ]);
  });

  test("of one instant stand in the order of their numbers, also where no number holds them", () => {
    expect(
      missedDeliveries(
        [
          attempt(11, "b2"),
          attempt(10, "b"),
          attempt(9, "a"),
          { ...attempt(0, "c"), id: "9007199254740993" },
        ],
        new Set(),
        policy,
      ).map(({ delivery }) => delivery),
    ).toEqual(["a", "b", "b2", "c"]);
  });

  test("are from before the first look only where nobody took them: 2xx is taken", () => {
    const of = (answer: number | null, at: string): readonly unknown[] =>
      missedDeliveries([attempt(1, "a", { at, answer })], new Set(), policy);
    const taken = [null, 199, 200, 299, 300].map((answer) => [
      answer,
      of(answer, "2024-04-30T23:59:59Z").length,
      of(answer, policy.firstLook).length,
      of(answer, "2024-05-01T00:00:01Z").length,
    ]);
    expect(taken).toEqual([
      [null, 1, 1, 1],
      [199, 1, 1, 1],
      [200, 0, 0, 1],
      [299, 0, 0, 1],
      [300, 1, 1, 1],
    ]);
  });

  test("are no events that nobody takes, and nothing from before the first look that somebody took", () => {
    const before = "2024-04-30T00:00:00Z";
    const attempts = [
      attempt(1, "a", { event: "push" }),
      attempt(2, "b", { at: before, answer: 202 }),
      attempt(3, "c", { at: before, answer: 503 }),
      attempt(4, "d", { answer: 202 }),
      attempt(5, "e", { at: before, answer: 503 }),
      attempt(6, "e", { at: noon, answer: 204 }),
    ];
    expect(missedDeliveries(attempts, new Set(), policy).map(({ delivery }) => delivery)).toEqual([
      "c",
      "d",
    ]);
  });

  test("and what is known are all that was listed of the events that are taken", () => {
    const ids = fc.array(
      fc.record({
        id: fc.nat(50),
        delivery: fc.constantFrom("a", "b", "c", "d"),
        second: fc.nat(100),
        answer: fc.constantFrom(null, 202, 503),
      }),
    );
    fc.assert(
      fc.property(ids, fc.subarray(["a", "b", "c", "d"]), (listed, known) => {
        const attempts = listed.map(({ id, delivery, second, answer }) =>
          attempt(id, delivery, { at: later(second), answer }),
        );
        const gaps = missedDeliveries(attempts, new Set(known), policy);
        expect(
          new Set([
            ...gaps.map(({ delivery }) => delivery),
            ...attempts.map(({ delivery }) => delivery).filter((id) => known.includes(id)),
          ]),
        ).toEqual(new Set(attempts.map(({ delivery }) => delivery)));
        expect(gaps.map(({ at }) => instantOf(at))).toEqual(
          gaps.map(({ at }) => instantOf(at) ?? 0).toSorted((a, b) => a - b),
        );
      }),
    );
  });
});

describe("how far", () => {
  test("a first look goes back seven days, a later one ten minutes before what is accounted for", () => {
    expect(Date.parse(gapsSince({}, "1", noon))).toBe(Date.parse(noon) - lookBackMs);
    expect(gapsSince({ "1": { firstLook: noon, until: noon } }, "1", later(9999))).toBe(
      "2024-05-06T11:50:00Z",
    );
  });

  test("accounted for is the newest that was listed, or nothing behind what is still open", () => {
    const attempts = [attempt(2, "b", { at: later(60) }), attempt(1, "a")];
    expect(accountedUntil(attempts, null, "2024-05-01T00:00:00Z")).toBe(later(60));
    expect(
      accountedUntil(
        attempts,
        missedDeliveries(attempts, new Set(), policy)[0] ?? null,
        "2024-05-01T00:00:00Z",
      ),
    ).toBe(noon);
    expect(accountedUntil([], null, noon)).toBe(noon);
  });

  test("a cursor that cannot be read begins anew", () => {
    expect(
      parseGapCursor(
        `{"7":{"firstLook":"${noon}","until":"${noon}"},"8":"${noon}","9":{"firstLook":"x","until":"${noon}"},"10":{"firstLook":"${noon}","until":"x"},"11":{"firstLook":["${noon}"],"until":"${noon}"},"12":{"firstLook":"${noon}","until":["${noon}"]}}`,
      ),
    ).toEqual({ "7": { firstLook: noon, until: noon } });
    for (const text of [null, "", "[]", "7", "{"]) expect(parseGapCursor(text)).toEqual({});
  });
});
