import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Mutant } from "./result.ts";

/** What of the instrumenter of StrykerJS is used. Positions count lines from 0. */
type Position = { readonly line: number; readonly column: number };
type Planted = {
  readonly id: string;
  readonly fileName: string;
  readonly location: { readonly start: Position; readonly end: Position };
  readonly replacement: string;
  readonly status?: string;
};
type Instrumented = {
  readonly files: readonly { readonly name: string; readonly content: string }[];
  readonly mutants: readonly Planted[];
};
type Options = {
  readonly plugins: null;
  readonly excludedMutations: readonly string[];
  readonly ignorers: readonly unknown[];
  readonly noHeader: true;
};
type Instrumenter = {
  instrument(
    files: readonly { name: string; mutate: true; content: string }[],
    options: Options,
  ): Promise<Instrumented>;
};

/**
 * Stands on top of every planted file; `active` chooses the changed text, `cover` says that a place
 * was reached.
 */
const header =
  "const { active: stryMutAct_9fa48, cover: stryCov_9fa48 } = globalThis.__loopMutation;\n";

/**
 * Writes every mutant of these files into them, each behind a switch that is off, and tells what
 * they are. `root` is what file names are relative to; `peers` is where the instrumenter is
 * installed.
 */
export async function plantMutants(
  root: string,
  files: readonly string[],
  peers: string,
): Promise<readonly Mutant[]> {
  const instrumenter = await openInstrumenter(peers);
  const sources = new Map(files.map((file) => [file, readFileSync(path.join(root, file), "utf8")]));
  const inputs = [...sources].map(([name, content]) => ({ name, mutate: true as const, content }));
  const { files: written, mutants } = await instrumenter.instrument(inputs, {
    plugins: null,
    excludedMutations: [],
    ignorers: [],
    noHeader: true,
  });
  for (const { name, content } of written) writeFileSync(path.join(root, name), header + content);
  return mutants
    .filter(({ status }) => status === undefined)
    .map((planted) => describeMutant(planted, sources.get(planted.fileName) ?? ""));
}

async function openInstrumenter(peers: string): Promise<Instrumenter> {
  const entry = path.join(peers, "node_modules/@stryker-mutator/instrumenter/dist/src/index.js");
  const { Instrumenter }: { Instrumenter: new (logger: object) => Instrumenter } = await import(
    pathToFileURL(entry).href
  );
  const quiet = (): void => undefined;
  return new Instrumenter({ isDebugEnabled: () => false, debug: quiet, info: quiet, warn: quiet });
}

function describeMutant({ id, fileName, location, replacement }: Planted, source: string): Mutant {
  const lines = source.split("\n");
  const starts = lines.reduce<number[]>(
    (all, line) => [...all, (all.at(-1) ?? 0) + line.length + 1],
    [0],
  );
  const offset = ({ line, column }: Position): number => (starts[line] ?? 0) + column;
  return {
    id,
    file: fileName,
    line: location.start.line + 1,
    lineText: short(lines[location.start.line] ?? ""),
    from: short(source.slice(offset(location.start), offset(location.end))),
    to: short(replacement),
  };
}

/** On one line, and not endless: it is what a person reads, and what a reason is kept under. */
function short(text: string): string {
  const flat = text.replaceAll(/\s+/g, " ").trim();
  return flat.length <= 160 ? flat : `${flat.slice(0, 157)}...`;
}
