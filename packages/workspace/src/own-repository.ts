import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, mkdtemp, open, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ifAbsent } from "./if-absent.ts";
import type { Where } from "./git.ts";
import { lentTo } from "./borrowed-objects.ts";
import { encodeName } from "./names.ts";
import { readPlain } from "./plain-file.ts";

/**
 * A repository that git is run in, in place of the one that is looked at or worked on. Everything
 * in it is ours: configuration, attributes, excludes. Of the other one it has copies of data
 * (references, the index) and borrows objects.
 */
export type OwnRepository = {
  readonly gitDir: string;
  /** The files that commands are about; null where they are about none. */
  readonly workTree: string | null;
  readonly index: string;
  /** Where new objects go when they are meant to stay: the objects of a clone. Null for our own. */
  readonly objects: string | null;
  /** Folders of objects that those of the other repository build on. */
  readonly lent: readonly string[];
  readonly purpose: Purpose;
};

/**
 * `look`: files go in and come out byte for byte; no filter, line-ending rule or encoding applies.
 * `write-files`: as the user's own git writes them, with the filters of the user's own
 * configuration. `no-files`: neither reads nor writes any.
 */
export type Purpose = "look" | "write-files" | "no-files";

/**
 * What it is made from. `common` is where the objects are; `index` is an index outside, which
 * commands then change.
 */
export type Seed = {
  readonly common: string;
  readonly workTree: string | null;
  readonly purpose: Purpose;
  /** Commit that HEAD is to be; a branch without one where it is null. */
  readonly head?: string | null;
  readonly refs?: ReadonlyMap<string, string>;
  /** Lines of a list of ignored files. */
  readonly excludes?: string;
  readonly index?: string;
  /** New objects stay, in `common`. */
  readonly keepsObjects?: boolean;
  readonly format?: Format;
  readonly url?: LargeFiles;
};

/**
 * Address that the user's large-file extension asks for what it writes. False where it may ask
 * none, because the files are a stranger's head's and name addresses of their own: it leaves
 * pointers.
 */
export type LargeFiles = string | false;

/** Makes a repository of ours for some work, and takes it away after it. */
export type Own = <T>(
  seed: Seed,
  work: (where: Extract<Where, { kind: "own" }>) => Promise<T>,
) => Promise<T>;

/** Where they stand in a state root, each for as long as it is used. */
export const ownFolder = (stateRoot: string): string => join(stateRoot, "git");

/** Without a state root each stands in a folder that the system makes for this process alone. */
export function createOwn(stateRoot: string | null): Own {
  return async (seed, work) => {
    const folder =
      stateRoot === null
        ? await mkdtemp(join(tmpdir(), "loop-git-"))
        : join(ownFolder(stateRoot), `${randomUUID()}.borrower`);
    try {
      return await work({ kind: "own", repository: await makeOwn(join(folder, "git"), seed) });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

/**
 * Written by hand: what `git init` makes depends on the user's configuration, and takes a process.
 */
export async function makeOwn(gitDir: string, seed: Seed): Promise<OwnRepository> {
  await rm(gitDir, { recursive: true, force: true });
  for (const name of ["info", "objects/info", "objects/pack", "refs/heads"])
    await mkdir(join(gitDir, name), { recursive: true, mode: 0o700 });
  const objects = join(seed.common, "objects");
  const ids = [seed.head ?? "", ...(seed.refs?.values() ?? [])];
  const format = seed.format ?? (ids.some((id) => id.length === 64) ? "sha256" : "sha1");
  await writeFile(join(gitDir, "HEAD"), `${seed.head ?? "ref: refs/heads/none"}\n`);
  await writeFile(join(gitDir, "config"), configOf(format, seed));
  await writeFile(join(gitDir, "objects/info/alternates"), encodeName(`${objects}\n`));
  await writeFile(
    join(gitDir, "packed-refs"),
    encodeName([...(seed.refs ?? [])].map(([name, id]) => `${id} ${name}\n`).join("")),
  );
  if (seed.purpose === "look")
    await writeFile(
      join(gitDir, "info/attributes"),
      "* -text -filter -ident -working-tree-encoding\n",
    );
  if (seed.excludes !== undefined)
    await writeFile(join(gitDir, "info/exclude"), encodeName(seed.excludes));
  const shallow = await readPlain(join(seed.common, "shallow"), 16 * 1024 ** 2);
  if (typeof shallow !== "string") await writeFile(join(gitDir, "shallow"), shallow);
  return {
    gitDir,
    workTree: seed.workTree,
    index: seed.index ?? join(gitDir, "index"),
    objects: seed.keepsObjects === true ? objects : null,
    lent: await lentTo(seed.common),
    purpose: seed.purpose,
  };
}

function configOf(format: Format, { common, purpose, url }: Seed): string {
  const largeFiles = [
    `storage = ${quoted(join(common, "lfs"))}`,
    ...(url === false ? noneAsked : []),
  ];
  return sections([
    ["core", [...coreOf(format), "logAllRefUpdates = false", "splitIndex = false"]],
    formatSection(format),
    ['remote "origin"', typeof url === "string" ? [`url = ${quoted(url)}`] : []],
    ["lfs", purpose === "write-files" ? largeFiles : []],
  ]);
}

/**
 * Git's configuration beats `.lfsconfig`. Without an address of ours, some versions connect to the
 * one there before they know that nothing is to be downloaded.
 */
const noneAsked = ["fetchExclude = *", "url = https://large-files.invalid"];

/** Configuration of a new repository, as git writes it. */
export const usualConfig = (format: Format): string =>
  sections([["core", [...coreOf(format), "logAllRefUpdates = true"]], formatSection(format)]);

type Format = "sha1" | "sha256";
type Section = readonly [name: string, lines: readonly string[]];
const formatSection = (format: Format): Section => [
  "extensions",
  format === "sha256" ? ["objectFormat = sha256"] : [],
];

function coreOf(format: Format): readonly string[] {
  const folds = process.platform === "darwin" || process.platform === "win32";
  const isWindows = process.platform === "win32";
  return [
    `repositoryFormatVersion = ${format === "sha256" ? 1 : 0}`,
    "bare = false",
    `fileMode = ${!isWindows}`,
    `symlinks = ${!isWindows}`,
    `ignoreCase = ${folds}`,
    ...(process.platform === "darwin" ? ["precomposeUnicode = true"] : []),
  ];
}

function sections(parts: readonly Section[]): string {
  const text = ([name, lines]: Section): string =>
    [`[${name}]\n`, ...lines.map((line) => `\t${line}\n`)].join("");
  return parts
    .filter(([, lines]) => lines.length > 0)
    .map(text)
    .join("");
}

export const quoted = (text: string): string =>
  `"${text.replaceAll(/[\\"]/g, (character) => `\\${character}`).replaceAll("\n", "\\n")}"`;

/**
 * Copies an index, with the parts that a split one shares, which git looks for in `folder`. Nothing
 * is copied through a link or out of a pipe.
 */
export async function copyIndex(record: string, target: string, folder: string): Promise<void> {
  await copyPlainFile(join(record, "index"), target);
  await copyIndexParts(record, folder);
}

/** Parts of a split index, which git looks for in its own folder. */
export async function copyIndexParts(record: string, folder: string): Promise<void> {
  for (const name of await readdir(record))
    if (name.startsWith("sharedindex."))
      await copyPlainFile(join(record, name), join(folder, name));
}

async function copyPlainFile(from: string, to: string): Promise<void> {
  const stat = await lstat(from).catch(ifAbsent(null));
  if (stat === null) return;
  if (!stat.isFile()) throw new Error(`${from} is no plain file, but a link or the like`);
  const handle = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile())
      throw new Error(`${from} is no plain file, but a link or the like`);
    await writeFile(to, handle.createReadStream({ autoClose: false }));
  } finally {
    await handle.close();
  }
}
