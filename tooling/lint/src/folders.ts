import { dirname, join, normalize } from "node:path";

/** A source file of a package, by its path from the repository's root. */
export type Source = { readonly path: string; readonly lines: readonly string[] };

/** Files that a file imports, by relative paths; types count as well. */
export function importsOf({ path, lines }: Source): readonly string[] {
  return [
    ...lines.join("\n").matchAll(/\b(?:from|import) "(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"/g),
  ].map(([, fixed, late]) => normalize(join(dirname(path), fixed ?? late ?? "")));
}

/** The folder of a package that a file lies in; files right below `src` have none. */
export function folderOf(path: string): string | null {
  const [, , , folder, ...rest] = path.split("/");
  return rest.length === 0 ? null : (folder ?? null);
}

export function folderEdges(sources: readonly Source[]): ReadonlySet<string> {
  return new Set(
    sources.flatMap((source) => {
      const from = folderOf(source.path);
      return importsOf(source).flatMap((path) => {
        const to = folderOf(path);
        return from === null || to === null || from === to ? [] : [`${from} ${to}`];
      });
    }),
  );
}

/** Pairs of folders that lead to each other. */
export function cyclesIn(sources: readonly Source[]): readonly string[] {
  const edges = folderEdges(sources);
  const next = new Map<string, string[]>();
  for (const [from = "", to = ""] of [...edges].map((edge) => edge.split(" ")))
    next.set(from, [...(next.get(from) ?? []), to]);
  const leadsTo = (from: string): ReadonlySet<string> => {
    const found = new Set<string>();
    const open = [...(next.get(from) ?? [])];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (found.has(at)) continue;
      found.add(at);
      open.push(...(next.get(at) ?? []));
    }
    return found;
  };
  const all = new Map([...next.keys()].map((folder) => [folder, leadsTo(folder)]));
  return [...all].flatMap(([from, ends]) =>
    [...ends]
      .filter((to) => from < to && all.get(to)?.has(from) === true)
      .map((to) => `${from} ${to}`),
  );
}
