import { describe, expect, test } from "vitest";
import { failedTries } from "../../src/turn/failed-tries.ts";
import {
  type HarnessLane,
  lanesOfHarness,
  spreadHold,
  waitsWithOthers,
} from "../../src/turn/harness-hold.ts";
import { isHarnessWide } from "../../src/work-item/hold.ts";
import { emptyItemState, type Hold, type ItemState } from "../../src/work-item/records.ts";
import { emptyRecord } from "../../src/work-item/empty-record.ts";
import type { EventLine } from "../../src/event-log/event-line.ts";
import { formatRef, parseRef, type RefText } from "../../src/ref/ref.ts";

const now = 1_000_000_000_000;
const policy = {
  harnessBLabel: "loop: harness-b",
  defaultHarness: "A",
  instance: { name: "north" },
} as const;
const limit: Hold = { reason: "usage-limit", until: now + 60_000, detail: "usage limit reached" };
const login: Hold = { reason: "login", until: null, detail: "not logged in" };
const backoff: Hold = { reason: "backoff", until: now + 9_000, detail: "" };

function ref(number: number): RefText {
  const parsed = parseRef(`host:ada/garden#${number}`);
  if (parsed === null) throw new Error("a ref of this test does not parse");
  return formatRef(parsed);
}

const lane = (number: number, hold: Hold | null): HarnessLane => ({
  workItem: ref(number),
  endpoint: ref(number),
  hold,
});

function item(number: number, labels: readonly string[] = []): ItemState {
  return {
    ...emptyItemState,
    workItem: { ...emptyRecord(ref(number)), labels },
    lanes: [{ endpoint: ref(number), hold: null }],
  };
}

test("what this machine's harness lacks is no business of the lanes of another instance", () => {
  const of = (number: number, instance: string | null): ItemState => {
    const { workItem, ...rest } = item(number);
    return {
      ...rest,
      workItem:
        workItem === null ? null : { ...workItem, control: { ...workItem.control, instance } },
    };
  };
  expect(
    lanesOfHarness(
      "A",
      ref(1),
      [of(1, "north"), of(2, "north"), of(3, "south"), of(4, null)],
      policy,
    ).map(({ endpoint }) => endpoint),
  ).toEqual([ref(2), ref(4)]);
});

test("lanes of a harness: by label or default, without the one that asks", () => {
  const items = [item(1), item(2), item(3, ["loop: harness-b"])];
  expect(lanesOfHarness("A", ref(1), items, policy).map(({ endpoint }) => endpoint)).toEqual([
    ref(2),
  ]);
  expect(lanesOfHarness("B", ref(1), items, policy).map(({ endpoint }) => endpoint)).toEqual([
    ref(3),
  ]);
});

test("a lane of which no item is on record is nobody's to hold", () => {
  expect(
    lanesOfHarness("A", ref(1), [{ ...item(2), workItem: null }, item(3)], policy).map(
      ({ endpoint }) => endpoint,
    ),
  ).toEqual([ref(3)]);
});

test("an open lane waits for no harness", () => {
  expect([null, backoff, login, limit].map(isHarnessWide)).toEqual([false, false, true, true]);
});

describe("X03 a hold of the whole harness", () => {
  test("holds open lanes and those that wait for less, and leaves a pause and a question of ours alone", () => {
    const lanes = [
      lane(2, null),
      lane(3, backoff),
      lane(4, { reason: "paused", until: null, detail: "" }),
      lane(5, { reason: "uncertain", until: null, detail: "" }),
    ];
    const { own, others, told } = spreadHold(login, lanes, now);
    expect(own).toBe(login);
    expect(others.map(({ endpoint }) => endpoint)).toEqual([ref(2), ref(3)]);
    expect(told).toBe(false);
  });

  test("is told once: the second lane that meets it says nothing", () => {
    expect(spreadHold(login, [lane(2, login)], now).told).toBe(true);
  });

  test("also falls on lanes that were opened since another lane met it", () => {
    const { others, told } = spreadHold(login, [lane(2, login), lane(3, null)], now);
    expect(others.map(({ endpoint }) => endpoint)).toContain(ref(3));
    expect(told).toBe(true);
  });

  test("at a usage limit one lane probes at the reset, the others two minutes later", () => {
    const first = spreadHold(limit, [lane(2, null)], now);
    expect(first).toMatchObject({
      own: { until: limit.until },
      othersHold: { until: now + 180_000 },
    });
    const second = spreadHold(limit, [lane(1, limit)], now);
    expect(second).toMatchObject({ own: { until: now + 180_000 }, others: [], told: true });
  });

  test("a probe that meets the limit again is the next probe", () => {
    const next: Hold = { ...limit, until: now + 3_600_000 };
    const spread = spreadHold(next, [lane(2, { ...limit, until: now + 60_000 })], now);
    expect(spread.own).toBe(next);
    expect(spread.others).toHaveLength(1);
  });

  test("a lane that never ran waits with those that sleep, and not for the probe's time", () => {
    expect(
      waitsWithOthers(
        [lane(2, limit), lane(3, { ...limit, until: now + 90_000 }), lane(4, login)],
        now,
      )?.until,
    ).toBe(now + 180_000);
    expect(waitsWithOthers([lane(2, { ...limit, until: now - 1 }), lane(3, null)], now)).toBeNull();
  });
});

test("tries count what failed by itself, since a person's last retry", () => {
  const line = (turn: number, counted?: boolean): EventLine => ({
    time: now,
    kind: "turn.retried",
    level: "warn",
    instance: "default",
    workItem: ref(1),
    delivery: null,
    reason: null,
    fields: { turn, ...(counted === undefined ? {} : { counted }) },
  });
  expect(failedTries(7, [])).toBe(0);
  expect(failedTries(7, [line(7, true), line(7, false), line(8, true), line(7, true)])).toBe(2);
  expect(failedTries(7, [line(7, true), line(7), line(7, true), line(7, true)])).toBe(1);
});
