import { CodeHostError } from "@loopwork/core/ports";
import { originOf } from "./own-origin.ts";

/**
 * Path and query of the page after this one, below the base of the interface; null when there is
 * none. Throws `CodeHostError` for one elsewhere: a list without it is not whole.
 */
export function nextPage(task: string, link: string, base: string): string | null {
  for (const part of link.split(",")) {
    if (!part.includes('rel="next"')) continue;
    const address = part.slice(part.indexOf("<") + 1, part.indexOf(">"));
    if (!address.startsWith(`${base}/`)) {
      const detail = `${task}: the next page leads to another host: ${originOf(address)}`;
      throw new CodeHostError("LOOP_E_HOST_REFUSED", detail);
    }
    return address.slice(base.length);
  }
  return null;
}

/** Number of the last page that a `link` header names; 1 when it names none. */
export function lastPage(link: string): number {
  for (const part of link.split(",")) {
    if (!part.includes('rel="last"')) continue;
    const address = part.slice(part.indexOf("<") + 1, part.indexOf(">"));
    const page = URL.canParse(address)
      ? Number(new URL(address).searchParams.get("page"))
      : Number.NaN;
    if (Number.isSafeInteger(page) && page > 0) return page;
  }
  return 1;
}
