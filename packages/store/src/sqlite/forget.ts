import { setImmediate as otherWork } from "node:timers/promises";
import type { Database } from "./database.ts";

/** What one piece came to: rows that went, and the place to go on from; null at the end. */
export type Piece = { readonly gone: number; readonly next: number | null };

/** Rows that are looked at in one go: some milliseconds of the thread. */
export const rowsAtOnce = 500;

/**
 * Forgets a piece at a time from 0 on, each in a short transaction of its own; other work gets its
 * turn in between. Resolves to the number of rows that went.
 */
export async function forgetInPieces(
  db: Database,
  forget: (from: number) => Piece,
): Promise<number> {
  let piece: Piece = { gone: 0, next: 0 };
  let all = 0;
  while (piece.next !== null) {
    const from: number = piece.next;
    piece = db.write(() => forget(from));
    all += piece.gone;
    await otherWork();
  }
  return all;
}
