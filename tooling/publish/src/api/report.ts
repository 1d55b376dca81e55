import { dirname, join, normalize } from "node:path/posix";
import { type Declarations, type Elsewhere, namesIn, parseDeclarations } from "./declarations.ts";

/**
 * A way into a package: what people import, and the declaration file behind it, from the package's
 * folder on.
 */
export type Entry = { readonly name: string; readonly types: string };

type Found = { readonly name: string; readonly statements: readonly string[] };

/**
 * What people can import from a package, and every declaration that it leads to within it, sorted
 * by name: a change of it is a change for users. Comments and the files in which things stand do
 * not count. `read` gives a declaration file's text.
 */
export function apiReport(
  packageName: string,
  entries: readonly Entry[],
  read: (file: string) => string,
): string {
  const files = new Map<string, Declarations>();
  const found = new Map<string, Found>();
  const others = new Set<string>();

  function fileOf(path: string): Declarations {
    const known = files.get(path) ?? parseDeclarations(read(path));
    files.set(path, known);
    return known;
  }
  function exportsOf(path: string): ReadonlyMap<string, () => void> {
    const { exported, stars } = fileOf(path);
    const passedOn = stars.flatMap((star) => [...exportsOf(targetOf(path, star))]);
    const own = [...exported].map(
      ([name, to]) =>
        [name, () => (typeof to === "string" ? collect(path, to) : follow(path, to))] as const,
    );
    return new Map([...passedOn, ...own]);
  }
  function follow(path: string, { from, name }: Elsewhere): void {
    if (!from.startsWith(".")) return void others.add(`${name} from ${from}`);
    const there = exportsOf(targetOf(path, from)).get(name);
    if (there === undefined)
      throw new Error(`${from} exports no ${name}, which ${path} takes from it`);
    there();
  }
  function collect(path: string, name: string): void {
    const { own, imported } = fileOf(path);
    const elsewhere = imported.get(name);
    if (elsewhere !== undefined) return follow(path, elsewhere);
    const statements = own.get(name);
    if (statements === undefined || found.has(`${path}#${name}`)) return;
    found.set(`${path}#${name}`, { name, statements });
    for (const statement of statements) for (const each of namesIn(statement)) collect(path, each);
  }

  const sections = entries.toSorted(by(({ name }) => name)).flatMap(({ name, types }) => {
    const exported = [...exportsOf(types)].toSorted(by(([each]) => each));
    for (const [, reach] of exported) reach();
    return [`## \`${name}\``, "", ...exported.map(([each]) => `- ${each}`), ""];
  });
  const declarations = [...found.values()]
    .map(({ name, statements }) => ({ name, text: statements.join("\n") }))
    .toSorted(by(({ name, text }) => `${name}\n${text}`));
  return [
    `# What people can use of ${packageName}`,
    "",
    "Made from the built declaration files; `npm run api -- --update` writes it anew. A change here is a change for users and wants a",
    "changeset: a major one where something is taken away or asks for more.",
    "",
    ...sections,
    "## Declarations",
    "",
    "```ts",
    ...declarations.map(({ text }) => text),
    "```",
    ...(others.size === 0
      ? []
      : ["", "## Of other packages", "", ...[...others].toSorted().map((each) => `- ${each}`)]),
    "",
  ].join("\n");
}

/**
 * A declaration file as its sibling imports it: with the ending of the source, or of what is built.
 */
function targetOf(path: string, from: string): string {
  if (!from.startsWith("."))
    throw new Error(`${path} passes on all of ${from}, of which nothing is known here`);
  return normalize(join(dirname(path), from)).replace(/\.[jt]s$/, ".d.ts");
}

function by<T>(key: (each: T) => string): (one: T, other: T) => number {
  return (one, other) => (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0);
}
