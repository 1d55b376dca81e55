/** Violations by kind, of which only the first few are told word by word. */
export type Findings = {
  add(kind: string, text: string): void;
  count(kind: string): number;
  list(): readonly string[];
};

const told = 10;

/** Says each of them as it is found. */
export function createFindings(say: (text: string) => void): Findings {
  const byKind = new Map<string, { count: number; readonly first: string[] }>();
  return {
    add(kind, text) {
      const found = byKind.get(kind) ?? { count: 0, first: [] };
      byKind.set(kind, found);
      found.count += 1;
      if (found.first.length < told) {
        found.first.push(`${kind}: ${text}`);
        say(`${kind}: ${text}`);
      }
    },
    count: (kind) => byKind.get(kind)?.count ?? 0,
    list: () =>
      [...byKind].flatMap(([kind, { count, first }]) =>
        count > told ? [...first, `${kind}: ${count - told} more`] : first,
      ),
  };
}
