import type { RefText } from "@loopwork/core/ports";
import type { Tx, Value } from "./database.ts";

/**
 * A table whose rows belong to a work item and keep their order. `key` names the columns that tell
 * them apart, `asked` those that are asked for by value.
 */
export type Child<T> = {
  readonly table: string;
  readonly key: readonly string[];
  keyOf(each: T): readonly string[];
  readonly asked: readonly string[];
  askedOf(each: T): readonly Value[];
};

/** Deletes, inserts and updates only what differs. */
export async function saveChildren<T>(
  tx: Tx,
  child: Child<T>,
  ref: RefText,
  before: readonly T[],
  after: readonly T[],
): Promise<void> {
  if (before === after) return;
  const was = indexed(child, before);
  const is = indexed(child, after);
  const { table, key, asked } = child;
  for (const [id, { values }] of was) {
    if (!is.has(id))
      await tx.run(
        `delete from ${table} where work_item = ? and ${key.map((column) => `${column} = ?`).join(" and ")}`,
        ref,
        ...values,
      );
  }
  const columns = ["work_item", ...key, "position", "record", ...asked];
  for (const [id, { values, position, record, others }] of is) {
    const known = was.get(id);
    if (known?.record === record && known.position === position) continue;
    await tx.run(
      `insert into ${table} (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})
       on conflict (work_item, ${key.join(", ")}) do update set ${["position", "record", ...asked].map((column) => `${column} = excluded.${column}`).join(", ")}`,
      ref,
      ...values,
      position,
      record,
      ...others,
    );
  }
}

type Indexed = {
  readonly values: readonly string[];
  readonly position: number;
  readonly record: string;
  readonly others: readonly Value[];
};

function indexed<T>(child: Child<T>, rows: readonly T[]): ReadonlyMap<string, Indexed> {
  return new Map(
    rows.map((row, position) => [
      JSON.stringify(child.keyOf(row)),
      {
        values: child.keyOf(row),
        position,
        record: JSON.stringify(row),
        others: child.askedOf(row),
      },
    ]),
  );
}
