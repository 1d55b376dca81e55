import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { StoreError } from "../errors.ts";
import { integer, text } from "../rows.ts";
import { inlineBytes, type Place } from "../sqlite/bodies.ts";
import { checkedVersion, migrate, readMigrations } from "../sqlite/migrate.ts";
import type { Database } from "../sqlite/database.ts";
import { type Cells, type Renaming, type Target, unfinished } from "./side.ts";
import { connectAlone, folderOfBodies, guarded, wrap } from "./sqlite-open.ts";
import { createSqliteReading, lastNumberOf, type OpenSqlite } from "./sqlite-reading.ts";
import { instanceColumns, ownedBy, type Table, tables } from "./tables.ts";

export type SqliteTargetOptions = {
  /** Names where the rows come from; a part that came from elsewhere is refused. */
  readonly from: string;
  /** A part of an earlier run is thrown away, whatever it came from. */
  readonly startOver: boolean;
  /** An empty store may stand there already, and is replaced. */
  readonly mayReplaceEmpty: boolean;
  /** Another file than the one for copies. */
  readonly staged?: string;
};

/**
 * Makes a store beside `file`, as `<file>.copying`; bodies go to their place at once, where nobody
 * looks for them before the database is there. `finish` renames the database, which is one step for
 * whoever looks.
 */
export function openSqliteTarget(
  file: string,
  { from, startOver, mayReplaceEmpty, staged = `${file}.copying` }: SqliteTargetOptions,
): Target {
  const standing = existsSync(file) ? holdEmpty(file, mayReplaceEmpty) : null;
  try {
    if (startOver) discard(file, staged);
    const resumed = existsSync(staged);
    if (!resumed) requireNoBodies(file, standing !== null);
    const open = openStaged(file, staged, from);
    return {
      ...createSqliteReading(open, `sqlite:${file}`),
      resumed,
      lastKey: async (table) => lastKeyOf(open, table),
      insert: (table, columns, rows) => insertAll(open, table, columns, rows),
      setLastNumber: async (table, number) => setLastNumber(open, table, number),
      clear: async () => clearAll(open),
      finish: async (rename) => {
        seal(open, rename);
        open.bodies.close();
        open.db.close();
        renameSync(staged, file);
        flushFolder(dirname(file));
        standing?.close();
      },
      close: async () => {
        open.bodies.close();
        open.db.close();
        standing?.close();
      },
    };
  } catch (error) {
    standing?.close();
    throw error;
  }
}

/**
 * Keeps others out of the empty store that will be replaced. Without a log nothing of it is removed
 * by its name later on.
 */
function holdEmpty(file: string, mayReplaceEmpty: boolean): DatabaseSync {
  if (!mayReplaceEmpty) throw notEmpty(file, "there is a file already");
  const connection = connectAlone(file);
  return guarded(file, connection, () => {
    const known = new Set(
      connection
        .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
        .all()
        .map((row) => String(row["name"])),
    );
    if (known.size > 0 && !known.has("schema_version"))
      throw notEmpty(file, "it is a database of something else");
    checkedVersion(connection, readMigrations());
    const filled = tables.filter(
      ({ name }) =>
        name !== "instance" &&
        known.has(name) &&
        connection.prepare(`select 1 from ${name} limit 1`).get() !== undefined,
    );
    if (filled.length > 0)
      throw notEmpty(file, `it holds rows of ${filled.map(({ name }) => name).join(", ")}`);
    connection.exec("pragma journal_mode = delete");
    return connection;
  });
}

/** Bodies beside a database that is not there belong to something that somebody may still want. */
function requireNoBodies(file: string, isEmptyStore: boolean): void {
  const folder = folderOfBodies(file);
  if (!existsSync(folder) || readdirSync(folder).length === 0) return;
  if (!isEmptyStore) throw notEmpty(file, `${folder} holds bodies of a store that is gone`);
  rmSync(folder, { recursive: true });
}

function notEmpty(file: string, why: string): StoreError {
  return new StoreError(
    "LOOP_E_STORE_NOT_EMPTY",
    `Nothing is copied to ${file}: ${why}.`,
    "Name a place where nothing is, or move away what stands there.",
  );
}

function discard(file: string, staged: string): void {
  if (!existsSync(staged)) return;
  connectAlone(staged).close();
  for (const each of [staged, `${staged}-wal`, `${staged}-shm`, `${staged}-journal`])
    rmSync(each, { force: true });
  rmSync(folderOfBodies(file), { recursive: true, force: true });
}

function openStaged(file: string, staged: string, from: string): OpenSqlite {
  const connection = connectAlone(staged);
  return guarded(staged, connection, () => {
    connection.exec("pragma journal_mode = wal");
    connection.exec("pragma synchronous = full");
    migrate(connection, readMigrations(), Date.now());
    const open = wrap(connection, folderOfBodies(file));
    claim(open, file, from);
    return open;
  });
}

/** Notes whose copy this is, and throws when it is another's. */
function claim({ db }: OpenSqlite, file: string, from: string): void {
  db.write(() => {
    db.run("create table if not exists copy_source (place text not null) strict");
    const row = db.get("select place from copy_source");
    if (row === null) db.run("insert into copy_source (place) values (?)", from);
    else if (text(row, "place") !== from) throw unfinished(`${file}.copying`, text(row, "place"));
  });
}

function lastKeyOf({ db }: OpenSqlite, table: Table): Cells | null {
  const row = db.get(
    `select ${table.key.join(", ")} from ${table.name} order by ${table.key.map((column) => `${column} desc`).join(", ")} limit 1`,
  );
  return row === null
    ? null
    : table.key.map((column) =>
        typeof row[column] === "number" ? row[column] : text(row, column),
      );
}

async function insertAll(
  { db, bodies }: OpenSqlite,
  table: Table,
  columns: readonly string[],
  rows: readonly Cells[],
): Promise<void> {
  if (table.name !== "delivery_body") {
    const sql = `insert into ${table.name} (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`;
    db.write(() => {
      for (const cells of rows) db.run(sql, ...cells);
    });
    return;
  }
  const each = rows.flatMap(([seq, body]) =>
    typeof seq === "number" && body instanceof Uint8Array ? [{ seq, body }] : [],
  );
  const large = each.filter(({ body }) => body.length > inlineBytes);
  const places = large.length === 0 ? [] : await bodies.write(large.map(({ body }) => body));
  const placed = new Map<number, Place>(
    large.flatMap(({ seq }, n) => (places[n] === undefined ? [] : [[seq, places[n]] as const])),
  );
  db.write(() => {
    for (const { seq, body } of each) bodies.keep(seq, placed.get(seq) ?? body);
    const [first] = places;
    if (first !== undefined) bodies.count(first.segment, places.length);
  });
}

function setLastNumber({ db }: OpenSqlite, table: Table, number: number): void {
  if (table.numbered !== "by-sequence") return;
  db.write(() => {
    if (lastNumberOf(db, table) >= number) return;
    if (
      db.run("update sqlite_sequence set seq = ? where name = ?", number, table.name).changes === 0
    )
      db.run("insert into sqlite_sequence (name, seq) values (?, ?)", table.name, number);
  });
}

function clearAll({ db }: OpenSqlite): void {
  db.write(() => {
    for (const { name } of tables.toReversed()) db.run(`delete from ${name}`);
    db.run("delete from sqlite_sequence where name <> 'body_segment'");
    db.run("update body_segment set kept = 0, made_at = 0");
  });
}

/**
 * What only this driver has is made from the rows; what only the copy needed goes. Without a log
 * the store is one file until it is opened.
 */
function seal({ db, connection }: OpenSqlite, rename: Renaming | null): void {
  db.write(() => {
    if (rename !== null) renameAll(db, rename);
    db.run("delete from delivery_replay");
    db.run(
      "insert into delivery_replay (digest, seq) select substr(digest, 1, 12), seq from delivery where verified = 1 order by 1, 2",
    );
    db.run("update delivery_replay_end set seq = (select coalesce(max(seq), 0) from delivery)");
    db.run("drop table copy_source");
  });
  // PostgreSQL leaves gaps between the numbers of deliveries. What was missing before is no loss of
  // this file.
  const row = db.get("select coalesce(max(seq), 0) - count(*) as missing from delivery");
  connection.exec(`pragma user_version = ${row === null ? 0 : integer(row, "missing")}`);
  connection.exec("pragma journal_mode = delete");
}

function renameAll(db: Database, { from, to }: Renaming): void {
  for (const { table, column } of instanceColumns)
    db.run(`update ${table} set ${column} = ? where ${column} = ?`, to, from);
  for (const row of db.all("select ref, record from work_item where instance = ?", from))
    db.run(
      "update work_item set record = ? where ref = ?",
      ownedBy(text(row, "record"), to),
      text(row, "ref"),
    );
}

function flushFolder(folder: string): void {
  const file = openSync(folder, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
