import {
  type Cells,
  derivedFrom,
  instanceColumns,
  integer,
  type TargetOptions,
  ownedBy,
  type Reading,
  type Renaming,
  StoreError,
  type Table,
  tables,
  type Target,
  text,
  unfinished,
} from "@loopwork/store/driver";
import { tryLockCopying } from "../locks.ts";
import type { Tx, Value } from "../database.ts";
import { readMigrations } from "../migrations.ts";
import { checkedVersion, runMigrations } from "../migrate.ts";
import { byBytes, createPostgresReading, sequenceName, typesOf } from "./reading.ts";
import { openSession, requireNobodyElse, type Session } from "./session.ts";
import { schemaOf } from "./source.ts";

/**
 * The schema in which a store is made. Its tables move to where services look in one transaction.
 */
const ownSchema = "loop_copying";

export async function openPostgresTarget(
  url: string,
  { name, from, startOver, inPlace = false }: TargetOptions,
): Promise<Target> {
  const staging = inPlace ? "public" : ownSchema;
  const session = await openSession(url, name, false);
  const { tx } = session;
  try {
    if (!(await tryLockCopying(tx)))
      throw new StoreError(
        "LOOP_E_STORE_IN_USE",
        `Another process copies into ${session.place}.`,
        "Let it end, or stop it; a copy goes on where it was.",
      );
    await requireNobodyElse(session);
    const home = await schemaOf(session);
    await checkedVersion(tx, readMigrations());
    await requireEmpty(session, home);
    const resumed = await prepare(session, staging, from, startOver);
    return {
      ...inTransactions(tx, createPostgresReading(session, staging)),
      resumed,
      lastKey: (table) => lastKeyOf(tx, staging, table),
      insert: (table, columns, rows) => insertAll(tx, staging, table, columns, rows),
      setLastNumber: async (table, number) => {
        const sequence = await sequenceName(tx, staging, table);
        if (sequence !== null)
          await tx.run(
            "select setval(?::regclass, ?, ?)",
            sequence,
            Math.max(number, 1),
            number > 0,
          );
      },
      clear: async () =>
        void (await tx.run(
          `truncate ${tables.map(({ name: table }) => `${staging}.${table}`).join(", ")}`,
        )),
      finish: async (rename) => {
        await moveHome(session, staging, home, rename);
        await session.close();
      },
    };
  } catch (error) {
    await session.close();
    throw error;
  }
}

/**
 * The reading of one table each is a transaction of its own: cursors need one, and between them
 * rows are written.
 */
function inTransactions(tx: Tx, reading: Reading): Reading {
  return {
    ...reading,
    rows: async function* (table, columns, after) {
      await tx.run("begin isolation level repeatable read read only");
      try {
        yield* after === undefined
          ? reading.rows(table, columns)
          : reading.rows(table, columns, after);
      } finally {
        await tx.run("rollback");
      }
    },
  };
}

/**
 * Tables of a store in which nothing was ever received or decided may stand there; any command
 * makes them.
 */
async function requireEmpty({ tx, place }: Session, home: string): Promise<void> {
  const standing = new Set(
    (
      await tx.all(
        "select tablename::text as name from pg_tables where quote_ident(schemaname) = ?",
        home,
      )
    ).map((row) => text(row, "name")),
  );
  const refuse = (why: string): never => {
    throw new StoreError(
      "LOOP_E_STORE_NOT_EMPTY",
      `Nothing is copied to ${place}: ${why}.`,
      "Create an empty database, and name it in the URL.",
    );
  };
  const ours = tables.filter(({ name }) => standing.has(name));
  if (!standing.has("schema_version")) {
    if (ours.length > 0)
      refuse(`it has tables of something else (${ours.map(({ name }) => name).join(", ")})`);
    return;
  }
  const filled: string[] = [];
  for (const { name } of ours)
    if (
      name !== "instance" &&
      (await tx.get(`select 1 as one from ${home}.${name} limit 1`)) !== null
    )
      filled.push(name);
  if (filled.length > 0) refuse(`it holds rows of ${filled.join(", ")}`);
}

/**
 * Makes the schema with all tables, or finds what an earlier run left there: true when that is a
 * part of this very copy.
 */
async function prepare(
  { tx, place }: Session,
  staging: string,
  from: string,
  startOver: boolean,
): Promise<boolean> {
  const migrations = readMigrations();
  const found =
    (await tx.get("select to_regclass(?) is not null as found", `${staging}.copy_source`))?.[
      "found"
    ] === true;
  if (found && !startOver) {
    const row =
      (await tx.get(
        `select place, (select max(version) from ${staging}.schema_version) as version from ${staging}.copy_source`,
      )) ?? {};
    if (text(row, "place") !== from) throw unfinished(place, text(row, "place"));
    // A part that an older version left is made anew.
    if (integer(row, "version") === migrations.length) return true;
  }
  await transaction(tx, async () => {
    await tx.run(`drop schema if exists ${staging} cascade`);
    await tx.run(`create schema ${staging}`);
    await tx.run(`set local search_path = ${staging}`);
    await runMigrations(tx, migrations, Date.now());
    await tx.run("create table copy_source (place text not null)");
    await tx.run("insert into copy_source (place) values (?)", from);
  });
  return false;
}

/** All at once: who looks before sees an empty database, who looks afterwards the whole store. */
async function moveHome(
  session: Session,
  staging: string,
  home: string,
  rename: Renaming | null,
): Promise<void> {
  const { tx } = session;
  await requireNobodyElse(session);
  await transaction(tx, async () => {
    for (const row of await tx.all(
      "select tablename::text as name from pg_tables where quote_ident(schemaname) = ? and tablename = any(?::text[])",
      home,
      ["schema_version", ...tables.map(({ name }) => name)],
    ))
      await tx.run(`lock table ${home}.${text(row, "name")} in access exclusive mode`);
    await requireEmpty(session, home);
    if (rename !== null) await renameAll(tx, staging, rename);
    await tx.run(`drop table ${staging}.copy_source`);
    for (const row of await tx.all(
      "select relname::text as name from pg_class where relnamespace = ?::regnamespace and relkind = 'r'",
      staging,
    )) {
      await tx.run(`drop table if exists ${home}.${text(row, "name")} cascade`);
      await tx.run(`alter table ${staging}.${text(row, "name")} set schema ${home}`);
    }
    for (const row of await tx.all(
      "select proname::text as name, pg_get_function_identity_arguments(oid) as arguments from pg_proc where pronamespace = ?::regnamespace",
      staging,
    )) {
      await tx.run(
        `drop function if exists ${home}.${text(row, "name")}(${text(row, "arguments")})`,
      );
      await tx.run(
        `alter function ${staging}.${text(row, "name")}(${text(row, "arguments")}) set schema ${home}`,
      );
    }
    // Refused when a migration made something of another kind, which would be lost.
    await tx.run(`drop schema ${staging}`);
  });
}

async function renameAll(tx: Tx, staging: string, { from, to }: Renaming): Promise<void> {
  for (const { table, column } of instanceColumns)
    await tx.run(`update ${staging}.${table} set ${column} = ? where ${column} = ?`, to, from);
  for (const row of await tx.all(
    `select ref, record from ${staging}.work_item where instance = ?`,
    from,
  ))
    await tx.run(
      `update ${staging}.work_item set record = ?, instance = ? where ref = ?`,
      ownedBy(text(row, "record"), to),
      to,
      text(row, "ref"),
    );
}

async function transaction(tx: Tx, work: () => Promise<void>): Promise<void> {
  await tx.run("begin");
  try {
    await work();
    await tx.run("commit");
  } catch (error) {
    await tx.run("rollback").catch(() => 0);
    throw error;
  }
}

async function lastKeyOf(tx: Tx, staging: string, table: Table): Promise<Cells | null> {
  const order = byBytes(table, await typesOf(tx, staging, table));
  const row = await tx.get(
    `select ${table.key.join(", ")} from ${staging}.${table.name} order by ${order.map((column) => `${column} desc`).join(", ")} limit 1`,
  );
  return row === null
    ? null
    : table.key.map((column) =>
        typeof row[column] === "number" ? row[column] : text(row, column),
      );
}

/**
 * One statement for all rows: the columns go as arrays. Bodies go one by one, as an array of them
 * would be written out as text.
 */
async function insertAll(
  tx: Tx,
  staging: string,
  table: Table,
  columns: readonly string[],
  rows: readonly Cells[],
): Promise<void> {
  const types = await typesOf(tx, staging, table);
  const all = [...columns, ...Object.keys(table.derived)];
  const filled = rows.map((cells) => [
    ...cells,
    ...Object.values(table.derived).map(({ document, path }) =>
      derivedFrom(textAt(cells, columns.indexOf(document)), path),
    ),
  ]);
  const into = `insert into ${staging}.${table.name} (${all.join(", ")}) overriding system value`;
  if (table.name !== "delivery_body")
    return void (await tx.run(
      `${into} select * from unnest(${all.map((column) => `?::${types.get(column) ?? "text"}[]`).join(", ")})`,
      ...all.map((column, n) =>
        filled.map((cells) => valueOf(cells[n] ?? null, types.get(column))),
      ),
    ));
  await transaction(tx, async () => {
    for (const cells of filled)
      await tx.run(`${into} values (${all.map(() => "?").join(", ")})`, ...cells);
  });
}

function textAt(cells: Cells, column: number): string | null {
  const cell = cells[column];
  return typeof cell === "string" ? cell : null;
}

type Single = Exclude<Value, readonly unknown[]>;

/** Inside of an array nobody else takes out what a text of PostgreSQL cannot hold. */
function valueOf(cell: Cells[number], type: string | undefined): Single {
  if (type === "boolean" && cell !== null) return cell === 1;
  return typeof cell === "string" ? cell.replaceAll("\u0000", "\u2400") : cell;
}
