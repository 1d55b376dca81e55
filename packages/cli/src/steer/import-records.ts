import { type Import, importRecord, type ItemState, parsePortableRecord, type RecordProblem, type RefText, type TurnState } from "@loopwork/core";
import { LoopError } from "@loopwork/core/errors";
import { parseDocument } from "yaml";
import { steeredLine } from "./line.ts";
import type { SteeringPorts } from "./steering-ports.ts";

/** What became of one record. */
export type ImportedRecord = { readonly workItem: RefText; readonly outcome: "imported" | "same" | Extract<Import, { kind: "refused" }>["why"] };

/** Characters of a file of records; about ten thousand work items. */
const largestFile = 16 * 1024 * 1024;

/** Reads what `loop work-items export` wrote, as YAML or JSON. Rejects with `LOOP_E_RECORDS` and all that is wrong; nothing is imported then. */
export function parseRecords(text: string): readonly ItemState[] {
  if (text.length > largestFile) throw new NoRecords([{ path: "", message: `is longer than ${largestFile} characters` }]);
  const read = listIn(text).map((value, at) => ({ at, parsed: parsePortableRecord(value) }));
  const problems = read.flatMap(({ at, parsed }) => (parsed.ok ? [] : parsed.problems.map(({ path, message }) => ({ path: path === "" ? `[${at}]` : `[${at}].${path}`, message }))));
  if (problems.length > 0) throw new NoRecords(problems);
  return read.flatMap(({ parsed }) => (parsed.ok ? [parsed.item] : []));
}

/** Imports the records one by one, each whole or not at all. */
export async function importRecords(records: readonly ItemState[], terms: { readonly take: boolean; readonly replace: boolean }, ports: SteeringPorts): Promise<readonly ImportedRecord[]> {
  const [store, { instance }] = await Promise.all([ports.store(), ports.policy()]);
  const outcomes: ImportedRecord[] = [];
  for (const record of records) {
    const workItem = record.workItem?.ref;
    if (workItem === undefined) continue;
    const line = await steeredLine(ports, "work-item.imported", workItem, { from: record.workItem?.control.instance ?? null });
    const unendedTurn = (await store.lanes.turns({ workItem, states: unended, limit: 1 })).length > 0;
    let result: Import = { kind: "same" };
    await store.items.update(workItem, (present) => {
      result = importRecord(record, present, { ...terms, unendedTurn, instance: instance.name });
      return result.kind === "imported" ? { after: result.after, lines: [line] } : { after: present, lines: [] };
    });
    outcomes.push({ workItem, outcome: outcomeOf(result) });
  }
  await ports.wake();
  return outcomes;
}

const unended: readonly TurnState[] = ["ready", "injecting", "uncertain"];

function outcomeOf(result: Import): ImportedRecord["outcome"] {
  return result.kind === "refused" ? result.why : result.kind;
}

/** The entries of the list; aliases are refused, as a short text could stand for a very long one. */
function listIn(text: string): readonly unknown[] {
  const document = parseDocument(text, { uniqueKeys: true });
  if (document.errors.length > 0) throw new NoRecords(document.errors.map(({ message }) => ({ path: "", message: message.split("\n")[0] ?? "" })));
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 0 });
  } catch {
    throw new NoRecords([{ path: "", message: "holds an alias" }]);
  }
  if (!Array.isArray(value)) throw new NoRecords([{ path: "", message: "must be a list of records" }]);
  return value;
}

/** A file that holds something else; every problem with its place. */
class NoRecords extends LoopError {
  readonly details: readonly string[];

  constructor(problems: readonly RecordProblem[]) {
    super("LOOP_E_RECORDS", "these are no records of work items, and nothing was imported", "`loop work-items export` writes them");
    this.details = problems.slice(0, 50).map(({ path, message }) => `${path === "" ? "the file" : path} ${message}`);
  }
}
