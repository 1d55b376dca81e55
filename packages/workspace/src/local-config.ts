import {
  between,
  either,
  flag,
  flagOr,
  never,
  number,
  path,
  refspec,
  type Shape,
  text,
  word,
} from "./git-config-shapes.ts";
import { hooksFolderOf } from "./hooks-folder.ts";
import { isProtected } from "./protected-paths.ts";

/**
 * One line of a repository's own configuration. `key` as git prints it: section and name in lower
 * case, subsection as it is.
 */
export type ConfigEntry = { readonly key: string; readonly value: string };

function isProtectedFolder(value: string): boolean {
  const folder = hooksFolderOf(value);
  return folder !== null && isProtected(folder);
}

const rebaseWords = flagOr("merges", "interactive", "preserve");

/**
 * What a repository's own configuration may hold. Everything else could run a program or lead git
 * elsewhere, and a value that git does not understand would end every command of git's in the whole
 * repository.
 */
const plainKeys: ReadonlyMap<string, Shape> = new Map([
  ...below("core", {
    repositoryformatversion: between(0, 1),
    bare: never,
    logallrefupdates: flagOr("always"),
    autocrlf: flagOr("input"),
    eol: word("lf", "crlf", "native"),
    safecrlf: flagOr("warn"),
    untrackedcache: flagOr("keep"),
    abbrev: either(word("auto", "no", "off", "false"), between(4, 64)),
    whitespace: text,
    compression: between(-1, 9),
  }),
  ...below(
    "core",
    all(
      flag,
      "filemode",
      "ignorecase",
      "precomposeunicode",
      "symlinks",
      "longpaths",
      "sparsecheckout",
      "sparsecheckoutcone",
      "quotepath",
      "splitindex",
    ),
  ),
  ...below("extensions", {
    objectformat: word("sha1", "sha256"),
    compatobjectformat: word("sha1", "sha256"),
    refstorage: word("files", "reftable"),
    partialclone: text,
    ...all(flag, "worktreeconfig", "preciousobjects", "relativeworktrees"),
  }),
  ...below("user", all(text, "name", "email", "signingkey")),
  ...["author", "committer"].flatMap((section) => below(section, all(text, "name", "email"))),
  ...below("commit", { gpgsign: flag, verbose: either(flag, number) }),
  ...below("tag", { gpgsign: flag }),
  ...below("init", { defaultbranch: text }),
  ...below("push", {
    default: word("nothing", "current", "upstream", "tracking", "simple", "matching"),
    autosetupremote: flag,
    followtags: flagOr(),
  }),
  ...below("pull", { rebase: rebaseWords, ff: flagOr("only") }),
  ...below("fetch", {
    prune: flag,
    prunetags: flag,
    parallel: between(0, 1_000),
    recursesubmodules: flagOr("on-demand"),
  }),
  ...below("rebase", all(flag, "autostash", "autosquash")),
  ...below("rerere", all(flag, "enabled", "autoupdate")),
  ...below("merge", {
    conflictstyle: word("merge", "diff3", "zdiff3"),
    ff: flagOr("only"),
    renames: flagOr("copies", "copy"),
  }),
  ...below("diff", {
    algorithm: word("default", "myers", "minimal", "patience", "histogram"),
    renames: flagOr("copies", "copy"),
    colormoved: flagOr("default", "plain", "blocks", "zebra", "dimmed-zebra", "dimmed_zebra"),
  }),
  ...below("color", { ui: flagOr("always", "never", "auto") }),
  ...below("gc", { auto: number }),
  ...below("maintenance", { auto: flag, strategy: word("none", "gc", "incremental", "geometric") }),
  ...below("index", {
    version: between(2, 4),
    threads: either(flag, between(0, 1_000)),
    sparse: flag,
  }),
  ...below("feature", { manyfiles: flag }),
  ...below("worktree", { guessremote: flag }),
  ...below("branch", {
    autosetupmerge: flagOr("always", "inherit", "simple"),
    autosetuprebase: word("never", "local", "remote", "always"),
  }),
  ...below("submodule", { active: text, recurse: flag }),
  ...below("lfs", { repositoryformatversion: number }),
  // Git's own monitor; any other value is a program.
  ...below("core", { fsmonitor: flag }),
  // What a project's install script sets, as husky does. Of such a folder no stranger's head has
  // files of its own; in any other one it would choose what commits run.
  ...below("core", { hookspath: isProtectedFolder }),
]);

/** Names that are allowed below any subsection: `remote.<name>.url` and the like. */
const namedKeys: Readonly<Record<string, Readonly<Record<string, Shape>>>> = {
  remote: {
    fetch: refspec,
    push: either(refspec, word(":", "+:")),
    tagopt: word("--tags", "--no-tags"),
    ...all(flag, "prune", "promisor", "skipfetchall"),
    ...all(text, "url", "pushurl", "partialclonefilter", "gh-resolved", "followremotehead"),
  },
  branch: {
    rebase: rebaseWords,
    ...all(
      text,
      "remote",
      "merge",
      "pushremote",
      "description",
      "vscode-merge-base",
      "gh-merge-base",
      "github-pr-owner-number",
    ),
  },
  submodule: {
    ignore: word("none", "untracked", "dirty", "all"),
    active: flag,
    ...all(text, "url", "branch"),
  },
  lfs: { access: text, locksverify: flag },
};

/**
 * Lines that the large-file extension writes by itself. Any other value under these keys is not its
 * own.
 */
const largeFiles: ReadonlySet<string> = new Set([
  "filter.lfs.clean=git-lfs clean -- %f",
  "filter.lfs.smudge=git-lfs smudge -- %f",
  "filter.lfs.process=git-lfs filter-process",
  "filter.lfs.required=true",
]);

/** The keys that must go before git is used in the repository, each once, in order. Pure. */
export function offendingKeys(entries: readonly ConfigEntry[]): readonly string[] {
  return [...new Set(entries.filter((entry) => !isAllowed(entry)).map((entry) => entry.key))];
}

function isAllowed(entry: ConfigEntry): boolean {
  const shape = plainKeys.get(entry.key);
  if (shape !== undefined) return shape(entry.value);
  // Ours, for the one work tree whose configuration was restored from a base.
  if (
    entry.key === "core.excludesfile" &&
    path(entry.value) &&
    entry.value.endsWith("/loop-exclude")
  )
    return true;
  if (largeFiles.has(`${entry.key}=${entry.value}`)) return true;
  const first = entry.key.indexOf(".");
  const last = entry.key.lastIndexOf(".");
  const names = first === last ? undefined : namedKeys[entry.key.slice(0, first)];
  const named = Object.entries(names ?? {}).find(([name]) => name === entry.key.slice(last + 1));
  return named?.[1](entry.value) ?? false;
}

function below(
  section: string,
  keys: Readonly<Record<string, Shape>>,
): readonly (readonly [string, Shape])[] {
  return Object.entries(keys).map(([name, shape]) => [`${section}.${name}`, shape]);
}

function all(shape: Shape, ...names: readonly string[]): Readonly<Record<string, Shape>> {
  return Object.fromEntries(names.map((name) => [name, shape]));
}

/**
 * Reads what `git config --list -z` printed: `key`, newline, value, zero byte; a key alone has no
 * value.
 */
export function parseConfigList(text: string): readonly ConfigEntry[] {
  const rows = text.split("\0").filter((row) => row !== "");
  return rows.map((row) => {
    const end = row.indexOf("\n");
    return end < 0
      ? { key: row, value: "" }
      : { key: row.slice(0, end), value: row.slice(end + 1) };
  });
}
