/** Path and query of the page after this one, below the base of the interface; null when there is none. */
export function nextPage(link: string, base: string): string | null {
  for (const part of link.split(",")) {
    if (!part.includes('rel="next"')) continue;
    const address = part.slice(part.indexOf("<") + 1, part.indexOf(">"));
    // A page elsewhere is not followed: the token must not travel there.
    return address.startsWith(`${base}/`) ? address.slice(base.length) : null;
  }
  return null;
}

/** Number of the last page that a `link` header names; 1 when it names none. */
export function lastPage(link: string): number {
  for (const part of link.split(",")) {
    if (!part.includes('rel="last"')) continue;
    const address = part.slice(part.indexOf("<") + 1, part.indexOf(">"));
    const page = URL.canParse(address) ? Number(new URL(address).searchParams.get("page")) : Number.NaN;
    if (Number.isSafeInteger(page) && page > 0) return page;
  }
  return 1;
}
