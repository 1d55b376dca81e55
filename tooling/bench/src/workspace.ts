import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createLocks } from "@loopwork/store";
import { createWorkspace } from "@loopwork/workspace";
import { median } from "./numbers.ts";
import { makeRepository, type MadeRepository } from "./workspace/repository.ts";

const run = promisify(execFile);

/**
 * Result of `npm run bench -- workspace`; keys as in the document on measuring. Ratios below 1 are
 * faster than `git worktree add`.
 */
export type WorkspaceResult = {
  readonly ways: readonly {
    readonly name: string;
    readonly p50Ms: number;
    readonly ratioToWorktreeAdd: number;
  }[];
  readonly concurrent: { readonly adds: number; readonly failures: number };
};

export type WorkspaceBenchOptions = {
  readonly rounds?: number;
  readonly files?: number;
  /** Checkouts that are asked for at once, over four processes. */
  readonly adds?: number;
  readonly progress: (line: string) => void;
};

/** One way to a checkout of the newest commit: `make` is measured, the rest is not. */
type Way = {
  readonly name: string;
  before(round: number): Promise<void>;
  make(round: number): Promise<void>;
  after(round: number): Promise<void>;
};

/**
 * How long a work item waits for its checkout, on a memory file system: git alone without any
 * fetch, ours from nothing and ours from the pool (the question to the remote, locks, checks and
 * record included), and a whole clone. Ways take turns, every other round in reverse; between
 * rounds the default branch moves on, over commits that every clone has. Then many registrations at
 * once.
 */
export async function benchWorkspace({
  rounds = 15,
  files = 5_000,
  adds = 1_000,
  progress,
}: WorkspaceBenchOptions): Promise<WorkspaceResult> {
  const folder = mkdtempSync(
    join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "loop-workspace-"),
  );
  progress(
    `workspace: ${files} files under ${folder}${existsSync("/dev/shm") ? "" : ", which is no memory file system"}`,
  );
  try {
    const repository = makeRepository(join(folder, "large"), files, 60);
    const ways = [
      await worktreeAdd(folder, repository),
      ours("loop cold", 0, folder, repository),
      ours("loop from the pool", 1, folder, repository),
      fullClone(folder, repository),
    ];
    const times = new Map(ways.map(({ name }) => [name, [] as number[]]));
    for (let round = 0; round < rounds; round++) {
      await git(
        repository,
        repository.remote,
        "update-ref",
        "refs/heads/main",
        repository.commits[Math.min(30 + round, repository.commits.length - 1)] ?? "",
      );
      for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
        await way.before(round);
        const start = performance.now();
        await way.make(round);
        times.get(way.name)?.push(performance.now() - start);
        await way.after(round);
      }
      progress(
        `workspace: round ${round + 1}/${rounds} ${ways.map(({ name }) => `${name} ${Math.round(times.get(name)?.at(-1) ?? 0)} ms`).join(", ")}`,
      );
    }
    const p50 = (name: string): number => median(times.get(name) ?? []);
    const base = p50(ways[0]?.name ?? "");
    const rows = ways.map(({ name }) => ({
      name,
      p50Ms: rounded(p50(name)),
      ratioToWorktreeAdd: rounded(p50(name) / base),
    }));
    return { ways: rows, concurrent: await manyAtOnce(join(folder, "small"), adds, progress) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What git alone does, from a clone that has everything already. */
async function worktreeAdd(folder: string, repository: MadeRepository): Promise<Way> {
  const clone = join(folder, "plain");
  await git(repository, folder, "clone", "-q", `file://${repository.remote}`, clone);
  const at = (round: number): string => join(folder, `plain-${round}`);
  return {
    name: "git worktree add",
    before: async () => void (await git(repository, clone, "fetch", "-q")),
    make: async (round) =>
      void (await git(
        repository,
        clone,
        "worktree",
        "add",
        "-q",
        "--detach",
        at(round),
        "origin/main",
      )),
    after: async (round) =>
      void (await git(repository, clone, "worktree", "remove", "--force", at(round))),
  };
}

function ours(name: string, pool: number, folder: string, repository: MadeRepository): Way {
  const own = join(folder, name.replaceAll(" ", "-"));
  const remotes = join(folder, "large", "remotes");
  const workspace = createWorkspace({
    root: join(own, "root"),
    spawnWorkdir: folder,
    home: repository.env["HOME"] ?? "",
    stateRoot: join(own, "state"),
    locks: createLocks(join(own, "locks")),
    strategy: "worktree",
    keepCheckoutOnClose: false,
    ownBase: `file://${remotes}/`,
    env: repository.env,
    pool,
  });
  const workItem = (round: number) => ({
    host: null,
    owner: "maria",
    repo: "garden",
    number: round + 1,
  });
  const prepare = async (number: number): Promise<void> => {
    const made = await workspace.prepare({
      workItem: workItem(number),
      repository: {
        host: "example.org",
        owner: "maria",
        name: "garden",
        cloneUrl: `file://${repository.remote}`,
        defaultBranch: "main",
      },
      headBranch: null,
    });
    if (made.kind === "failed") throw new Error(`${made.code}: ${made.detail}`);
  };
  const release = async (number: number): Promise<void> => {
    const released = await workspace.release(workItem(number));
    if (released.kind !== "released") throw new Error(JSON.stringify(released));
  };
  return {
    name,
    // The shared clone stands, as it does after the first work item; with a pool one worktree of
    // the round before does.
    before: async (round) => {
      if (round > 0) return;
      await prepare(10_000);
      await release(10_000);
    },
    make: prepare,
    after: release,
  };
}

function fullClone(folder: string, repository: MadeRepository): Way {
  const at = (round: number): string => join(folder, `full-${round}`);
  return {
    name: "git clone",
    before: () => Promise.resolve(),
    make: async (round) =>
      void (await git(repository, folder, "clone", "-q", `file://${repository.remote}`, at(round))),
    after: (round) => Promise.resolve(rmSync(at(round), { recursive: true, force: true })),
  };
}

/**
 * Four processes ask at the same time, each for a quarter; a small repository, because it is the
 * registration that is at stake.
 */
async function manyAtOnce(
  folder: string,
  adds: number,
  progress: (line: string) => void,
): Promise<WorkspaceResult["concurrent"]> {
  makeRepository(folder, 5, 2);
  const script = fileURLToPath(new URL("./workspace/register.ts", import.meta.url));
  const share = Math.ceil(adds / 4);
  const counts = [0, 1, 2, 3].map((at) => Math.max(0, Math.min(share, adds - at * share)));
  const start = performance.now();
  const ended = await Promise.all(
    counts.map((count, at) =>
      run(
        process.execPath,
        [...process.execArgv, script, folder, String(at * share), String(count)],
        { maxBuffer: 1 << 26 },
      ),
    ),
  );
  const failures = ended.reduce((sum, { stdout }) => sum + Number(stdout.trim()), 0);
  for (const { stderr } of ended) if (stderr !== "") progress(stderr.trim());
  progress(
    `workspace: ${adds} registrations by 4 processes in ${Math.round(performance.now() - start)} ms, ${failures} failures`,
  );
  return { adds, failures };
}

async function git(repository: MadeRepository, cwd: string, ...args: string[]): Promise<string> {
  return (
    await run("git", ["-c", "gc.auto=0", ...args], { cwd, env: { ...repository.env } })
  ).stdout.trim();
}

const rounded = (value: number): number => Number(value.toFixed(3));
