import type { DatabaseSync } from "node:sqlite";
import { StoreError } from "../errors.ts";
import { integer, type Row, text } from "../rows.ts";
import type { Bodies } from "../sqlite/bodies.ts";
import type { Database } from "../sqlite/database.ts";
import { type Cell, type Cells, mostBytes, mostRows, type Reading } from "./side.ts";
import type { Table } from "./tables.ts";

/** An open SQLite store: the raw connection, and the two that stand on it. */
export type OpenSqlite = {
  readonly connection: DatabaseSync;
  readonly db: Database;
  readonly bodies: Bodies;
};

/** Reads what stands in an SQLite store and in the folder of its bodies. */
export function createSqliteReading({ db, bodies }: OpenSqlite, place: string): Reading {
  const damaged = new Set<number>();
  return {
    place,
    damaged,
    tables: async () =>
      db
        .all(
          "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name",
        )
        .map((row) => text(row, "name")),
    columns: async (table) => {
      if (table.name === "delivery_body") return ["seq", "body", "length"];
      return db
        .all("select name from pragma_table_xinfo(?) where hidden = 0 order by cid", table.name)
        .map((row) => text(row, "name"));
    },
    rows: (table, columns, after) =>
      table.name === "delivery_body"
        ? bodyRows(db, bodies, damaged, after)
        : rowsOf(db, table, columns, after),
    lastNumber: async (table) => lastNumberOf(db, table),
    sequenceOf: async () => null,
    knownGaps: async () => integer(db.get("pragma user_version") ?? {}, "user_version"),
    all: async (sql, ...values) => db.all(sql, ...values),
    close: async () => {
      bodies.close();
      db.close();
    },
  };
}

export function lastNumberOf(db: Database, table: Table): number {
  const [column = ""] = table.key;
  const highest = db.get(`select coalesce(max(${column}), 0) as number from ${table.name}`);
  const given =
    table.numbered === "by-highest"
      ? null
      : db.get("select seq as number from sqlite_sequence where name = ?", table.name);
  return Math.max(...[highest, given].map((row) => (row === null ? 0 : integer(row, "number"))));
}

async function* rowsOf(
  db: Database,
  table: Table,
  columns: readonly string[],
  after?: Cells,
): AsyncGenerator<readonly Cells[]> {
  const place = table.key.map((column) => columns.indexOf(column));
  const from = `select ${columns.join(", ")} from ${table.name}`;
  const behind = `where (${table.key.join(", ")}) > (${table.key.map(() => "?").join(", ")})`;
  const end = `order by ${table.key.join(", ")} limit ${mostRows}`;
  let last = after ?? null;
  for (;;) {
    const rows: readonly Cells[] = (
      last === null ? db.all(`${from} ${end}`) : db.all(`${from} ${behind} ${end}`, ...last)
    ).map((row) => columns.map((column) => cellOf(row, column)));
    const final = rows.at(-1);
    if (final === undefined) return;
    yield rows;
    last = place.map((n) => final[n] ?? null);
  }
}

/** A body that cannot be read is noted and left out. */
async function* bodyRows(
  db: Database,
  bodies: Bodies,
  damaged: Set<number>,
  after?: Cells,
): AsyncGenerator<readonly Cells[]> {
  let last = Number(after?.[0] ?? 0);
  for (let numbers = next(db, last); numbers.length > 0; numbers = next(db, last)) {
    let part: Cells[] = [];
    let bytes = 0;
    for (const seq of numbers) {
      const body = bodyOf(bodies, seq);
      if (body === null) damaged.add(seq);
      else part.push([seq, body, body.length]);
      bytes += body?.length ?? 0;
      if (bytes < mostBytes) continue;
      yield part;
      [part, bytes] = [[], 0];
    }
    if (part.length > 0) yield part;
    last = numbers.at(-1) ?? last;
  }
}

function next(db: Database, after: number): readonly number[] {
  return db
    .all(`select seq from delivery_body where seq > ? order by seq limit ${mostRows}`, after)
    .map((row) => integer(row, "seq"));
}

function bodyOf(bodies: Bodies, seq: number): Uint8Array | null {
  try {
    return bodies.get(seq);
  } catch (error) {
    if (error instanceof StoreError && error.code === "LOOP_E_STORE_BODY_DAMAGED") return null;
    throw error;
  }
}

function cellOf(row: Row, column: string): Cell {
  const value = row[column];
  if (
    value === null ||
    typeof value === "string" ||
    typeof value === "number" ||
    value instanceof Uint8Array
  )
    return value;
  throw new Error(`the column ${column} holds what no table of ours does`);
}
