import { lstat } from "node:fs/promises";
import { entriesOf, fileAt } from "./names.ts";

/**
 * Whether a checkout holds exactly the files of an index, each with the rights that git gives a new
 * one, and nothing that is also known under another name. Asks the file system, not git: what a
 * session told git does not count here. `rows` are those of `git ls-files --stage`.
 */
export async function isAsGitWritesIt(checkout: string, rows: readonly string[]): Promise<boolean> {
  const umask = process.umask();
  const expected = new Map(rows.map((row) => [row.slice(row.indexOf("\t") + 1), row.slice(0, 6)]));
  const folders = new Set<string>();
  for (const path of expected.keys())
    for (
      let end = path.lastIndexOf("/");
      end > 0 && !folders.has(path.slice(0, end));
      end = path.lastIndexOf("/", end - 1)
    )
      folders.add(path.slice(0, end));
  if (!hasMode((await lstat(checkout)).mode, 0o777, umask)) return false;
  let seen = 0;
  const look = async (folder: string): Promise<boolean> => {
    for (const { name } of await entriesOf(`${checkout}/${folder}`)) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (path === ".git") continue;
      const stat = await lstat(fileAt(checkout, path));
      const mode = expected.get(path);
      if (mode === undefined) {
        if (
          !stat.isDirectory() ||
          !folders.has(path) ||
          !hasMode(stat.mode, 0o777, umask) ||
          !(await look(path))
        )
          return false;
        continue;
      }
      seen += 1;
      if (!fits(mode, stat, umask)) return false;
      // The folder of a submodule that is not there is empty.
      if (mode === "160000" && (await entriesOf(`${checkout}/${path}`)).length > 0) return false;
    }
    return true;
  };
  return (
    (await look("")) &&
    [...expected.values()].filter((mode) => mode !== "160000").length <= seen &&
    seen <= expected.size
  );
}

type Stat = {
  readonly mode: number;
  readonly nlink: number;
  isFile(): boolean;
  isSymbolicLink(): boolean;
  isDirectory(): boolean;
};

function fits(mode: string, stat: Stat, umask: number): boolean {
  if (mode === "120000") return stat.isSymbolicLink();
  if (mode === "160000") return stat.isDirectory();
  return (
    stat.isFile() &&
    stat.nlink === 1 &&
    hasMode(stat.mode, mode === "100755" ? 0o777 : 0o666, umask)
  );
}

const hasMode = (mode: number, wanted: number, umask: number): boolean =>
  (mode & 0o7777) === (wanted & ~umask);
