import type { Ask } from "./ask.ts";
import type { Decoder } from "./decode.ts";
import { pageOf } from "./shapes.ts";

const mostPages = 10;

/** A whole list, page after page, up to 2,000 rows. */
export async function everyPage<T>(
  ask: Ask,
  path: string,
  item: Decoder<T>,
): Promise<readonly T[]> {
  const all: T[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < mostPages; page++) {
    const { items, next }: { readonly items: readonly T[]; readonly next: string | null } =
      await ask(
        `${path}?limit=200${cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`}`,
        pageOf(item),
      );
    all.push(...items);
    if (next === null) break;
    cursor = next;
  }
  return all;
}
