import type { RefText } from "@loopwork/core/ports";
import type { Database } from "./database.ts";
import { document } from "../rows.ts";

/**
 * A table whose rows belong to a work item and keep their order; `key` names the columns that tell
 * them apart.
 */
export type Child<T> = {
  readonly table: string;
  readonly key: readonly string[];
  keyOf(each: T): readonly string[];
};

export function loadChildren<T>(db: Database, { table }: Child<T>, ref: RefText): readonly T[] {
  return db
    .all(`select record from ${table} where work_item = ? order by position`, ref)
    .map((row) => document<T>(row, "record"));
}

/** Deletes, inserts and updates only what differs. */
export function saveChildren<T>(
  db: Database,
  child: Child<T>,
  ref: RefText,
  before: readonly T[],
  after: readonly T[],
): void {
  if (before === after) return;
  const was = indexed(child, before);
  const is = indexed(child, after);
  const { table, key } = child;
  for (const [id, { values }] of was) {
    if (!is.has(id))
      db.run(
        `delete from ${table} where work_item = ? and ${key.map((column) => `${column} = ?`).join(" and ")}`,
        ref,
        ...values,
      );
  }
  for (const [id, { values, position, record }] of is) {
    const known = was.get(id);
    if (known?.record === record && known.position === position) continue;
    db.run(
      `insert into ${table} (work_item, ${key.join(", ")}, position, record) values (?, ${key.map(() => "?").join(", ")}, ?, ?)
       on conflict (work_item, ${key.join(", ")}) do update set position = excluded.position, record = excluded.record`,
      ref,
      ...values,
      position,
      record,
    );
  }
}

function indexed<T>(
  child: Child<T>,
  rows: readonly T[],
): ReadonlyMap<
  string,
  { readonly values: readonly string[]; readonly position: number; readonly record: string }
> {
  return new Map(
    rows.map((row, position) => [
      JSON.stringify(child.keyOf(row)),
      { values: child.keyOf(row), position, record: JSON.stringify(row) },
    ]),
  );
}
