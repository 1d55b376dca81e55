import { type Policy, settle } from "@loopwork/core";
import type { DecisionRow, DeliveryEntry, DeliveryLog, StoredDelivery } from "@loopwork/core/ports";
import { alice, commentEvent, itemOf, policyOf, sessionOf, stateOf } from "@loopwork/core/testing";
import { expect, test } from "vitest";
import { replayLog } from "@loopwork/runtime/records";
import { turnsDuring } from "../support/turns-during.ts";

type Kept = { readonly entry: DeliveryEntry; readonly row: DecisionRow | null };

/**
 * A log of so many comments of alice's on an item at work, a second apart from 0; `over` says what
 * is special about one.
 */
function logOf(
  count: number,
  over: (seq: number) => Partial<DeliveryEntry> = () => ({}),
): Pick<DeliveryLog, "list" | "decision"> {
  const kept = Array.from({ length: count }, (_, i): Kept => keptOf(i + 1, over(i + 1)));
  return {
    list: async ({ afterSeq = 0, limit }) =>
      kept
        .map(({ entry }) => entry)
        .filter(({ seq }) => seq > afterSeq)
        .slice(0, limit),
    decision: async (id) => kept.find(({ entry }) => entry.id === id)?.row ?? null,
  };
}

function keptOf(seq: number, over: Partial<DeliveryEntry>): Kept {
  const delivery: StoredDelivery = {
    id: `d-${seq}`,
    seq,
    source: "webhook",
    event: "issue_comment",
    verified: true,
    receivedAt: seq * 1000,
    digest: `x${seq}`,
  };
  const { state, decision } = settle(
    commentEvent("go on", { by: alice, deliveryId: delivery.id, key: delivery.id }),
    stateOf({ item: itemOf("started", { sessions: [sessionOf()] }) }),
    policyOf(),
  );
  const event = commentEvent("go on", { by: alice, deliveryId: delivery.id, key: delivery.id });
  const entry: DeliveryEntry = {
    ...delivery,
    decision: { verdict: decision.verdict.kind, reason: decision.reason, workItem: null },
    ignored: null,
    ...over,
  };
  return {
    entry,
    row:
      entry.decision === null
        ? null
        : { delivery, workItem: null, event, state, decision, decidedAt: 0 },
  };
}

const nobody: Policy = policyOf({ authorizedUsers: new Set() });

test("reads the log page by page, from the time on that is asked for", async () => {
  expect(await replayLog(logOf(1_201), 0, policyOf())).toEqual({
    decided: 1_201,
    same: 1_201,
    changed: [],
    unknown: [],
    undecided: 0,
  });
  const report = await replayLog(logOf(1_201), 1_000_000, nobody);
  expect([report.decided, report.changed.length, report.changed[0]?.delivery]).toEqual([
    202,
    202,
    "d-1000",
  ]);
});

test("others have their turn between the pages, also where nothing of them was asked for, and between decisions", async () => {
  expect(await turnsDuring(() => replayLog(logOf(2_501), 9e15, policyOf()))).toBeGreaterThanOrEqual(
    5,
  );
  expect(await turnsDuring(() => replayLog(logOf(400), 0, policyOf()))).toBeGreaterThanOrEqual(20);
});

test("what was ignored at the door is unknown where it would be let in, and what waits is counted", async () => {
  const doors = ["ping", "event-not-listed", "event-not-listed", "unknown-event"];
  const log = logOf(5, (seq) =>
    seq === 5
      ? { decision: null }
      : {
          decision: null,
          ignored: doors[seq - 1] ?? null,
          event: seq === 3 ? "star" : "issue_comment",
        },
  );
  const report = await replayLog(log, 0, policyOf());
  expect(report).toMatchObject({ decided: 0, undecided: 1, changed: [] });
  expect(report.unknown.map(({ delivery, before, open }) => [delivery, before, open])).toEqual([
    ["d-2", "event-not-listed", null],
  ]);
  expect((await replayLog(log, 0, policyOf({ events: new Set() }))).unknown).toEqual([]);
});
