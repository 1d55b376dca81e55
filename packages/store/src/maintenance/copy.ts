import { StoreError } from "../errors.ts";
import { digestOf, type TableDigest } from "./digest.ts";
import type { Reading, Target } from "./side.ts";
import { ownTables, type Table, tables } from "./tables.ts";

/** What was copied and compared. */
export type Copied = {
  /** A part of it was there from an earlier run. */
  readonly resumed: boolean;
  readonly tables: readonly TableDigest[];
  /** Deliveries whose bodies were damaged and therefore left out. */
  readonly damaged: readonly number[];
};

export type CopyOptions = {
  /** Bodies that cannot be read are left out, instead of ending the copy. */
  readonly leaveDamaged: boolean;
  readonly progress: (line: string) => void;
};

/**
 * Copies all rows, then reads both sides again and compares them.
 *
 *     copying ──all rows there──▶ comparing ──equal──▶ copied
 *        ▲                            └──a part from an earlier run is no longer what the source holds──▶ copying, from the beginning, once
 *        └── killed at any moment: the next run goes on behind the last row that is there
 *
 * Rows go in the order of their keys, so that the last one that arrived says where to go on.
 * `target.finish` is the caller's.
 */
export async function copyRows(
  source: Reading,
  target: Target,
  options: CopyOptions,
): Promise<Copied> {
  await requireKnown(source, target);
  await copyAll(source, target, options);
  const compared = await compare(source, target, options);
  if (compared.differing === null)
    return { resumed: target.resumed, tables: compared.tables, damaged: [...source.damaged] };
  if (!target.resumed) throw differs(target, compared.differing);
  options.progress(`${compared.differing} has changed since the earlier run: from the beginning`);
  await target.clear();
  await copyAll(source, target, options);
  const again = await compare(source, target, options);
  if (again.differing !== null) throw differs(target, again.differing);
  return { resumed: false, tables: again.tables, damaged: [...source.damaged] };
}

/** A table that nobody listed would be lost without a word: a bug, and a test finds it first. */
async function requireKnown(...sides: readonly Reading[]): Promise<void> {
  for (const side of sides) {
    const unknown = (await side.tables()).filter(
      (name) => !ownTables.has(name) && !tables.some((table) => table.name === name),
    );
    if (unknown.length > 0)
      throw new Error(`${side.place} has tables that nobody copies: ${unknown.join(", ")}`);
  }
}

async function copyAll(
  source: Reading,
  target: Target,
  { leaveDamaged, progress }: CopyOptions,
): Promise<void> {
  for (const table of tables) {
    const columns = await commonColumns(source, target, table);
    const after = await target.lastKey(table);
    let copied = 0;
    for await (const rows of after === null
      ? source.rows(table, columns)
      : source.rows(table, columns, after)) {
      requireWhole(source, leaveDamaged);
      await target.insert(table, columns, rows);
      copied += rows.length;
      progress(`${table.name}: ${copied} rows${after === null ? "" : " more"}`);
    }
    requireWhole(source, leaveDamaged);
    if (table.numbered !== null) await target.setLastNumber(table, await source.lastNumber(table));
  }
}

async function commonColumns(
  source: Reading,
  target: Reading,
  table: Table,
): Promise<readonly string[]> {
  const [here, there] = [await source.columns(table), await target.columns(table)];
  const differing = [
    ...here.filter((column) => !there.includes(column)),
    ...there.filter((column) => !here.includes(column)),
  ];
  if (differing.length > 0)
    throw new Error(`${table.name} differs between the drivers: ${differing.join(", ")}`);
  return here;
}

async function compare(
  source: Reading,
  target: Reading,
  { progress }: CopyOptions,
): Promise<{ readonly differing: string | null; readonly tables: readonly TableDigest[] }> {
  const digests: TableDigest[] = [];
  for (const table of tables) {
    progress(`${table.name}: comparing`);
    const columns = await source.columns(table);
    const [here, there] = [
      await digestOf(source, table, columns),
      await digestOf(target, table, columns),
    ];
    const numbersDiffer =
      table.numbered !== null &&
      (await source.lastNumber(table)) !== (await target.lastNumber(table));
    if (here.rows !== there.rows || here.sha256 !== there.sha256 || numbersDiffer)
      return { differing: table.name, tables: digests };
    digests.push(here);
  }
  return { differing: null, tables: digests };
}

function requireWhole({ damaged, place }: Reading, leaveDamaged: boolean): void {
  if (leaveDamaged || damaged.size === 0) return;
  throw new StoreError(
    "LOOP_E_STORE_BODY_DAMAGED",
    `The body of delivery number ${[...damaged].join(", ")} in ${place} is damaged or gone.`,
    "`loop store check` lists all of them; with `--leave-damaged` they are left out, and everything else is copied.",
  );
}

function differs({ place }: Reading, table: string): StoreError {
  return new StoreError(
    "LOOP_E_STORE_COPY",
    `${place} does not hold what was copied into it: the table ${table} differs. It was not put into its place.`,
    "Look after the disk of both sides, then run it again with `--start-over`.",
  );
}
