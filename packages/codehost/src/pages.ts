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
