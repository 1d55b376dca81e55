import { spawn } from "node:child_process";

/**
 * Runs git with no configuration but its own and returns what it printed. Rejects with git's own
 * words.
 */
export function git(directory: string, args: readonly string[], input = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      "git",
      ["-c", "init.defaultBranch=main", "-c", "gc.auto=0", "-c", "maintenance.auto=false", ...args],
      { cwd: directory, env: gitEnvironment(), stdio: ["pipe", "pipe", "pipe"] },
    );
    let out = "";
    let err = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve(out) : reject(new Error(`git ${args.join(" ")}: ${err.trim()}`)),
    );
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

/** The parent's environment without its git variables and personal git configuration. */
export function gitEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  return {
    ...Object.fromEntries(kept),
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
  };
}

/** Makes a bare repository whose default branch has one commit with these files. */
export async function createBare(
  directory: string,
  branch: string,
  files: Readonly<Record<string, string>>,
  at: number,
): Promise<void> {
  await git(".", ["init", "--quiet", "--bare", `--initial-branch=${branch}`, directory]);
  await git(directory, ["config", "http.receivepack", "true"]);
  await commitFiles(directory, { branch, message: "First commit", author: "practice", files, at });
}

export type NewCommit = {
  readonly branch: string;
  readonly message: string;
  readonly author: string;
  readonly files: Readonly<Record<string, string>>;
  readonly at: number;
};

/**
 * Adds one commit to a branch (made from the repository's HEAD branch when it is new) and returns
 * its id.
 */
export async function commitFiles(directory: string, commit: NewCommit): Promise<string> {
  const parent =
    (await headOf(directory, commit.branch)) ??
    (await git(directory, ["rev-parse", "--verify", "--quiet", "HEAD"]).catch(() => "")).trim();
  const who = `${commit.author} <${commit.author.replace(/[^A-Za-z0-9-]/g, "")}@practice.invalid> ${Math.floor(commit.at / 1000)} +0000`;
  const changes = Object.entries(commit.files).map(
    ([path, text]) => `M 100644 inline ${JSON.stringify(path)}\n${data(text)}`,
  );
  const from = parent === "" ? "" : `from ${parent}\n`;
  await git(
    directory,
    ["fast-import", "--quiet", "--force"],
    `commit refs/heads/${commit.branch}\nauthor ${who}\ncommitter ${who}\n${data(commit.message)}${from}${changes.join("")}\n`,
  );
  const sha = await headOf(directory, commit.branch);
  if (sha === null) throw new Error(`the commit on ${commit.branch} is not there`);
  return sha;
}

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;

/** Commit of a branch; null when there is no such branch. */
export async function headOf(directory: string, branch: string): Promise<string | null> {
  const found = await git(directory, [
    "rev-parse",
    "--verify",
    "--quiet",
    `refs/heads/${branch}^{commit}`,
  ]).catch(() => "");
  return found.trim() === "" ? null : found.trim();
}

/** Names of the branches that hold the commit. */
export async function branchesWith(directory: string, sha: string): Promise<readonly string[]> {
  const found = await git(directory, [
    "for-each-ref",
    "--format=%(refname:lstrip=2)",
    `--contains=${sha}`,
    "refs/heads/",
  ]).catch(() => "");
  return found.split("\n").filter((name) => name !== "");
}

/** What `head` changes since it left `base`, as a unified diff. */
export function diffBetween(directory: string, base: string, head: string): Promise<string> {
  return git(directory, ["diff", `${base}...${head}`]);
}

/** Merges `head` into `branch` with a merge commit; rejects when they conflict. */
export async function mergeInto(
  directory: string,
  branch: string,
  head: string,
  message: string,
  at: number,
): Promise<string> {
  const base = await headOf(directory, branch);
  if (base === null) throw new Error(`there is no branch ${branch}`);
  // Only git 2.38 and later can merge without a work tree; a branch that is merely ahead needs no
  // merging.
  const ahead = (await git(directory, ["merge-base", base, head])).trim() === base;
  const tree = ahead
    ? (await git(directory, ["rev-parse", `${head}^{tree}`])).trim()
    : ((await git(directory, ["merge-tree", "--write-tree", base, head])).split("\n")[0] ?? "");
  const identity = ["-c", "user.name=practice", "-c", "user.email=practice@practice.invalid"];
  const commit = (
    await git(directory, [
      ...identity,
      "commit-tree",
      tree,
      "-p",
      base,
      "-p",
      head,
      "-m",
      `${message} (${at})`,
    ])
  ).trim();
  await git(directory, ["update-ref", `refs/heads/${branch}`, commit, base]);
  return commit;
}
