import {
  type Cell,
  type Cells,
  integer,
  mostBytes,
  mostRows,
  type Reading,
  sizeOf,
  type Table,
  text,
  textOrNull,
} from "@loopwork/store/driver";
import type { Tx, Value } from "../database.ts";
import type { Session } from "./session.ts";

/** The types of a table's columns, in their order. */
export type ColumnTypes = ReadonlyMap<string, string>;

/**
 * Reads the store in a schema of the database, inside of the transaction that the caller has begun.
 */
export function createPostgresReading({ tx, place, close }: Session, schema: string): Reading {
  return {
    place,
    damaged: new Set(),
    tables: async () =>
      (
        await tx.all(
          "select tablename::text as name from pg_tables where schemaname = ? order by 1",
          schema,
        )
      ).map((row) => text(row, "name")),
    columns: async (table) =>
      [...(await typesOf(tx, schema, table)).keys()].filter((column) => !(column in table.derived)),
    rows: (table, columns, after) => rowsOf(tx, schema, table, columns, after),
    lastNumber: (table) => lastNumberOf(tx, schema, table),
    sequenceOf: async (table) => {
      const name = await sequenceName(tx, schema, table);
      return name === null ? null : givenBy(tx, name);
    },
    // Where a sequence gives their numbers, a transaction that fails leaves a gap.
    knownGaps: async () =>
      (await sequenceName(tx, schema, { name: "delivery", key: ["seq"] })) === null
        ? 0
        : Number.POSITIVE_INFINITY,
    all: (sql, ...values) => tx.all(sql, ...values),
    close,
  };
}

export async function typesOf(tx: Tx, schema: string, table: Table): Promise<ColumnTypes> {
  const rows = await tx.all(
    "select column_name::text as name, data_type::text as type from information_schema.columns where table_schema = ? and table_name = ? order by ordinal_position",
    schema,
    table.name,
  );
  return new Map(rows.map((row) => [text(row, "name"), text(row, "type")]));
}

async function lastNumberOf(tx: Tx, schema: string, table: Table): Promise<number> {
  const name = table.numbered === "by-sequence" ? await sequenceName(tx, schema, table) : null;
  if (name !== null) return givenBy(tx, name);
  return integer(
    (await tx.get(
      `select coalesce(max(${table.key[0] ?? ""}), 0)::bigint as number from ${schema}.${table.name}`,
    )) ?? {},
    "number",
  );
}

async function givenBy(tx: Tx, sequence: string): Promise<number> {
  return integer(
    (await tx.get(
      `select case when is_called then last_value else last_value - 1 end as number from ${sequence}`,
    )) ?? {},
    "number",
  );
}

/** Name of the sequence that numbers the rows; null where something else does. */
export async function sequenceName(
  tx: Tx,
  schema: string,
  table: Pick<Table, "name" | "key">,
): Promise<string | null> {
  return textOrNull(
    (await tx.get(
      "select pg_get_serial_sequence(?, ?) as name",
      `${schema}.${table.name}`,
      table.key[0] ?? "",
    )) ?? {},
    "name",
  );
}

/**
 * Columns of the key for an order by bytes, as SQLite's is, whatever the collation of the database.
 */
export function byBytes(table: Table, types: ColumnTypes): readonly string[] {
  return table.key.map((column) =>
    types.get(column) === "text" ? `${column} collate "C"` : column,
  );
}

/** A cursor: the server sorts once, and memory stays small on both sides. */
async function* rowsOf(
  tx: Tx,
  schema: string,
  table: Table,
  columns: readonly string[],
  after?: Cells,
): AsyncGenerator<readonly Cells[]> {
  const types = await typesOf(tx, schema, table);
  const order = byBytes(table, types);
  const cursor = `copied_${table.name}`;
  const behind =
    after === undefined
      ? ""
      : `where (${order.join(", ")}) > (${order.map((_, n) => `?::${types.get(table.key[n] ?? "") ?? "text"}`).join(", ")})`;
  await tx.run(
    `declare ${cursor} no scroll cursor for select ${columns.join(", ")} from ${schema}.${table.name} ${behind} order by ${order.join(", ")}`,
    ...valuesOf(after ?? []),
  );
  try {
    // One body can be as large as thousands of other rows.
    const together = table.name === "delivery_body" ? 32 : mostRows;
    for (;;) {
      const rows = (await tx.all(`fetch ${together} from ${cursor}`)).map((row): Cells =>
        columns.map((column) => cellOf(row[column], column)),
      );
      if (rows.length === 0) return;
      yield* bounded(rows);
    }
  } finally {
    await tx.run(`close ${cursor}`).catch(() => 0); // Gone with a transaction that failed.
  }
}

function valuesOf(cells: Cells): readonly Value[] {
  return cells;
}

function* bounded(rows: readonly Cells[]): Generator<readonly Cells[]> {
  let part: Cells[] = [];
  let bytes = 0;
  for (const cells of rows) {
    part.push(cells);
    bytes += sizeOf(cells);
    if (bytes < mostBytes) continue;
    yield part;
    part = [];
    bytes = 0;
  }
  if (part.length > 0) yield part;
}

function cellOf(value: unknown, column: string): Cell {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (
    value === null ||
    typeof value === "string" ||
    typeof value === "number" ||
    value instanceof Uint8Array
  )
    return value;
  throw new Error(`the column ${column} holds what no table of ours does`);
}
