import { redecide } from "@loopwork/core";
import type { DecisionRow, Store } from "@loopwork/core/ports";
import type { World } from "../world/world.ts";

/**
 * Whatever happened in a run, its log is decided anew to the very same bytes: a decision's own
 * facts are enough.
 */
export async function judgeReplay(
  { data, settings }: World,
  store: Store,
): Promise<readonly string[]> {
  const violations: string[] = [];
  for (const { id } of data.deliveries) {
    const row = await store.log.decision(id);
    if (row === null) continue;
    const anew = redecide(asKept(row), settings.policy);
    if (anew.kind !== "same")
      violations.push(
        `replayed-otherwise: ${row.delivery.event} ${id} was ${row.decision.reason}, and is ${anew.kind === "changed" ? anew.decision.reason : `unknown: ${anew.open.question}`}`,
      );
  }
  return violations;
}

/** The row as a store on a disk gives it back. */
function asKept(row: DecisionRow): DecisionRow {
  const kept: DecisionRow = JSON.parse(JSON.stringify(row));
  return kept;
}
