import { createHash, type Hash } from "node:crypto";
import type { Cell, Reading } from "./side.ts";
import type { Table } from "./tables.ts";

/**
 * How many rows a table has, and the SHA-256 of all of them in the order of the key; the same
 * whatever the driver.
 */
export type TableDigest = {
  readonly table: string;
  readonly rows: number;
  readonly sha256: string;
};

export async function digestOf(
  side: Reading,
  table: Table,
  columns: readonly string[],
): Promise<TableDigest> {
  const hash = createHash("sha256");
  let rows = 0;
  for await (const part of side.rows(table, columns)) {
    for (const cells of part) addRow(hash, cells);
    rows += part.length;
  }
  return { table: table.name, rows, sha256: hash.digest("hex") };
}

/**
 * Bytes by their own digest. A zero character counts as its picture, which PostgreSQL stores in its
 * place.
 */
function addRow(hash: Hash, cells: readonly Cell[]): void {
  const plain = cells.map((cell) =>
    cell instanceof Uint8Array
      ? createHash("sha256").update(cell).digest("hex")
      : typeof cell === "string"
        ? cell.replaceAll("\u0000", "\u2400")
        : cell,
  );
  hash.update(JSON.stringify(plain)).update("\n");
}
