import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { backup } from "node:sqlite";
import { StoreError } from "../errors.ts";
import { integer } from "../rows.ts";
import type { BackedUp } from "./backup-store.ts";
import { checkSqlite } from "./check-store.ts";
import { connect, folderOfBodies, guarded, openSqliteSnapshot } from "./sqlite-open.ts";

/**
 * The database by SQLite's own online backup, all pages in one step and so of one moment; then the
 * segments that its rows name. What stands at a place in them never changes, so that they may be
 * copied later than the database.
 */
export async function backUpSqlite(
  file: string,
  to: string,
  progress: (line: string) => void,
): Promise<BackedUp> {
  const [staged, folder] = [`${to}.copying`, folderOfBodies(to)];
  if (existsSync(to) || (existsSync(folder) && !existsSync(staged)))
    throw new StoreError(
      "LOOP_E_STORE_NOT_EMPTY",
      `Nothing is copied to ${to}: something stands there already.`,
      "Name a new file.",
    );
  for (const each of [staged, `${staged}-wal`, `${staged}-shm`, folder])
    rmSync(each, { recursive: true, force: true });
  await copyDatabase(file, staged);
  progress("the database is copied");
  const gone = copySegments(file, staged, folder);
  progress("the bodies are copied");
  forgetSegments(staged, gone);
  const { findings, counted } = await checkSqlite(staged, folder);
  const other = findings.find(({ kind }) => kind !== "body-damaged");
  if (other !== undefined)
    throw new StoreError(
      "LOOP_E_STORE_COPY",
      `The copy of ${file} is not sound: ${other.sentence}. It stands in ${staged}.`,
      "`loop store check` says whether the store itself is.",
    );
  renameSync(staged, to);
  flush(dirname(to));
  return {
    from: `sqlite:${file}`,
    to,
    deliveries: counted["delivery"] ?? 0,
    damaged: findings.flatMap(({ deliveries }) => deliveries),
  };
}

async function copyDatabase(file: string, staged: string): Promise<void> {
  const { reading, open } = openSqliteSnapshot(file);
  try {
    mkdirSync(dirname(staged), { recursive: true, mode: 0o700 });
    closeSync(openSync(staged, "ax", 0o600));
    // More pages than a database can have: one step.
    await backup(open.connection, staged, { rate: 0x7fff_fffe });
  } catch (error) {
    throw unwritable(staged, error);
  } finally {
    await reading.close();
  }
}

/**
 * Copies what rows of the copy name; numbers of segments that went meanwhile, as their retention
 * was over.
 */
function copySegments(file: string, staged: string, folder: string): readonly number[] {
  const { open } = openSqliteSnapshot(staged);
  const named = open.db
    .all("select distinct segment from delivery_body where segment is not null order by segment")
    .map((row) => integer(row, "segment"));
  open.db.close();
  if (named.length > 0) mkdirSync(folder, { mode: 0o700 });
  const source = folderOfBodies(file);
  const gone: number[] = [];
  for (const number of named) {
    const name = existsSync(source)
      ? readdirSync(source).find((each) => Number.parseInt(each, 10) === number)
      : undefined;
    if (name === undefined) gone.push(number);
    else copyDurably(join(source, name), join(folder, name));
  }
  if (named.length > 0) flush(folder);
  return gone.filter((number) => isForgotten(file, number));
}

/**
 * The store itself names it no longer. One that it still names was lost, and the check of the copy
 * says so.
 */
function isForgotten(file: string, segment: number): boolean {
  const { open } = openSqliteSnapshot(file);
  const row = open.db.get("select 1 from delivery_body where segment = ? limit 1", segment);
  open.db.close();
  return row === null;
}

/**
 * What retention did in the store while it was copied is done in the copy. Without a log the copy
 * is one file.
 */
function forgetSegments(staged: string, segments: readonly number[]): void {
  const connection = connect(staged, false);
  guarded(staged, connection, () => {
    connection.exec("pragma journal_mode = delete");
    for (const segment of segments) {
      connection.prepare("delete from delivery_body where segment = ?").run(segment);
      connection.prepare("delete from body_segment where number = ?").run(segment);
    }
  });
  connection.close();
}

function copyDurably(from: string, to: string): void {
  try {
    copyFileSync(from, to);
  } catch (error) {
    throw unwritable(to, error);
  }
  flush(to);
}

function flush(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function unwritable(file: string, error: unknown): unknown {
  if (error instanceof StoreError) return error;
  return new StoreError(
    "LOOP_E_STORE_UNWRITABLE",
    `${file} cannot be written: ${error instanceof Error ? error.message : String(error)}.`,
    "Check that its folder is yours and has room.",
  );
}
