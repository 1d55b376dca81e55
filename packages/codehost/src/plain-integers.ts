/**
 * An answer in which integers that no number holds are decimal text, as ids are kept everywhere
 * here; the same object where there are none. The host numbers deliveries beyond that, and Octokit
 * reads such numbers as `bigint`, which no JSON takes.
 */
export function plain(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null || value instanceof ArrayBuffer) return value;
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    const mapped = list.map(plain);
    return mapped.some((each, index) => each !== list[index]) ? mapped : list;
  }
  const entries = Object.entries(value);
  const mapped = entries.map(([name, each]) => [name, plain(each)] as const);
  return mapped.some(([, each], index) => each !== entries[index]?.[1])
    ? Object.fromEntries(mapped)
    : value;
}
