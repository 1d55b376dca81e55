/** A row as a database hands it over. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * The column as text; throws for anything else, as a schema and its reader that differ are a bug.
 */
export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw wrong(column, "text");
  return value;
}

export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

export function integer(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== "number") throw wrong(column, "a number");
  return value;
}

export function integerOrNull(row: Row, column: string): number | null {
  return row[column] === null ? null : integer(row, column);
}

export function blob(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw wrong(column, "bytes");
  return value;
}

/**
 * A word out of a closed list, as the schema's checks and our own writing keep it. The database is
 * ours: what it holds was typed when it was written, and an older program never opens a newer
 * schema.
 */
export function word<T extends string>(row: Row, column: string): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own writing, see above
  return text(row, column) as T;
}

/** A JSON document of our own writing. */
export function document<T>(row: Row, column: string): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own writing, see `word`
  return JSON.parse(text(row, column)) as T;
}

export function documentOrNull<T>(row: Row, column: string): T | null {
  return row[column] === null ? null : document<T>(row, column);
}

function wrong(column: string, expected: string): Error {
  return new Error(`the column ${column} does not hold ${expected}`);
}
