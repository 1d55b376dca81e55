import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { CheckoutRequest, Lock } from "@loopwork/core/ports";
import { createWorkspace, type WorkspaceOptions } from "../src/index.ts";

/**
 * A folder of its own with a bare remote, a home and a state root; everything real, removed at the
 * end.
 */
export type Scratch = ReturnType<typeof createScratch>;

export function createScratch() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "workspace-")));
  const home = join(folder, "home");
  const remotes = join(folder, "remotes");
  const source = join(folder, "source");
  cpSync(template(), folder, { recursive: true });
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
  const git = (cwd: string, ...args: string[]): string =>
    execFileSync(
      "git",
      [
        "-c",
        "user.name=maria",
        "-c",
        "user.email=maria@practice.invalid",
        "-c",
        "protocol.file.allow=always",
        ...args,
      ],
      { cwd, encoding: "utf8", env, stdio: ["ignore", "pipe", "pipe"] },
    ).trim();
  // The shell's tool hands bytes on as arguments; a command line of ours is text.
  const gitBytes = (cwd: string, ...args: string[]): string =>
    execFileSync(
      "xargs",
      ["-0", "git", "-c", "user.name=maria", "-c", "user.email=maria@practice.invalid"],
      {
        cwd,
        encoding: "latin1",
        env,
        input: Buffer.from(args.map((each) => `${each}\0`).join(""), "latin1"),
        stdio: ["pipe", "pipe", "pipe"],
      },
    );
  const write = (root: string, files: Readonly<Record<string, string>>): void => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  };
  const commit = (files: Readonly<Record<string, string>>, branch = "main"): string => {
    if (git(source, "branch", "--show-current") !== branch)
      git(source, "switch", "-q", "-c", branch);
    write(source, files);
    git(source, "add", "-A", "-f");
    git(source, "commit", "-q", "--no-verify", "--allow-empty", "-m", "work");
    git(source, "push", "-q", join(remotes, "garden.git"), `HEAD:refs/heads/${branch}`);
    const sha = git(source, "rev-parse", "HEAD");
    if (branch !== "main") git(source, "switch", "-q", "main");
    return sha;
  };
  /** A stranger's branch `patch` on the remote: main with other files, and without some of its own. */
  const offer = (files: Readonly<Record<string, string>>, gone: readonly string[] = []): void => {
    const plainly = ["-c", "core.hooksPath=/dev/null", "-c", "core.autocrlf=false"];
    git(source, "switch", "-q", "-c", "patch");
    if (gone.length > 0) git(source, "rm", "-q", "-r", "--", ...gone);
    write(source, files);
    git(source, ...plainly, "add", "-f", "--", ...Object.keys(files));
    git(source, ...plainly, "commit", "-q", "--no-verify", "-m", "patch");
    git(source, ...plainly, "push", "-q", join(remotes, "garden.git"), "patch");
    git(source, ...plainly, "switch", "-q", "-f", "main");
  };
  const notes: string[] = [];
  const options: WorkspaceOptions = {
    root: join(folder, "root"),
    spawnWorkdir: source,
    home,
    stateRoot: join(folder, "state"),
    locks: createTestLocks(),
    strategy: "worktree",
    keepCheckoutOnClose: false,
    ownBase: `file://${remotes}/`,
    env,
    onNote: (note) => notes.push(note),
    onHardened: (_clone, removed) => notes.push(...removed),
  };
  const tripwire = join(folder, "tripwire");
  const trap = join(folder, "trap.sh");
  writeFileSync(trap, `#!/bin/sh\necho fired >> ${tripwire}\nexit 1\n`);
  chmodSync(trap, 0o755);
  return {
    folder,
    home,
    remotes,
    source,
    env,
    git,
    /** Git by bytes: each character of an argument and of what is printed is one byte. */
    gitBytes,
    write,
    commit,
    offer,
    notes,
    options,
    /** Program that leaves a trace when it is run. */
    trap,
    tripwire,
    cloneUrl: `file://${join(remotes, "garden.git")}`,
    clone: join(folder, "root", "example.org", "maria", "garden"),
    /** Where the strategy `clone` puts the checkout of a work item of this repository. */
    ownClone: (number: number) =>
      join(
        folder,
        "root",
        ".work-items",
        `maria+garden+${number}`,
        "example.org",
        "maria",
        "garden",
      ),
    workspace: createWorkspace(options),
    stop: () => rmSync(folder, { recursive: true, force: true }),
  };
}

let made: string | null = null;
process.once("exit", () => {
  if (made !== null) rmSync(made, { recursive: true, force: true });
});

/** A home, a repository with one commit and its remote, made once per process and copied. */
function template(): string {
  if (made !== null) return made;
  const folder = mkdtempSync(join(tmpdir(), "workspace-template-"));
  const source = join(folder, "source");
  for (const path of [join(folder, "home"), join(folder, "remotes"), join(source, "src")])
    mkdirSync(path, { recursive: true });
  const git = (cwd: string, ...args: string[]): void =>
    void execFileSync(
      "git",
      ["-c", "user.name=maria", "-c", "user.email=maria@practice.invalid", ...args],
      {
        cwd,
        env: { PATH: process.env["PATH"], HOME: join(folder, "home"), GIT_CONFIG_NOSYSTEM: "1" },
        stdio: "ignore",
      },
    );
  writeFileSync(join(source, "README.md"), "# Garden\n");
  writeFileSync(join(source, "src", "gate.txt"), "closed\n");
  git(source, "init", "-q", "-b", "main");
  git(source, "add", "-A");
  git(source, "commit", "-q", "-m", "work");
  git(folder, "clone", "-q", "--bare", source, join(folder, "remotes", "garden.git"));
  git(join(folder, "remotes", "garden.git"), "remote", "remove", "origin");
  made = folder;
  return folder;
}

export function requestFor(
  scratch: Pick<Scratch, "cloneUrl">,
  number = 7,
  more: Partial<CheckoutRequest> = {},
): CheckoutRequest {
  return {
    workItem: { host: null, owner: "Maria", repo: "garden", number },
    repository: {
      host: "example.org",
      owner: "Maria",
      name: "garden",
      cloneUrl: scratch.cloneUrl,
      defaultBranch: "main",
    },
    headBranch: null,
    ...more,
  };
}

/** Locks inside one process: enough where the test is not about other processes. */
export function createTestLocks(): {
  readonly acquire: Lock["acquire"];
  readonly held: Set<string>;
} {
  const held = new Set<string>();
  return {
    held,
    acquire: async (name) => {
      if (held.has(name)) return null;
      held.add(name);
      return { name, release: async () => void held.delete(name) };
    },
  };
}
