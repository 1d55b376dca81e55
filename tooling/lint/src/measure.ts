import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { cyclesIn, importsOf, type Source } from "./folders.ts";
import { layerBreaches } from "./layers-of-core.ts";

/**
 * Figures about the shape of the repository: `node tooling/lint/src/measure.ts [--json]`. Sources
 * are taken as the formatter leaves them, so that indentation tells where a function ends.
 */
export type Figures = Readonly<Record<string, number>>;

export function measure(root: string): Figures {
  const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
  const read = (path: string): Source => ({
    path,
    lines: readFileSync(join(root, path), "utf8").split("\n"),
  });
  const present = tracked.filter((path) => existsSync(join(root, path)));
  const inPackages = sourcesIn(present, /^packages\/[^/]+\/src\//).map(read);
  const inTooling = sourcesIn(present, /^tooling\/[^/]+\/(?:src|test)\//).map(read);
  const core = inPackages.filter(({ path }) => path.startsWith("packages/core/src/"));
  const cli = inPackages.filter(({ path }) => path.startsWith("packages/cli/src/"));
  const functions = inPackages.flatMap(functionLengths);
  return {
    "source files": inPackages.length,
    "source lines": total(inPackages),
    "tooling lines": total(inTooling),
    "longest file": Math.max(...inPackages.map(({ lines }) => lines.length)),
    "files over 200 lines": inPackages.filter(({ lines }) => lines.length > 200).length,
    "files over 300 lines": inPackages.filter(({ lines }) => lines.length > 300).length,
    "functions over 40 lines": functions.filter((length) => length > 40).length,
    "functions over 40 lines, of 1,000": share(functions, (length) => length > 40),
    "lines over 100": countLines(inPackages, 100),
    "lines over 140": countLines(inPackages, 140),
    "entries of core": entriesOf(root, "core"),
    "exports of core": exportsOf(root, "core"),
    "files reachable from decide.ts": reachable(core, decideFile).size,
    "types reachable from decide.ts": typesOfDecide(core).size,
    "folder cycles in core": cyclesIn(core).length,
    "folder cycles in cli": cyclesIn(cli).length,
    "upward imports in core": layerBreaches(core).length,
    "words of docs, written by hand": wordsOf(root, present),
    "root scripts": Object.keys(packageAt(root).scripts ?? {}).length,
    changesets: present.filter((path) => /^\.changeset\/(?!README).*\.md$/.test(path)).length,
  };
}

function sourcesIn(paths: readonly string[], folder: RegExp): readonly string[] {
  return paths.filter((path) => folder.test(path) && /\.tsx?$/.test(path));
}

function total(sources: readonly Source[]): number {
  return sources.reduce((sum, { lines }) => sum + lines.length - 1, 0);
}

function countLines(sources: readonly Source[], width: number): number {
  return sources.flatMap(({ lines }) => lines).filter((line) => line.length > width).length;
}

function share(lengths: readonly number[], counts: (length: number) => boolean): number {
  return Math.round((lengths.filter(counts).length / lengths.length) * 1000);
}

/** Lines from the head of each function or method to the brace that closes it. */
function functionLengths({ lines }: Source): readonly number[] {
  const head =
    /^(?<indent> *)(?:(?:export |default |async |private |static )*function\b|(?:async )?[\w#]+\(.*\{$|.*=> \{$|\)(?:: .*)? (?:=> )?\{$)/;
  return lines.flatMap((line, start) => {
    const indent = head.exec(line)?.groups?.["indent"];
    if (indent === undefined || /^ *(?:if|for|while|switch|catch|return)\b/.test(line)) return [];
    const end = lines.findIndex((each, at) => at > start && each.startsWith(`${indent}}`));
    return end === -1 ? [] : [end - start + 1];
  });
}

function packageAt(folder: string): {
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly scripts?: Readonly<Record<string, string>>;
} {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

function entriesOf(root: string, name: string): number {
  const { exports = {} } = packageAt(join(root, "packages", name));
  return Object.keys(exports).filter((entry) => entry !== "./package.json").length;
}

/** Names in the report of what people can use. */
function exportsOf(root: string, name: string): number {
  const report = readFileSync(join(root, "packages", name, "api.md"), "utf8");
  return (
    report.match(/^(?:declare |export )*(?:type|interface|const|let|function|class) \w/gm)
      ?.length ?? 0
  );
}

function reachable(sources: readonly Source[], from: string): ReadonlySet<string> {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const found = new Set([from]);
  for (const path of found) {
    const source = byPath.get(path);
    for (const next of source === undefined ? [] : importsOf(source)) found.add(next);
  }
  return found;
}

/** Types that the signature of `decide` leads to, through the declarations of core. */
export function typesOfDecide(core: readonly Source[]): ReadonlySet<string> {
  const files = new Map(core.map((source) => [source.path, namesIn(source)]));
  const open: (readonly [path: string, name: string])[] = signature.map((name) => [
    decideFile,
    name,
  ]);
  const found = new Set<string>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [path, name] = next;
    const file = files.get(path);
    const text = file?.declared.get(name);
    const elsewhere = file?.imported.get(name);
    if (text === undefined && elsewhere !== undefined) open.push([elsewhere, name]);
    if (text === undefined || found.has(`${path} ${name}`)) continue;
    found.add(`${path} ${name}`);
    for (const [word] of text.matchAll(/\b[A-Z]\w*/g)) open.push([path, word]);
  }
  return found;
}

const decideFile = "packages/core/src/decide/decide.ts";
const signature = ["InboundEvent", "State", "Policy", "Decision"];

/** The types that a file declares, each with its text, and the files of those that it imports. */
function namesIn({ path, lines }: Source): {
  readonly declared: ReadonlyMap<string, string>;
  readonly imported: ReadonlyMap<string, string>;
} {
  const text = lines.join("\n").replaceAll(/\/\*.*?\*\//gs, "");
  const types = text.matchAll(
    /^(?:export )?(?:type|interface|class) (\w+).*?(?=^(?:export|const|type|interface|class|function|async)\b|(?![^]))/gms,
  );
  const imports = text.matchAll(/^import (?:type )?\{([^}]*)\} from "(\.[^"]+)"/gm);
  return {
    declared: new Map([...types].map(([whole, name = ""]) => [name, whole])),
    imported: new Map(
      [...imports].flatMap(([, names = "", from = ""]) =>
        [...names.matchAll(/\b[A-Z]\w*/g)].map(([name]) => [name, join(dirname(path), from)]),
      ),
    ),
  };
}

/** Pages that a generator writes. */
const generated =
  /^docs\/(?:commands|configuration|conformance|control-plane|errors|events|mutation|reasons|reliability)\.md$/;

function wordsOf(root: string, paths: readonly string[]): number {
  return paths
    .filter((path) => /^(?:docs\/.*|README|CONTRIBUTING)\.md$|^docs\/.*\.md$/.test(path))
    .filter((path) => !generated.test(path))
    .map((path) => readFileSync(join(root, path), "utf8").split(/\s+/).filter(Boolean).length)
    .reduce((sum, words) => sum + words, 0);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const figures = measure(process.cwd());
  process.stdout.write(
    process.argv.includes("--json")
      ? `${JSON.stringify(figures, null, 2)}\n`
      : Object.entries(figures)
          .map(([name, value]) => `${name.padEnd(36)}${value.toLocaleString("en")}\n`)
          .join(""),
  );
}
