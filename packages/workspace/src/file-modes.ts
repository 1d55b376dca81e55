import { chmod, lstat, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { ifAbsent } from "./if-absent.ts";
import { folderOf, type Git, type Where } from "./git.ts";
import { fromList } from "./nul-lists.ts";
import { entriesOf, fileAt, shownName } from "./names.ts";

/**
 * What git does not keep of a checkout: who may read, write and run each file and folder, and
 * folders with nothing in them. Modes are those of `chmod`, without the kind of file. Ignored files
 * and repositories inside are not part of it.
 */
export type Rights = {
  /**
   * What a new file, program and folder got there: the mode of everything that is not among the
   * others.
   */
  readonly usual: Usual;
  /** By path. That of a folder ends with a slash; that of the checkout itself is empty. */
  readonly others: ReadonlyMap<string, number>;
  /** Folders that hold nothing that git would bring back. */
  readonly bare: readonly string[];
};

type Kind = "file" | "program" | "folder";
type Usual = Readonly<Record<Kind, number>>;

/** A file or a folder as it stands, its path as in `Rights`. */
type Standing = {
  readonly path: string;
  readonly kind: Kind;
  readonly mode: number;
  readonly bare: boolean;
};

/**
 * Looks at every file and folder that is not ignored. Rejects when there is one that cannot be
 * looked into: git would pass it over.
 */
export async function observeRights(git: Git, where: Where): Promise<Rights> {
  const umask = process.umask();
  const usual = { file: 0o666 & ~umask, program: 0o777 & ~umask, folder: 0o777 & ~umask };
  const standing = await everything(git, where);
  const others = standing
    .filter(({ kind, mode }) => mode !== usual[kind])
    .map(({ path, mode }) => [path, mode] as const);
  return {
    usual,
    others: new Map(others),
    bare: standing.filter(({ path, bare }) => bare && path !== "").map(({ path }) => path),
  };
}

/**
 * Makes the folders that are missing and gives everything but the checkout's own folder the rights
 * that it had: wider ones as well as narrower ones, whatever the umask is by now. Returns what a
 * person may want to know.
 */
export async function putRights(
  git: Git,
  where: Where,
  rights: Rights,
): Promise<readonly string[]> {
  const checkout = folderOf(where);
  const failed: string[] = [];
  for (const path of rights.bare)
    await makeFolder(checkout, path).catch(() => void failed.push(path));
  // What is in a folder comes before the folder, which may not be entered afterwards.
  for (const { path, kind, mode } of (await everything(git, where)).toReversed()) {
    const wanted = rights.others.get(path) ?? rights.usual[kind];
    if (path !== "" && mode !== wanted)
      await chmod(fileAt(checkout, path), wanted).catch(() => void failed.push(path));
  }
  return failed.length === 0
    ? []
    : [
        `${failed.length} files or folders have other rights than they had, the first is ${shownName(failed[0] ?? "")}`,
      ];
}

export const formatRights = ({ usual, others, bare }: Rights): string =>
  JSON.stringify({ version: 1, usual, others: [...others], bare });

/** Reads what `formatRights` wrote; null for anything else. */
export function parseRights(text: string): Rights | null {
  const parsed: unknown = JSON.parse(text);
  if (
    typeof parsed !== "object" ||
    parsed === null ||
    !("usual" in parsed) ||
    !("others" in parsed) ||
    !("bare" in parsed)
  )
    return null;
  const [usual, others, bare] = [
    parseUsual(parsed.usual),
    Array.isArray(parsed.others) ? parsed.others.flatMap((row: unknown) => parseRow(row)) : [],
    Array.isArray(parsed.bare)
      ? parsed.bare.filter((path: unknown) => typeof path === "string")
      : [],
  ];
  return usual === null ? null : { usual, others: new Map(others), bare };
}

function parseUsual(value: unknown): Usual | null {
  if (
    typeof value !== "object" ||
    value === null ||
    !("file" in value) ||
    !("program" in value) ||
    !("folder" in value)
  )
    return null;
  const { file, program, folder } = value;
  return isMode(file) && isMode(program) && isMode(folder) ? { file, program, folder } : null;
}

function parseRow(row: unknown): readonly (readonly [string, number])[] {
  const [path, mode]: readonly unknown[] = Array.isArray(row) ? row : [];
  return typeof path === "string" && isMode(mode) ? [[path, mode]] : [];
}

const isMode = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 0o7777;

/** Every folder before what is in it. Links are no part of it and are not followed. */
async function everything(git: Git, where: Where): Promise<readonly Standing[]> {
  const checkout = folderOf(where);
  const listed = await git.run(
    where,
    ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"],
    { minutes: 20 },
  );
  const ignored = new Set(
    fromList(listed).map((path) => (path.endsWith("/") ? path.slice(0, -1) : path)),
  );
  const look = async (folder: string): Promise<readonly Standing[]> => {
    const { mode } = await lstat(fileAt(checkout, folder));
    const names = (await entriesOf(`${checkout}/${folder}`)).map(({ name }) => name);
    const inner = folder !== "" && names.includes(".git");
    const paths = inner
      ? []
      : names
          .filter((name) => !(folder === "" && name === ".git"))
          .map((name) => `${folder}${name}`)
          .filter((path) => !ignored.has(path));
    const own: Standing = {
      path: folder,
      kind: "folder",
      mode: mode & 0o7777,
      bare: !inner && paths.length === 0,
    };
    const within = await Promise.all(
      paths.map(async (path): Promise<readonly Standing[]> => {
        const stat = await lstat(fileAt(checkout, path));
        if (stat.isDirectory()) return look(`${path}/`);
        return stat.isFile()
          ? [
              {
                path,
                kind: (stat.mode & 0o100) === 0 ? "file" : "program",
                mode: stat.mode & 0o7777,
                bare: false,
              },
            ]
          : [];
      }),
    );
    return [own, ...within.flat()];
  };
  return look("");
}

/**
 * A folder and those on the way to it, none of which may be anything else, such as a link that
 * leads elsewhere.
 */
async function makeFolder(checkout: string, path: string): Promise<void> {
  const parent = dirname(path);
  if (parent !== ".") await makeFolder(checkout, parent);
  const stat = await lstat(fileAt(checkout, path)).catch(ifAbsent(null));
  if (stat === null) await mkdir(fileAt(checkout, path));
  else if (!stat.isDirectory()) throw new Error(`${shownName(path)} is no folder`);
}
