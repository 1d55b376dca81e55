import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseSync, Visitor } from "oxc-parser";
import { cyclesIn, importsOf, type Source } from "./folders.ts";
import { layerBreaches } from "./layers-of-core.ts";

/** What `npm run shape` counts. Sources are those of `packages/<name>/src`, as the formatter leaves them. */
export type Shape = {
  readonly files: number;
  readonly lines: number;
  readonly over100: number;
  readonly over140: number;
  readonly filesOver200: number;
  readonly filesOver300: number;
  /** Function bodies, from brace to brace. */
  readonly functionsOver40: number;
  readonly coreEntries: number;
  /** Names that the entries of core export. */
  readonly coreExports: number;
  /** Exported types in the files that `decide.ts` reaches by imports. */
  readonly decideTypes: number;
  /** Pairs of folders of one package that lead to each other by imports, types included. */
  readonly folderCycles: number;
  /** Imports within core that lead upward in the list of its layers. */
  readonly upwardImports: number;
  readonly toolingLines: number;
  /** Of the pages that no generator writes. */
  readonly docsWords: number;
  readonly rootScripts: number;
  /** How long the last `npm test` of this clone took; null where there was none. */
  readonly testSeconds: number | null;
};

export function measureShape(root: string): Shape {
  const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
  const present = tracked.filter((path) => existsSync(join(root, path)));
  const read = (folder: RegExp): readonly Source[] =>
    present
      .filter((path) => folder.test(path) && /\.tsx?$/.test(path))
      .map((path) => ({ path, lines: readFileSync(join(root, path), "utf8").split("\n") }));
  const sources = read(/^packages\/[^/]+\/src\//);
  const core = inPackage(sources, "core");
  const entries = entriesOf(root, "core");
  return {
    files: sources.length,
    lines: countLines(sources),
    over100: linesOver(sources, 100),
    over140: linesOver(sources, 140),
    filesOver200: sources.filter(({ lines }) => lines.length > 200).length,
    filesOver300: sources.filter(({ lines }) => lines.length > 300).length,
    functionsOver40: sources.flatMap(bodyLengths).filter((length) => length > 40).length,
    coreEntries: entries.length,
    coreExports: core
      .filter(({ path }) => entries.includes(path))
      .reduce((sum, source) => sum + countExports(source), 0),
    decideTypes: countTypes(reachable(core, "packages/core/src/decide/decide.ts")),
    folderCycles: packagesOf(sources).flatMap((name) => cyclesIn(inPackage(sources, name))).length,
    upwardImports: layerBreaches(core).length,
    toolingLines: countLines(read(/^tooling\/[^/]+\/(?:src|test)\//)),
    docsWords: countWords(root, present),
    rootScripts: Object.keys(packageAt(root).scripts ?? {}).length,
    testSeconds: testSeconds(root),
  };
}

function packagesOf(sources: readonly Source[]): readonly string[] {
  return [...new Set(sources.map(({ path }) => path.split("/")[1] ?? ""))];
}

function inPackage(sources: readonly Source[], name: string): readonly Source[] {
  return sources.filter(({ path }) => path.startsWith(`packages/${name}/src/`));
}

function countLines(sources: readonly Source[]): number {
  return sources.reduce((sum, { lines }) => sum + lines.length - 1, 0);
}

function linesOver(sources: readonly Source[], width: number): number {
  return sources.flatMap(({ lines }) => lines).filter((line) => line.length > width).length;
}

function bodyLengths({ path, lines }: Source): readonly number[] {
  const text = lines.join("\n");
  const lengths: number[] = [];
  const note = ({ body }: { readonly body: unknown }): void => {
    const { type, start, end } = Object(body);
    if (type === "BlockStatement" || type === "FunctionBody")
      lengths.push(text.slice(start, end).split("\n").length);
  };
  new Visitor({
    FunctionDeclaration: note,
    FunctionExpression: note,
    ArrowFunctionExpression: note,
  }).visit(parseSync(path, text).program);
  return lengths;
}

function countExports({ path, lines }: Source): number {
  return parseSync(path, lines.join("\n")).module.staticExports.reduce(
    (sum, { entries }) => sum + entries.length,
    0,
  );
}

function countTypes(sources: readonly Source[]): number {
  return linesMatching(sources, /^export (?:type|interface|abstract class|class) \w/);
}

function linesMatching(sources: readonly Source[], pattern: RegExp): number {
  return sources.flatMap(({ lines }) => lines).filter((line) => pattern.test(line)).length;
}

function reachable(sources: readonly Source[], from: string): readonly Source[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const found = new Set([from]);
  for (const path of found) {
    const source = byPath.get(path);
    for (const next of source === undefined ? [] : importsOf(source)) found.add(next);
  }
  return sources.filter(({ path }) => found.has(path));
}

function packageAt(folder: string): {
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly scripts?: Readonly<Record<string, string>>;
} {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** The sources of a package's entries. */
function entriesOf(root: string, name: string): readonly string[] {
  const folder = join("packages", name);
  return Object.values(packageAt(join(root, folder)).exports ?? {}).flatMap((entry) => {
    const source: unknown = Object(entry)["@loopwork/source"];
    return typeof source === "string" ? [join(folder, source)] : [];
  });
}

/** Pages that a generator writes. */
const generated =
  /^docs\/(?:commands|configuration|conformance|control-plane|errors|events|mutation|reasons|reliability)\.md$/;

function countWords(root: string, paths: readonly string[]): number {
  return paths
    .filter((path) => /^(?:docs\/.*|README|CONTRIBUTING)\.md$/.test(path) && !generated.test(path))
    .map((path) => readFileSync(join(root, path), "utf8").split(/\s+/).filter(Boolean).length)
    .reduce((sum, words) => sum + words, 0);
}

function testSeconds(root: string): number | null {
  const [file] = globSync("node_modules/.reports/seconds", { cwd: root });
  return file === undefined ? null : Number(readFileSync(join(root, file), "utf8"));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const shape = measureShape(fileURLToPath(new URL("../../..", import.meta.url)));
  process.stdout.write(
    process.argv.includes("--json")
      ? `${JSON.stringify(shape)}\n`
      : Object.entries(shape)
          .map(([name, value]) => `${name.padEnd(18)}${value?.toLocaleString("en") ?? "not run"}\n`)
          .join(""),
  );
}
