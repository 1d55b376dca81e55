/** One line of a repository's own configuration. `key` as git prints it: section and name in lower case, subsection as it is. */
export type ConfigEntry = { readonly key: string; readonly value: string };

/** What a repository's own configuration may hold. Everything else could run a program or lead git elsewhere (W05, W06, W07). */
const plainKeys: ReadonlySet<string> = new Set([
  ...["repositoryformatversion", "filemode", "bare", "logallrefupdates", "ignorecase", "precomposeunicode", "symlinks", "autocrlf", "eol", "safecrlf", "longpaths", "sparsecheckout", "sparsecheckoutcone", "untrackedcache", "quotepath", "abbrev", "splitindex", "whitespace", "compression"].map((name) => `core.${name}`),
  ...["objectformat", "worktreeconfig", "partialclone", "refstorage", "compatobjectformat", "preciousobjects", "relativeworktrees"].map((name) => `extensions.${name}`),
  ...["user.name", "user.email", "user.signingkey", "author.name", "author.email", "committer.name", "committer.email", "commit.gpgsign", "tag.gpgsign", "commit.verbose", "init.defaultbranch"],
  ...["push.default", "push.autosetupremote", "push.followtags", "pull.rebase", "pull.ff", "fetch.prune", "fetch.prunetags", "fetch.parallel", "rebase.autostash", "rebase.autosquash", "rerere.enabled", "rerere.autoupdate", "merge.conflictstyle", "merge.ff", "merge.renames", "diff.algorithm", "diff.renames", "diff.colormoved", "color.ui"],
  ...["gc.auto", "maintenance.auto", "maintenance.strategy", "index.version", "index.threads", "index.sparse", "feature.manyfiles", "worktree.guessremote", "branch.autosetupmerge", "branch.autosetuprebase", "submodule.active", "lfs.repositoryformatversion"],
]);

/** Names that are allowed below any subsection: `remote.<name>.url` and the like. */
const namedKeys: Readonly<Record<string, ReadonlySet<string>>> = {
  remote: new Set(["url", "pushurl", "fetch", "push", "tagopt", "prune", "promisor", "partialclonefilter", "gh-resolved", "skipfetchall", "followremotehead"]),
  branch: new Set(["remote", "merge", "rebase", "pushremote", "description", "vscode-merge-base", "gh-merge-base", "github-pr-owner-number"]),
  submodule: new Set(["url", "active", "branch", "ignore"]),
  lfs: new Set(["access", "locksverify"]),
};

/** Keys that our command line overrides each time; they stay, because the user's own git in the checkout may want them. */
const overridden: ReadonlySet<string> = new Set(["core.hookspath", "core.fsmonitor", "core.pager", "core.editor", "submodule.recurse", "fetch.recursesubmodules"]);

/** Lines that the large-file extension writes by itself. Any other value under these keys is not its own. */
const largeFiles: ReadonlySet<string> = new Set(["filter.lfs.clean=git-lfs clean -- %f", "filter.lfs.smudge=git-lfs smudge -- %f", "filter.lfs.process=git-lfs filter-process", "filter.lfs.required=true"]);

/** The keys that must go before git is used in the repository, each once, in order. Pure. */
export function offendingKeys(entries: readonly ConfigEntry[]): readonly string[] {
  return [...new Set(entries.filter((entry) => !isAllowed(entry)).map((entry) => entry.key))];
}

function isAllowed(entry: ConfigEntry): boolean {
  if (plainKeys.has(entry.key) || overridden.has(entry.key)) return true;
  // Ours, for the one work tree whose configuration was restored from a base.
  if (entry.key === "core.excludesfile" && entry.value.endsWith("/loop-exclude")) return true;
  if (largeFiles.has(`${entry.key}=${entry.value}`)) return true;
  const first = entry.key.indexOf(".");
  const last = entry.key.lastIndexOf(".");
  const names = first === last ? undefined : namedKeys[entry.key.slice(0, first)];
  return names?.has(entry.key.slice(last + 1)) ?? false;
}

/** Reads what `git config --list -z` printed: `key`, newline, value, zero byte; a key alone has no value. */
export function parseConfigList(text: string): readonly ConfigEntry[] {
  const rows = text.split("\0").filter((row) => row !== "");
  return rows.map((row) => {
    const end = row.indexOf("\n");
    return end < 0 ? { key: row, value: "" } : { key: row.slice(0, end), value: row.slice(end + 1) };
  });
}
