import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A made repository on disk: a bare remote whose `main` can be moved along its history. */
export type MadeRepository = {
  readonly remote: string;
  readonly commits: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

/**
 * `files` text files of about 8 KB in folders, and `commits` commits of which each changes 1 % of
 * them. The same for the same numbers.
 */
export function makeRepository(folder: string, files: number, commits: number): MadeRepository {
  const [source, remote, home] = [
    join(folder, "source"),
    join(folder, "remotes", "garden.git"),
    join(folder, "home"),
  ];
  for (const path of [source, dirname(remote), home]) mkdirSync(path, { recursive: true });
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
  const git = (cwd: string, ...args: string[]): string =>
    execFileSync(
      "git",
      [
        "-c",
        "user.name=bench",
        "-c",
        "user.email=bench@practice.invalid",
        "-c",
        "gc.auto=0",
        ...args,
      ],
      { cwd, env, encoding: "utf8", maxBuffer: 1 << 28 },
    ).trim();
  git(source, "init", "-q", "-b", "main");
  for (let at = 0; at < files; at++) write(join(source, pathOf(at)), at, 0);
  git(source, "add", "-A");
  git(source, "commit", "-q", "-m", "files");
  const step = Math.min(100, files); // Each commit changes a file at least, also of a small repository.
  for (let commit = 1; commit < commits; commit++) {
    for (let at = commit % step; at < files; at += step)
      write(join(source, pathOf(at)), at, commit);
    git(source, "commit", "-q", "-a", "-m", `commit ${commit}`);
  }
  git(folder, "clone", "-q", "--bare", source, remote);
  git(remote, "repack", "-a", "-d", "-q");
  // Every commit is on a branch from the start: what moves is `main`, and no way has to bring
  // objects.
  git(remote, "branch", "newest", "main");
  return { remote, env, commits: git(remote, "rev-list", "--reverse", "main").split("\n") };
}

const pathOf = (at: number): string =>
  join(`area-${at % 20}`, `part-${at % 100}`, `file-${at}.txt`);

function write(file: string, at: number, commit: number): void {
  mkdirSync(dirname(file), { recursive: true });
  const lines = Array.from(
    { length: 160 },
    (_, line) =>
      `${at}.${line}: what stands here is of commit ${line % 16 === 0 ? commit : 0}, ${(at * 31 + line * 17) % 9973}`,
  );
  writeFileSync(file, `${lines.join("\n")}\n`);
}
