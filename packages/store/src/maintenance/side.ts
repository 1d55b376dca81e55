import { StoreError } from "../errors.ts";
import type { Row } from "../rows.ts";
import type { Table } from "./tables.ts";

/** What stands in a column, the same for every driver: truth values are 0 and 1. */
export type Cell = string | number | null | Uint8Array;
/** One row, in the order of the columns that were asked for. */
export type Cells = readonly Cell[];

/** A store whose rows are read as they are, on one snapshot or while nobody else has it open. */
export type Reading = {
  /** What people may see of its URL. */
  readonly place: string;
  /** Names of all tables that are there. */
  tables(): Promise<readonly string[]>;
  /** Columns that are stored and are not derived from others. */
  columns(table: Table): Promise<readonly string[]>;
  /** Rows in the order of the key, many at a time; only those behind `after`, when it is given. */
  rows(table: Table, columns: readonly string[], after?: Cells): AsyncIterable<readonly Cells[]>;
  /** The last number that was given to a row; 0 when none was. */
  lastNumber(table: Table): Promise<number>;
  /** The last number that the driver's sequence gave; null where it has none for the table. */
  sequenceOf(table: Table): Promise<number | null>;
  /** How many deliveries may be missing from the log without a loss. */
  knownGaps(): Promise<number>;
  /** Rows of a query that is written for every driver; `?` stands for the values. */
  all(sql: string, ...values: readonly (string | number)[]): Promise<readonly Row[]>;
  /**
   * Bodies that were found damaged while they were read, by the number of their delivery; they are
   * left out.
   */
  readonly damaged: ReadonlySet<number>;
  close(): Promise<void>;
};

/**
 * A store that is being made beside the place where it will stand: no service opens it before
 * `finish`.
 */
export type Target = Reading & {
  /** It holds a part of the same copy from before. */
  readonly resumed: boolean;
  /** Key of the last row that is there. */
  lastKey(table: Table): Promise<Cells | null>;
  /** All of them in one transaction. */
  insert(table: Table, columns: readonly string[], rows: readonly Cells[]): Promise<void>;
  setLastNumber(table: Table, number: number): Promise<void>;
  /** Drops what was copied. */
  clear(): Promise<void>;
  /**
   * Puts it into its place, at once and as a whole; an instance may get another name on the way.
   */
  finish(rename: Renaming | null): Promise<void>;
};

/** The name of an instance, and the one under which it goes on. */
export type Renaming = { readonly from: string; readonly to: string };

/** Parts of a stream of rows that are written together: by number and by bytes. */
export const mostRows = 500;
export const mostBytes: number = 8 * 1024 * 1024;

export function sizeOf(cells: Cells): number {
  return cells.reduce<number>(
    (sum, cell) => sum + (typeof cell === "string" || cell instanceof Uint8Array ? cell.length : 8),
    0,
  );
}

/** The destination holds a part of another copy. */
export function unfinished(place: string, from: string): StoreError {
  return new StoreError(
    "LOOP_E_STORE_UNFINISHED",
    `${place} holds an unfinished copy of ${from}.`,
    "Finish that one first, or throw it away with `--start-over`.",
  );
}
