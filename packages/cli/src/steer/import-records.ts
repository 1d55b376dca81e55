import { importRecord, type ImportResult } from "@loopwork/core";
import type { ItemState, RefText, TurnState } from "@loopwork/core/ports";
import { steeredLine } from "./steering-event-line.ts";
import type { SteeringPorts } from "./steering-ports.ts";

/** What became of one record. */
export type ImportedRecord = {
  readonly workItem: RefText;
  readonly outcome: "imported" | "same" | Extract<ImportResult, { kind: "refused" }>["why"];
};

/** Imports the records one by one, each whole or not at all. */
export async function importRecords(
  records: readonly ItemState[],
  terms: { readonly take: boolean; readonly replace: boolean },
  ports: SteeringPorts,
): Promise<readonly ImportedRecord[]> {
  const [store, { instance }] = await Promise.all([ports.store(), ports.policy()]);
  const outcomes: ImportedRecord[] = [];
  for (const record of records) {
    const workItem = record.workItem?.ref;
    if (workItem === undefined) continue;
    const line = await steeredLine(ports, "work-item.imported", workItem, {
      from: record.workItem?.control.instance ?? null,
    });
    const unendedTurn =
      (await store.lanes.turns({ workItem, states: unended, limit: 1 })).length > 0;
    let result: ImportResult = { kind: "same" };
    await store.items.update(workItem, (present) => {
      result = importRecord(record, present, { ...terms, unendedTurn, instance: instance.name });
      return result.kind === "imported"
        ? { after: result.after, lines: [line] }
        : { after: present, lines: [] };
    });
    outcomes.push({ workItem, outcome: outcomeOf(result) });
  }
  await ports.wake();
  return outcomes;
}

const unended: readonly TurnState[] = ["ready", "injecting", "uncertain"];

function outcomeOf(result: ImportResult): ImportedRecord["outcome"] {
  return result.kind === "refused" ? result.why : result.kind;
}
