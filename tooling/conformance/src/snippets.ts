import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf } from "./markdown.ts";
import { pages, root, textOf } from "./repository.ts";

/**
 * A TypeScript block of a page or of an entry's comment, with the declarations of names that it takes
 * for granted.
 */
export type Snippet = { readonly readme: string; readonly line: number; readonly code: string };

/**
 * Names that a README uses without making them, because its reader has them: declared here with
 * their real types.
 */
const given: Readonly<Record<string, string>> = {
  "packages/core/README.md":
    'import type { Policy } from "@loopwork/core";\ndeclare const body: string, id: string, policy: Policy;',
  "packages/harness-a/README.md":
    'import type { Observed, RunProcess, TurnRequest } from "@loopwork/core/ports";\ndeclare const processes: RunProcess;\ndeclare const { sessionId, receipt, prompt, workdir, turnDir, env }: TurnRequest;\ndeclare const { end, stdout, stderr }: Observed;',
  "packages/harness-b/README.md":
    'import type { RunProcess, TurnRequest } from "@loopwork/core/ports";\ndeclare const processes: RunProcess;\ndeclare const probeDir: string;\ndeclare const { receipt, prompt, workdir, turnDir, env }: TurnRequest;',
  "tooling/practice-host/README.md":
    'import { createPracticeHost } from "@loopwork-tooling/practice-host";',
  "packages/store/README.md":
    'import type { NewDelivery } from "@loopwork/core/ports";\ndeclare const delivery: NewDelivery;',
  "packages/workspace/README.md":
    'import type { CheckoutRequest, Lock, Ref } from "@loopwork/core/ports";\ndeclare const locks: Lock;\ndeclare const apiBaseUrl: string | null;\ndeclare const workItem: Ref;\ndeclare const repository: CheckoutRequest["repository"];',
};

/**
 * Every TypeScript block of every page, but of those that show whole files, which have a test of
 * their own.
 */
export function snippets(): readonly Snippet[] {
  return pages().flatMap((readme) =>
    blocksOf(textOf(readme) ?? "")
      .filter(({ language }) => language === "ts")
      .map(({ text, line }): Snippet => ({
        readme,
        line,
        code: `${text}\n${declarations(given[readme] ?? "")}\nexport {};\n`,
      })),
  );
}

/** The sources of the entries of core, as `packages/core/src/index.ts`. */
export function entriesOfCore(): readonly string[] {
  const { exports } = JSON.parse(textOf("packages/core/package.json") ?? "{}");
  return Object.values(Object(exports)).flatMap((entry) => {
    const source: unknown = Object(entry)["@loopwork/source"];
    return typeof source === "string" ? [join("packages/core", source)] : [];
  });
}

/** The TypeScript blocks of the comment at the head of a source. */
export function examplesIn(source: string): readonly Snippet[] {
  const comment = (textOf(source) ?? "")
    .split("\n")
    .map((line) => /^ \* (.*)$/.exec(line)?.[1] ?? "")
    .join("\n");
  return blocksOf(comment)
    .filter(({ language }) => language === "ts")
    .map(({ text, line }) => ({ readme: source, line, code: `${text}\nexport {};\n` }));
}

/** `declare const { a, b }: T` for several names at once, which the language lacks. */
function declarations(text: string): string {
  return text.replace(
    /^declare const \{ (.{1,200}) \}: (\w{1,40});$/gm,
    (_, names: string, type: string) =>
      names
        .split(", ")
        .map((name) => `declare const ${name}: ${type}["${name}"];`)
        .join("\n"),
  );
}

/**
 * What the compiler says about the snippets, one complaint a line, as `packages/x/README.md:line:
 * …`; empty when it is content. Each is compiled from within its package, so that it finds that
 * package and what that depends on, as sources.
 */
export function complaintsAbout(all: readonly Snippet[]): readonly string[] {
  const folders = new Map<string, string>();
  for (const { readme } of all) if (!folders.has(readme)) folders.set(readme, scratchIn(readme));
  const files = all.map((snippet, at) => ({
    ...snippet,
    file: join(folders.get(snippet.readme) ?? "", `block-${at}.ts`),
  }));
  const project = join([...folders.values()][0] ?? root, "tsconfig.json");
  try {
    for (const { file, code } of files) writeFileSync(file, code);
    writeFileSync(project, projectOf(files.map(({ file }) => file)));
    const output = compile(project);
    return output
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => named(line, files));
  } finally {
    for (const folder of folders.values()) rmSync(folder, { recursive: true, force: true });
  }
}

function scratchIn(readme: string): string {
  const folder = readme.replace(/\/src\/.*$|\/?[^/]{1,200}$/, "");
  const cache = join(root, folder, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  return mkdtempSync(join(cache, "readme-"));
}

/** A project that compiles files as this repository's own, against the sources of its packages. */
export function projectOf(files: readonly string[]): string {
  return JSON.stringify({
    extends: join(root, "tsconfig.base.json"),
    compilerOptions: {
      noEmit: true,
      composite: false,
      declaration: false,
      isolatedDeclarations: false,
      rewriteRelativeImportExtensions: false,
      allowImportingTsExtensions: true,
      noPropertyAccessFromIndexSignature: false,
      customConditions: ["@loopwork/source"],
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")],
    },
    files,
  });
}

/** What the compiler prints about a project. */
export function compile(project: string): string {
  try {
    return execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", project], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (error) {
    return error instanceof Error && "stdout" in error && typeof error.stdout === "string"
      ? error.stdout
      : String(error);
  }
}

/** A complaint with the place in the README in front. */
function named(complaint: string, files: readonly (Snippet & { readonly file: string })[]): string {
  const match = /block-(\d{1,4})\.ts\((\d{1,6}),/.exec(complaint);
  const snippet = files[Number(match?.[1] ?? -1)];
  return match === null || snippet === undefined
    ? complaint
    : `${snippet.readme}:${snippet.line + Number(match[2]) - 1}: ${complaint.replace(/^.{1,400}?: /, "")}`;
}
