import type { Database, Tx } from "./database.ts";

const mostAtOnce = 1_000;

/**
 * Deletes in parts, each a short transaction of its own: one statement over all of it could take
 * longer than a statement may. Resolves to the number of rows.
 */
export async function forgetInParts(
  db: Database,
  part: (tx: Tx, most: number) => Promise<number>,
): Promise<number> {
  for (let all = 0; ;) {
    const gone = await db.write((tx) => part(tx, mostAtOnce));
    all += gone;
    if (gone < mostAtOnce) return all;
  }
}
