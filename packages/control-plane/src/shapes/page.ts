import { LoopError } from "@loopwork/core/ports";
import { z } from "zod";

/** One page of a list. `next` is the cursor of the page after it; null on the last. */
export type Page<T> = { readonly items: readonly T[]; readonly next: string | null };

export const largestPage = 200;

type Paging = {
  readonly cursor: z.ZodOptional<z.ZodString>;
  readonly limit: z.ZodDefault<z.ZodNumber>;
};

/** Input of every list. */
export const paging: Paging = {
  cursor: z
    .string()
    .max(600)
    .meta({ description: "`next` of the page before; none begins at the start" })
    .optional(),
  limit: z.number().int().min(1).max(largestPage).default(50),
};

export function pageOf<T>(item: z.ZodType<T>): z.ZodType<Page<T>> {
  return z.object({ items: z.array(item).readonly(), next: z.string().nullable() });
}

/** Cuts what was read, one more than fits, into a page; `key` names a row in the cursor. */
export function cut<Row, T>(
  rows: readonly Row[],
  limit: number,
  key: (row: Row) => string | number,
  view: (row: Row) => T,
): Page<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(view),
    next:
      rows.length > limit && last !== undefined
        ? Buffer.from(String(key(last))).toString("base64url")
        : null,
  };
}

/** A page of a list that is whole; its rows are named by their places. */
export function cutList<T>(
  all: readonly T[],
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Page<T> {
  const first = numberOf(cursor) ?? 0;
  const placed = all.map((each, index) => ({ each, place: index + 1 }));
  return cut(
    placed.slice(first, first + limit + 1),
    limit,
    ({ place }) => place,
    ({ each }) => each,
  );
}

/** What a cursor names; null for none. Rejects what no page ever gave out. */
export function keyOf(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const key = Buffer.from(cursor, "base64url").toString();
  if (key === "" || Buffer.from(key).toString("base64url") !== cursor) throw strangeCursor();
  return key;
}

/** The same for rows that are numbered. */
export function numberOf(cursor: string | undefined): number | null {
  const key = keyOf(cursor);
  if (key === null) return null;
  if (!/^\d{1,15}$/.test(key)) throw strangeCursor();
  return Number(key);
}

function strangeCursor(): LoopError {
  return new LoopError(
    "LOOP_E_PAGE_CURSOR",
    "Invalid cursor",
    "Send `next` of the previous page unchanged, or leave out the cursor",
  );
}
