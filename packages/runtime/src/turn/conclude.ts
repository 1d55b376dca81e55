import {
  afterCrash,
  afterOutcome,
  endedAs,
  evolve,
  failedTries,
  type LaneFacts,
  type NextStep,
  spreadHold,
  strongerHold,
} from "@loopwork/core";
import type {
  HarnessId,
  ItemState,
  Outcome,
  ReceiptEvidence,
  RefText,
  Session,
  Settled,
  TakenLane,
} from "@loopwork/core/ports";
import { afterTurn } from "../graph/after-turn.ts";
import type { RuntimeParts } from "../parts.ts";
import type { BudgetWatch } from "./budget.ts";
import { captureTurn } from "./capture-at-end.ts";
import { holdLanes, holdOf, openLanes, otherLanes, otherLanesIfHeld } from "./harness-wide.ts";
import type { ActiveTurns } from "../active-turns.ts";
import { harnessOfLane, refOf } from "./session.ts";
import { settledBy } from "./settle.ts";
import { pastTheGate } from "./work-gate.ts";

/** What judging an attempt needs beside the parts: what runs now, and what was spent. */
export type Judging = {
  readonly parts: RuntimeParts;
  readonly living: ActiveTurns;
  readonly budget: BudgetWatch;
};

/** The write that ends an attempt, and what follows for other lanes once it stands. */
export type Concluded = { readonly settled: Settled; readonly afterwards: () => Promise<void> };

/** How an attempt ended that we saw to its end; null when the service is stopped meanwhile. */
export function concluded(
  outcome: Outcome,
  evidence: ReceiptEvidence | null,
  taken: TakenLane,
  session: Session | null,
  judging: Judging,
): Promise<Concluded | null> {
  const { parts } = judging;
  return conclude(
    (facts) =>
      afterOutcome(outcome, taken.turn, parts.settings().dispatch, parts.clock.now(), facts),
    outcome.kind,
    evidence,
    taken,
    session,
    judging,
  );
}

/** How an attempt ended whose end nobody saw. */
export function crashed(
  evidence: ReceiptEvidence,
  taken: TakenLane,
  session: Session | null,
  judging: Judging,
): Promise<Concluded | null> {
  const { parts } = judging;
  return conclude(
    (facts) =>
      afterCrash(evidence, taken.turn, parts.settings().dispatch, parts.clock.now(), facts),
    null,
    evidence,
    taken,
    session,
    judging,
  );
}

/**
 * Reads every fact, makes one pure call, and says what is to be written; null where the next life
 * finds the turn ended and goes on from there.
 */
async function conclude(
  decide: (facts: LaneFacts) => NextStep,
  outcome: Outcome["kind"] | null,
  evidence: ReceiptEvidence | null,
  taken: TakenLane,
  session: Session | null,
  judging: Judging,
): Promise<Concluded | null> {
  const { parts } = judging;
  const harness = harnessOfLane(taken, parts);
  const item = await parts.store.items.load(taken.turn.workItem);
  const facts = await laneFacts(item, harness, taken, session, evidence, parts);
  const decided = decide(facts);
  const next = facts.closing ? decided : await pastTheGate(decided, harness, taken, session, parts);
  if (
    next.turn.state === "done" &&
    !facts.closing &&
    (await afterTurn(taken, session, judging)) === "shut-down"
  )
    return null;
  await captureTurn({ taken, session, next, outcome }, parts);
  const wide = await harnessWide(next, item, harness, taken, parts);
  const budget = budgetOf(wide.next, item, taken, judging);
  return {
    settled: settledBy(wide.next, taken, session, { told: wide.told, budget }, parts),
    afterwards: wide.afterwards,
  };
}

/** The state of the work item is read anew: a stop or a pause may have come while the turn ran. */
async function laneFacts(
  item: ItemState,
  harness: HarnessId,
  taken: TakenLane,
  session: Session | null,
  evidence: ReceiptEvidence | null,
  parts: RuntimeParts,
): Promise<LaneFacts> {
  const present = item.sessions.find((each) => each.harnessSessionId === session?.harnessSessionId);
  const closing =
    present === undefined
      ? session !== null
      : present.status === "closing" || present.status === "closed";
  return {
    harness,
    sessionBegun: session?.begun ?? false,
    hold: holdOf(item, taken.turn.lane),
    closing,
    evidence,
    tries: await triesOf(taken, parts),
  };
}

/**
 * Tries that failed by themselves, this one included; also those that came no further than asking
 * for a conversation.
 */
async function triesOf({ turn }: TakenLane, parts: RuntimeParts): Promise<number> {
  if (turn.attempts === 1) return 1;
  return (
    1 +
    failedTries(
      turn.id,
      await parts.store.events.list({
        workItem: turn.workItem,
        kind: "turn.retried",
        limit: 500,
        newestFirst: true,
      }),
    )
  );
}

type Wide = {
  readonly next: NextStep;
  readonly told: boolean;
  readonly afterwards: () => Promise<void>;
};

/**
 * A hold of the whole harness falls on its other lanes too; a turn that is done shows that the
 * harness works again.
 */
async function harnessWide(
  next: NextStep,
  item: ItemState,
  harness: HarnessId,
  taken: TakenLane,
  parts: RuntimeParts,
): Promise<Wide> {
  const now = parts.clock.now();
  if (next.harnessHold !== null) {
    const { own, others, othersHold, told } = spreadHold(
      next.harnessHold,
      await otherLanes(harness, taken, parts),
      now,
    );
    const hold = strongerHold(holdOf(item, taken.turn.lane), own, now);
    return {
      next: { ...next, hold },
      told,
      afterwards: () => holdLanes(others, othersHold, parts),
    };
  }
  if (next.turn.state !== "done") return { next, told: false, afterwards: async () => {} };
  const own = {
    workItem: taken.turn.workItem,
    endpoint: taken.turn.lane,
    hold: holdOf(item, taken.turn.lane),
  };
  const lanes = [...(await otherLanesIfHeld(harness, taken, parts)), own];
  return { next, told: false, afterwards: () => openLanes(lanes, parts) };
}

function budgetOf(
  next: NextStep,
  item: ItemState,
  { turn }: TakenLane,
  { parts, living, budget }: Judging,
): ReturnType<BudgetWatch["look"]> {
  const workItem: RefText = turn.workItem;
  const before = item.workItem?.spend;
  const outcome = endedAs(next);
  if (before === undefined || outcome === null) return null;
  const at = parts.clock.now();
  const after =
    evolve(item, {
      kind: "turn-ended",
      endpoint: refOf(turn.lane),
      outcome,
      usd: next.spend.usd,
      minutes: next.spend.minutes,
      at,
    }).workItem?.spend ?? before;
  return budget.look(workItem, before, after, living.inFlight(workItem, turn.lane, at));
}
