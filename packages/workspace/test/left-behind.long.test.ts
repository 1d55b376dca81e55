import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Salvage, Workspace } from "@loopwork/core/ports";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorkspace } from "../src/index.ts";
import { createCheckouts } from "../src/workspace.ts";
import { careless } from "./careless.ts";
import { type Left, leftOf, type Trap, traps } from "./left-behind.ts";
import { createScratch, requestFor, type Scratch } from "./scratch.ts";

let scratch: Scratch;
beforeEach(() => void (scratch = createScratch()));
afterEach(() => scratch.stop());

const fired = (): boolean => existsSync(scratch.tripwire);
const { workItem } = requestFor({ cloneUrl: "" });

/** A checkout in which a turn worked, and wrote a file that nobody has committed. */
async function afterTurn(strategy: "worktree" | "clone"): Promise<Left> {
  const made = await createWorkspace({ ...scratch.options, strategy }).prepare(
    requestFor(scratch, 7),
  );
  if (made.kind !== "ready") throw new Error(`${made.code}: ${made.detail}`);
  writeFileSync(join(made.workdir, "precious.txt"), "precious\n");
  return leftOf(scratch, made.workdir, strategy === "clone" ? made.workdir : scratch.clone);
}

/** Everything that the service does around a checkout once a turn has ended there. */
async function everything(
  workspace: Workspace & Salvage,
  left: Left,
  isKept: () => void,
): Promise<void> {
  const look = async (): Promise<void> => {
    await workspace.headOf(left.workdir);
    await workspace.changesOf(left.workdir);
    await workspace.unpushedOf(left.workdir);
    await workspace.copyOf(left.workdir, mkdtempSync(join(scratch.folder, "copy-")));
  };
  await look();
  // The next comment, another work item of the repository, the end of both, a second thought, and
  // the end again.
  await workspace.prepare(requestFor(scratch, 7));
  await look();
  await workspace.prepare(requestFor(scratch, 8));
  await workspace.release(workItem, "cleaned-up");
  isKept();
  await workspace.undoCleanup(workItem);
  isKept();
  await look();
  await workspace.release(workItem, "cleaned-up");
  isKept();
  await workspace.prepare(requestFor(scratch, 9));
  await workspace.release(requestFor(scratch, 8).workItem);
}

/** The uncommitted file is in the checkout, or in what was saved of it. */
function preciousIsKept(left: Left): void {
  if (existsSync(join(left.workdir, "precious.txt"))) return;
  const folder = join(scratch.folder, "state/salvage");
  const bundles = (existsSync(folder) ? readdirSync(folder) : [])
    .map((name) => join(folder, name, "work.bundle"))
    .filter((file) => existsSync(file));
  const reader = mkdtempSync(join(scratch.folder, "reader-"));
  scratch.git(reader, "clone", "-q", "--bare", join(scratch.remotes, "garden.git"), ".");
  const saved = bundles.some((file) => {
    scratch.git(reader, "fetch", "-q", file, "+refs/salvage/*:refs/salvage/*");
    return scratch
      .git(reader, "ls-tree", "--name-only", "refs/salvage/work")
      .split("\n")
      .includes("precious.txt");
  });
  expect(saved).toBe(true);
}

/** Git as it is, without any care. */
function naively(trap: Trap, left: Left): void {
  for (const args of trap.naive(left)) {
    try {
      execFileSync("git", [...args], {
        cwd: trap.from?.(left) ?? left.workdir,
        env: scratch.env,
        stdio: "ignore",
      });
    } catch {
      // A trap in the middle of a command breaks it; only whether it ran matters.
    }
  }
}

describe.each(["worktree", "clone"] as const)(
  "nothing that a turn leaves in a %s runs, and nothing is lost",
  (strategy) => {
    for (const trap of traps) {
      test(trap.what, async () => {
        const left = await afterTurn(strategy);
        trap.plant(left);
        rmSync(scratch.tripwire, { force: true });
        await everything(createWorkspace({ ...scratch.options, strategy }), left, () =>
          preciousIsKept(left),
        );
        expect(fired()).toBe(false);
      });

      test(`control: ${trap.what}: git as it is runs it`, async () => {
        const left = await afterTurn(strategy);
        trap.plant(left);
        rmSync(scratch.tripwire, { force: true });
        naively(trap, left);
        expect(fired()).toBe(true);
      });

      if (strategy === "clone") continue;
      test(`${trap.what}: ${trap.carelessly ? "a workspace that lets git discover repositories runs it" : "no command of a workspace gets to it"}`, async () => {
        const left = await afterTurn(strategy);
        trap.plant(left);
        rmSync(scratch.tripwire, { force: true });
        await everything(
          createCheckouts({ ...scratch.options, strategy }, careless(scratch)),
          left,
          () => undefined,
        ).catch(() => undefined);
        expect(fired()).toBe(trap.carelessly);
      });
    }
  },
);

test("a `git` that a turn leaves where PATH names a relative folder doesn't run", async () => {
  const left = await afterTurn("worktree");
  for (const folder of ["node_modules/.bin", "."]) {
    mkdirSync(join(left.workdir, folder), { recursive: true });
    writeFileSync(join(left.workdir, folder, "git"), `#!/bin/sh\nexec '${scratch.trap}'\n`, {
      mode: 0o755,
    });
  }
  const env = { ...scratch.env, PATH: `./node_modules/.bin::${scratch.env.PATH}` };
  await everything(createWorkspace({ ...scratch.options, env }), left, () => preciousIsKept(left));
  expect(fired()).toBe(false);
});

test("control: a `git` that a turn leaves there runs where PATH is taken as it is", async () => {
  const left = await afterTurn("worktree");
  writeFileSync(join(left.workdir, "git"), `#!/bin/sh\nexec '${scratch.trap}'\n`, { mode: 0o755 });
  expect(() =>
    execFileSync("git", ["status"], {
      cwd: left.workdir,
      env: { ...scratch.env, PATH: `:${scratch.env.PATH}` },
      stdio: "ignore",
    }),
  ).toThrow();
  expect(fired()).toBe(true);
});

/**
 * Files in the place of git's own that are none, or that git would take for something else. No
 * program: it must neither wait for one nor write through it.
 */
const oddities: readonly { readonly what: string; readonly plant: (left: Left) => void }[] = [
  {
    what: "a HEAD that is a link",
    plant: ({ own, s }) => link(join(own, "HEAD"), join(s.folder, "operators")),
  },
  { what: "a HEAD that is a pipe", plant: ({ own }) => pipe(join(own, "HEAD")) },
  {
    what: "a HEAD that is a gigabyte",
    plant: ({ own }) => truncateSync(join(own, "HEAD"), 1024 ** 3),
  },
  {
    what: "a HEAD that names a file elsewhere",
    plant: ({ own }) => writeFileSync(join(own, "HEAD"), "ref: refs/../../../../operators\n"),
  },
  {
    what: "an index that is a link",
    plant: ({ own, s }) => link(join(own, "index"), join(s.folder, "operators")),
  },
  { what: "an index that is a pipe", plant: ({ own }) => pipe(join(own, "index")) },
  { what: "no index", plant: ({ own }) => rmSync(join(own, "index")) },
  {
    what: "an index that is no index",
    plant: ({ own }) => writeFileSync(join(own, "index"), "DIRC"),
  },
  { what: "a lock of the index", plant: ({ own }) => writeFileSync(join(own, "index.lock"), "") },
  {
    what: "a split index",
    plant: ({ workdir, s }) => void s.git(workdir, "update-index", "--split-index"),
  },
  {
    what: "a split index whose other part is a pipe",
    plant: ({ workdir, own, s }) => (
      s.git(workdir, "update-index", "--split-index"),
      pipe(join(own, readdirSync(own).find((name) => name.startsWith("sharedindex.")) ?? ""))
    ),
  },
  {
    what: "a part of the files alone",
    plant: ({ workdir, s }) => void s.git(workdir, "sparse-checkout", "set", "none"),
  },
  {
    what: "a commit that another one stands for",
    plant: ({ workdir, s }) =>
      void s.git(
        workdir,
        "replace",
        "HEAD",
        s.git(workdir, "commit-tree", "HEAD^{tree}", "-m", "other"),
      ),
  },
  {
    what: "a graft",
    plant: ({ common, workdir, s }) => (
      mkdirSync(join(common, "info"), { recursive: true }),
      writeFileSync(join(common, "info/grafts"), `${s.git(workdir, "rev-parse", "HEAD")}\n`)
    ),
  },
  {
    what: "objects that are borrowed from nowhere",
    plant: ({ common }) =>
      writeFileSync(join(common, "objects/info/alternates"), "/nowhere/objects\n"),
  },
  {
    what: "a commit graph that is none",
    plant: ({ common }) => writeFileSync(join(common, "objects/info/commit-graph"), "CGPH"),
  },
  {
    what: "packed references that are a pipe",
    plant: ({ common }) => pipe(join(common, "packed-refs")),
  },
  {
    what: "references that are a link",
    plant: ({ common, s }) => link(join(common, "refs/remotes"), s.home),
  },
  {
    what: "a branch that is a link",
    plant: ({ common, s }) =>
      link(join(common, "refs/remotes/origin/main"), join(s.folder, "operators")),
  },
  {
    what: "objects that are a link",
    plant: ({ common, s }) => (
      renameSync(join(common, "objects"), join(s.folder, "objects")),
      symlinkSync(join(s.folder, "objects"), join(common, "objects"))
    ),
  },
  {
    what: "a folder of logs that is a link, while the remote goes on",
    plant: ({ common, s }) => (
      mkdirSync(join(common, "logs"), { recursive: true }),
      link(join(common, "logs/refs"), s.home),
      void s.commit({ "newer.txt": "newer\n" })
    ),
  },
  {
    what: "a log that is a pipe",
    plant: ({ own }) => (
      mkdirSync(join(own, "logs"), { recursive: true }),
      pipe(join(own, "logs/HEAD"))
    ),
  },
  {
    what: "links for what is written when files are fetched, while the remote goes on",
    plant: ({ common, s }) => (
      operatorsFor(s, common, ["loop-fetched"]),
      void s.commit({ "newer.txt": "newer\n" })
    ),
  },
  {
    what: "links for what is written beside a checkout's records",
    plant: ({ own, s }) =>
      operatorsFor(s, own, ["loop-folder", "loop-unwritten", "loop-restored.json", "loop-exclude"]),
  },
  {
    what: "links for what is written before it gets its name",
    plant: ({ own, s }) =>
      operatorsFor(
        s,
        own,
        ["HEAD", "loop-restored.json", "gitdir"].map((name) => `${name}.${process.pid}.next`),
      ),
  },
  {
    what: "a list of ignored files that is a link",
    plant: ({ common, s }) => operatorsFor(s, join(common, "info"), ["exclude"]),
  },
  { what: "a .git that is a pipe", plant: ({ workdir }) => pipe(join(workdir, ".git")) },
  { what: "no .git", plant: ({ workdir }) => rmSync(join(workdir, ".git"), { recursive: true }) },
];

/** Each of these names leads to a file of the operator's. */
function operatorsFor({ folder }: Scratch, at: string, names: readonly string[]): void {
  mkdirSync(at, { recursive: true });
  for (const name of names) link(join(at, name), join(folder, "operators"));
}

function pipe(path: string): void {
  rmSync(path, { recursive: true, force: true });
  execFileSync("mkfifo", [path]);
}

function link(path: string, target: string): void {
  rmSync(path, { recursive: true, force: true });
  symlinkSync(target, path);
}

describe.each(["worktree", "clone"] as const)(
  "nothing that a turn leaves in the records of a %s is waited for or written through, and nothing is lost",
  (strategy) => {
    test.each(oddities)("$what", async ({ plant }) => {
      const operators = join(scratch.folder, "operators");
      writeFileSync(operators, "the operator's own\n");
      const left = await afterTurn(strategy);
      const home = readdirSync(scratch.home);
      plant(left);
      await everything(createWorkspace({ ...scratch.options, strategy }), left, () =>
        preciousIsKept(left),
      );
      expect(readFileSync(operators, "utf8")).toBe("the operator's own\n");
      expect(readdirSync(scratch.home)).toEqual(home);
    });
  },
);
