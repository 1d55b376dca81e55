import { setImmediate as otherWork } from "node:timers/promises";
import { type Effect, type OpenQuestion, type Policy, redecide } from "@loopwork/core";
import {
  type DecisionRow,
  type DeliveryEntry,
  hostEventName,
  type RefText,
  type Store,
} from "@loopwork/core/ports";

/** What deciding a stretch of the log anew came to. */
export type ReplayReport = {
  readonly decided: number;
  readonly same: number;
  readonly changed: readonly ChangedDecision[];
  readonly unknown: readonly UnknownDecision[];
  /** Deliveries that wait to be decided. */
  readonly undecided: number;
};

export type ChangedDecision = Subject & {
  readonly before: DecisionRow["decision"];
  readonly after: DecisionRow["decision"];
  readonly gone: readonly Effect[];
  readonly added: readonly Effect[];
};

/** `open` is null where not even the body was kept: the delivery was ignored at the door. */
export type UnknownDecision = Subject & {
  readonly before: string;
  readonly open: OpenQuestion | null;
};

type Subject = {
  readonly delivery: string;
  readonly event: string;
  readonly receivedAt: number;
  readonly workItem: RefText | null;
  /**
   * An earlier decision on the same work item changes as well, which would have altered the facts
   * of this one.
   */
  readonly afterChange: boolean;
};

const atOnce = 500;
/** Decisions that are read and made anew in one go, some milliseconds of the thread. */
const decidedAtOnce = 20;

/**
 * Decides anew, under `policy`, every delivery received since `since` (milliseconds since 1970), in
 * order and each from the facts that were kept with its decision. Reads the log and does nothing
 * else. Other work gets its turn between the pages, and after every few decisions: a store may
 * answer without giving up the thread.
 */
export async function replayLog(
  log: Pick<Store["log"], "list" | "decision">,
  since: number,
  policy: Policy,
): Promise<ReplayReport> {
  const report = {
    decided: 0,
    same: 0,
    changed: [] as ChangedDecision[],
    unknown: [] as UnknownDecision[],
    undecided: 0,
  };
  const touched = new Set<RefText>();
  for await (const entry of entriesSince(log, since)) {
    const row = entry.decision === null ? null : await log.decision(entry.id);
    if (row === null) {
      if (entry.ignored === null) report.undecided += 1;
      else if (wouldBeLetIn(entry, policy))
        report.unknown.push({
          ...subjectOf(entry, null, touched),
          before: entry.ignored,
          open: null,
        });
      continue;
    }
    report.decided += 1;
    const anew = redecide(row, policy);
    const subject = subjectOf(entry, row.workItem, touched);
    if (anew.kind === "same") report.same += 1;
    else if (anew.kind === "unknown")
      report.unknown.push({ ...subject, before: row.decision.reason, open: anew.open });
    else {
      report.changed.push({
        ...subject,
        before: row.decision,
        after: anew.decision,
        gone: anew.gone,
        added: anew.added,
      });
      if (row.workItem !== null) touched.add(row.workItem);
    }
  }
  return report;
}

/** Every delivery since then, oldest first. */
async function* entriesSince(
  log: Pick<Store["log"], "list">,
  since: number,
): AsyncGenerator<DeliveryEntry> {
  for (let afterSeq = 0; ;) {
    const page = await log.list({ afterSeq, limit: atOnce });
    const asked = page.filter(({ receivedAt }) => receivedAt >= since);
    for (const [n, entry] of asked.entries()) {
      if (n % decidedAtOnce === decidedAtOnce - 1) await otherWork();
      yield entry;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < atOnce) return;
    afterSeq = last.seq;
    await otherWork();
  }
}

/**
 * Of what is not listed only the id is kept; under a policy that lists it there would be more to
 * say.
 */
function wouldBeLetIn({ event, ignored }: DeliveryEntry, policy: Policy): boolean {
  const name = hostEventName(event);
  return ignored === "event-not-listed" && name !== null && policy.events.has(name);
}

function subjectOf(
  { id, event, receivedAt }: DeliveryEntry,
  workItem: RefText | null,
  touched: ReadonlySet<RefText>,
): Subject {
  return {
    delivery: id,
    event,
    receivedAt,
    workItem,
    afterChange: workItem !== null && touched.has(workItem),
  };
}
