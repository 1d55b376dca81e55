import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFetches } from "../src/fetches.ts";
import { createGit } from "../src/git.ts";
import { createWorkspace } from "../src/index.ts";
import type { Layout } from "../src/layout.ts";
import { createCheckouts } from "../src/workspace.ts";
import { leadsTo } from "../src/worktree-record.ts";
import { type Left, leftOf } from "./left-behind.ts";
import { createScratch, requestFor, type Scratch } from "./scratch.ts";

let scratch: Scratch;
beforeEach(() => void (scratch = createScratch()));
afterEach(() => scratch.stop());

/** A folder of the operator's, with files that git and loop have names for. */
function operatorsFolder(): string {
  const folder = join(scratch.folder, "operators");
  scratch.write(folder, {
    precious: "precious\n",
    HEAD: "ref: refs/heads/main\n",
    config: "[user]\n\tname = operator\n",
    "main/kept": "kept\n",
    "17/kept": "kept\n",
    ".loop/loop.env": "SECRET=1\n",
    "maria+garden+7/kept": "kept\n",
  });
  return folder;
}

/** Everything below a folder, links by where they lead. */
function contentOf(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      const stat = lstatSync(path);
      if (stat.isDirectory()) {
        const below = Object.entries(contentOf(path));
        return [[`${name}/`, ""], ...below.map(([each, text]) => [`${name}/${each}`, text])];
      }
      return [[name, stat.isSymbolicLink() ? readlinkSync(path) : readFileSync(path, "utf8")]];
    }),
  );
}

function link(path: string, target: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

/** Makes the service fetch into this checkout's clone and put HEAD on a commit again. */
function asIfUnfinished({ common, own }: Left): void {
  rmSync(join(common, "loop-fetched"), { force: true });
  writeFileSync(join(own, "HEAD"), "ref: refs/heads/none\n");
}

const remote = (): string => join(scratch.remotes, "garden.git");

type Plant = (left: Left, operators: string) => void;
const planted: readonly { readonly what: string; readonly plant: Plant }[] = [
  {
    what: "a folder of logs for a branch that the remote has dropped",
    plant(left, operators) {
      asIfUnfinished(left);
      link(join(left.common, "logs/refs/remotes/origin/feature"), operators);
      scratch.git(remote(), "update-ref", "-d", "refs/heads/feature/precious");
    },
  },
  {
    what: "a folder of logs for a branch that the remote has got",
    plant(left, operators) {
      asIfUnfinished(left);
      link(join(left.common, "logs/refs/remotes/origin/later"), operators);
      scratch.commit({ "q.txt": "q\n" }, "later/authorized_keys");
    },
  },
  {
    what: "the log of the default branch",
    plant(left, operators) {
      asIfUnfinished(left);
      scratch.git(left.workdir, "config", "user.name", "$(touch pwned)");
      scratch.git(left.workdir, "update-ref", "-d", "refs/remotes/origin/main");
      const log = join(left.common, "logs/refs/remotes/origin/main");
      link(log, join(operators, "precious"));
      link(join(left.common, "logs/refs/heads/main"), join(operators, "precious"));
      scratch.commit({ "newer.txt": "newer\n" });
    },
  },
  {
    what: "the log of HEAD",
    plant(left, operators) {
      asIfUnfinished(left);
      link(join(left.common, "logs/HEAD"), join(operators, "precious"));
    },
  },
  {
    what: "folders of loose objects",
    plant(left, operators) {
      asIfUnfinished(left);
      for (let at = 0; at < 256; at += 1) {
        const folder = join(left.common, "objects", at.toString(16).padStart(2, "0"));
        if (!existsSync(folder)) symlinkSync(operators, folder);
      }
      scratch.commit({ "newer.txt": "newer\n" });
    },
  },
  {
    what: "a folder of references",
    plant(left, operators) {
      asIfUnfinished(left);
      link(join(left.common, "refs/remotes/origin/feature"), operators);
      link(join(left.common, "refs/remotes/origin/later"), operators);
      scratch.git(remote(), "update-ref", "-d", "refs/heads/feature/precious");
      scratch.commit({ "q.txt": "q\n" }, "later/authorized_keys");
    },
  },
  {
    what: "the configuration, beside no HEAD",
    plant({ common }, operators) {
      link(join(common, "config"), join(operators, "config"));
      rmSync(join(common, "HEAD"));
    },
  },
  {
    what: "a configuration that is not there yet, beside no HEAD",
    plant({ common }, operators) {
      link(join(common, "config"), join(operators, "new-config"));
      rmSync(join(common, "HEAD"));
    },
  },
  {
    what: "what a new repository has, beside no HEAD",
    plant({ common }, operators) {
      for (const name of ["info", "hooks", "branches", "refs"]) link(join(common, name), operators);
      link(join(common, "description"), join(operators, "new-description"));
      rmSync(join(common, "HEAD"));
    },
  },
  {
    what: "HEAD, as a file of the operator's",
    plant: ({ common }, operators) => link(join(common, "HEAD"), join(operators, "precious")),
  },
  {
    what: "locks of references",
    plant(left, operators) {
      asIfUnfinished(left);
      for (const name of ["packed-refs.lock", "HEAD.lock", "refs/remotes/origin/main.lock"]) {
        link(join(left.common, name), join(operators, "precious"));
      }
      scratch.commit({ "newer.txt": "newer\n" });
    },
  },
  {
    what: "the folder of records of worktrees",
    plant({ common }, operators) {
      if (existsSync(join(common, "worktrees")))
        renameSync(join(common, "worktrees"), join(common, "moved"));
      link(join(common, "worktrees"), operators);
    },
  },
  {
    what: "the folder of large files",
    plant: ({ common }, operators) => link(join(common, "lfs/objects/ab"), operators),
  },
];

const strategies = ["worktree", "clone"] as const;

describe.each(strategies)(
  "a link that a turn leaves in the records of a %s leads nothing that is written or removed elsewhere",
  (strategy) => {
    test.each(planted)("$what", async ({ plant }) => {
      const operators = operatorsFolder();
      const before = contentOf(operators);
      scratch.commit({ "q.txt": "q\n" }, "feature/precious");
      const workspace = createWorkspace({ ...scratch.options, strategy });
      const made = await workspace.prepare(requestFor(scratch, 7));
      if (made.kind !== "ready") throw new Error(`${made.code}: ${made.detail}`);
      plant(
        leftOf(scratch, made.workdir, strategy === "clone" ? made.workdir : scratch.clone),
        operators,
      );
      const { workItem } = requestFor(scratch, 7);
      for (const number of [7, 8]) {
        await workspace.prepare(requestFor(scratch, number));
        expect(contentOf(operators)).toEqual(before);
      }
      await workspace.release(workItem, "cleaned-up");
      await workspace.undoCleanup(workItem);
      await workspace.release(workItem, "cleaned-up");
      expect(contentOf(operators)).toEqual(before);
      expect(existsSync(join(scratch.folder, "pwned"))).toBe(false);
    });
  },
);

describe.each(strategies)("a link in the place of a folder of loop's own (%s)", (strategy) => {
  test.each([".trash", ".removed"])("leads no release elsewhere: %s", async (name) => {
    const operators = operatorsFolder();
    const before = contentOf(operators);
    const workspace = createWorkspace({ ...scratch.options, strategy });
    const made = await workspace.prepare(requestFor(scratch, 7));
    if (made.kind !== "ready") throw new Error(made.detail);
    writeFileSync(join(made.workdir, "precious.txt"), "precious\n");
    link(join(scratch.folder, "root/.worktrees", name), operators);
    await workspace.release(requestFor(scratch, 7).workItem, "cleaned-up");
    expect(contentOf(operators)).toEqual(before);
  });

  test("leads nothing that is taken out of the pool or put there elsewhere", async () => {
    const operators = operatorsFolder();
    const before = contentOf(operators);
    const workspace = createWorkspace({ ...scratch.options, strategy, pool: 1 });
    const pool = join(scratch.folder, "root/.worktrees/example.org/maria/garden/.pool");
    await workspace.prepare(requestFor(scratch, 7));
    link(pool, operators);
    await workspace.prepare(requestFor(scratch, 8));
    await workspace.release(requestFor(scratch, 7).workItem, "cleaned-up");
    await workspace.prepare(requestFor(scratch, 9));
    expect(contentOf(operators)).toEqual(before);
    rmSync(pool);
    mkdirSync(pool);
    symlinkSync(operators, join(pool, "slot"));
    await workspace.prepare(requestFor(scratch, 10));
    await workspace.release(requestFor(scratch, 8).workItem, "cleaned-up");
    expect(contentOf(operators)).toEqual(before);
  });
});

describe.each(strategies)("the configuration of the base (%s)", (strategy) => {
  const untrusted = (): ReturnType<typeof requestFor> =>
    requestFor(scratch, 7, { headBranch: "evil", restoreFrom: { branch: null } });

  async function strangersCheckout(): Promise<Left> {
    scratch.commit({ "CLAUDE.md": "base\n", "src/AGENTS.md": "base\n" });
    scratch.commit({ "x/.loop/loop.env": "q\n", "x/k": "k\n", "src/AGENTS.md": "evil\n" }, "evil");
    const made = await createWorkspace({ ...scratch.options, strategy }).prepare(untrusted());
    if (made.kind !== "ready") throw new Error(`${made.code}: ${made.detail}`);
    return leftOf(scratch, made.workdir, strategy === "clone" ? made.workdir : scratch.clone);
  }

  test("is not restored through a link, whatever a turn takes out of `.git`", async () => {
    const operators = operatorsFolder();
    writeFileSync(join(operators, "AGENTS.md"), "the operator's\n");
    const before = contentOf(operators);
    const left = await strangersCheckout();
    for (const name of readdirSync(left.own)) {
      if (name.startsWith("loop-restored")) rmSync(join(left.own, name));
    }
    for (const name of ["x", "src"]) link(join(left.workdir, name), operators);
    await createWorkspace({ ...scratch.options, strategy }).prepare(untrusted());
    expect(contentOf(operators)).toEqual(before);
  });

  test("is not restored through a link where nobody knows what was restored", async () => {
    const operators = operatorsFolder();
    const before = contentOf(operators);
    const left = await strangersCheckout();
    for (const name of readdirSync(left.own)) {
      if (name.startsWith("loop-restored")) rmSync(join(left.own, name));
    }
    rmSync(join(scratch.folder, "root/.records"), { recursive: true, force: true });
    link(join(left.workdir, "x"), operators);
    await createWorkspace({ ...scratch.options, strategy }).prepare(untrusted());
    expect(contentOf(operators)).toEqual(before);
  });

  test("is of the commit that was fetched, not of one that a turn calls the base", async () => {
    const left = await strangersCheckout();
    for (const folder of [left.own, join(scratch.folder, "root/.records/restored")]) {
      for (const name of readdirSync(folder)) {
        if (name.startsWith("loop-restored") || name === "example.org")
          rmSync(join(folder, name), { recursive: true });
      }
    }
    // The head has orders of its own, so that its commit is a base of the stranger's choice.
    scratch.git(left.workdir, "update-ref", "refs/remotes/origin/main", "HEAD");
    writeFileSync(join(left.workdir, "src/AGENTS.md"), "evil\n");
    await createWorkspace({ ...scratch.options, strategy }).prepare(untrusted());
    expect(readFileSync(join(left.workdir, "src/AGENTS.md"), "utf8")).toBe("base\n");
  });
});

describe.each(strategies)("whether a repository has chosen loop (%s)", (strategy) => {
  const manifest = {
    ".loop/manifest.yaml": "version: 1\nproduct: loop\nproductVersion: 0.1.0\nfiles: []\n",
  };

  async function checkout(): Promise<string> {
    const made = await createWorkspace({ ...scratch.options, strategy }).prepare(
      requestFor(scratch, 7),
    );
    if (made.kind !== "ready") throw new Error(made.detail);
    return made.workdir;
  }

  test("is not for a turn to say by references of its own", async () => {
    const workdir = await checkout();
    const { hasChosenLoop } = createWorkspace({ ...scratch.options, strategy });
    scratch.write(workdir, manifest);
    scratch.git(workdir, "add", "-A", "-f");
    scratch.git(workdir, "commit", "-qm", "planted");
    for (const ref of [
      "refs/heads/master",
      "refs/remotes/origin/evil",
      "refs/remotes/origin/main",
      "refs/remotes/origin/master",
      "refs/tags/origin/main",
    ]) {
      scratch.git(workdir, "update-ref", ref, "HEAD");
    }
    scratch.git(workdir, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/evil");
    expect(await hasChosenLoop(workdir)).toBe(false);
  });

  test("is not for a turn to deny by references of its own", async () => {
    scratch.commit(manifest);
    const workdir = await checkout();
    const { hasChosenLoop } = createWorkspace({ ...scratch.options, strategy });
    expect(await hasChosenLoop(workdir)).toBe(true);
    scratch.git(workdir, "update-ref", "-d", "refs/remotes/origin/main");
    expect(await hasChosenLoop(workdir)).toBe(true);
  });

  test("follows the remote with the next fetch of the repository", async () => {
    const workdir = await checkout();
    const workspace = createWorkspace({ ...scratch.options, strategy });
    expect(await workspace.hasChosenLoop(workdir)).toBe(false);
    scratch.commit(manifest);
    await workspace.prepare(requestFor(scratch, 8));
    expect(await workspace.hasChosenLoop(workdir)).toBe(true);
  });

  /** What an earlier version leaves: it noted nothing of what it fetched. */
  async function ofEarlierVersion(): Promise<string> {
    scratch.commit(manifest);
    const workdir = await checkout();
    rmSync(join(scratch.folder, "root/.records"), { recursive: true });
    return workdir;
  }

  test("is found out once more for a checkout that an earlier version made", async () => {
    const workdir = await ofEarlierVersion();
    const workspace = createWorkspace({ ...scratch.options, strategy });
    const again = await workspace.prepare(requestFor(scratch, 7));
    expect(again).toMatchObject({ kind: "ready", created: false });
    expect(await workspace.hasChosenLoop(workdir)).toBe(true);
    expect(existsSync(join(scratch.folder, "root/.records/fetched"))).toBe(true);
  });

  test("is found out with one fetch: a checkout that stands gets no other", async () => {
    const workdir = await ofEarlierVersion();
    const { workspace, fetches } = counted();
    await workspace.prepare(requestFor(scratch, 7));
    await workspace.prepare(requestFor(scratch, 7));
    expect(fetches()).toBe(1);
    expect(await workspace.hasChosenLoop(workdir)).toBe(true);
  });

  test("holds up no work item while the remote is away, and is found out later", async () => {
    const workdir = await ofEarlierVersion();
    const workspace = createWorkspace({ ...scratch.options, strategy });
    renameSync(remote(), `${remote()}.away`);
    const again = await workspace.prepare(requestFor(scratch, 7));
    expect(again).toMatchObject({ kind: "ready", created: false, workdir });
    expect(scratch.notes.join("\n")).toContain("could not be fetched");
    renameSync(`${remote()}.away`, remote());
    const later = createWorkspace({ ...scratch.options, strategy });
    await later.prepare(requestFor(scratch, 7));
    expect(existsSync(join(scratch.folder, "root/.records/fetched"))).toBe(true);
    expect(await later.hasChosenLoop(workdir)).toBe(true);
  });

  test("is not asked of a remote again right after it gave no answer", async () => {
    await ofEarlierVersion();
    const { workspace, fetches } = counted();
    renameSync(remote(), `${remote()}.away`);
    for (const _ of [1, 2, 3]) await workspace.prepare(requestFor(scratch, 7));
    expect(fetches()).toBe(1);
  });

  function counted() {
    let fetches = 0;
    const git = createGit(scratch.env);
    const run: typeof git.run = (where, args, more) => {
      if (args[0] === "fetch") fetches += 1;
      return git.run(where, args, more);
    };
    const workspace = createCheckouts({ ...scratch.options, strategy }, { ...git, run });
    return { workspace, fetches: (): number => fetches };
  }
});

test("a fetch that failed counts as lately for ten minutes, or until one succeeds", async () => {
  let now = 0;
  const fetches = createFetches(() => now);
  const failing = (): Promise<never> => Promise.reject(new Error("no answer"));
  expect(fetches.failedLately("a")).toBe(false);
  await expect(fetches.since("a", 0, failing)).rejects.toThrow("no answer");
  expect([fetches.failedLately("a"), fetches.failedLately("b")]).toEqual([true, false]);
  now = 10 * 60_000;
  expect(fetches.failedLately("a")).toBe(false);
  await expect(fetches.since("a", now, failing)).rejects.toThrow("no answer");
  await fetches.since("a", now, async () => new Map());
  expect(fetches.failedLately("a")).toBe(false);
});

test.each(strategies)("a fetched head is the host's, whatever a session says (%s)", async (s) => {
  const evil = scratch.commit({ "evil.txt": "evil\n" });
  const head = scratch.commit({ "fork.txt": "fork\n" }, "fork");
  scratch.git(remote(), "update-ref", "refs/pull/12/head", head);
  const git = createGit(scratch.env);
  const changeRefs: typeof git.changeRefs = async (clone, changes) => {
    await git.changeRefs(clone, changes);
    const ref = "refs/loop/pull/12";
    if (changes.has(ref)) writeFileSync(join(clone, ".git", ref), `${evil}\n`);
  };
  const workspace = createCheckouts({ ...scratch.options, strategy: s }, { ...git, changeRefs });
  const made = await workspace.prepare(requestFor(scratch, 12, { headPull: 12 }));
  expect(made).toMatchObject({ head });
});

const noRecords = ["..", ".", "own/", "/own"];

test.each(noRecords)("a .git that leads to worktrees/%s leads nowhere", async (name) => {
  const layout: Layout = {
    kind: "worktree",
    clone: scratch.clone,
    cloneSegments: [],
    checkout: join(scratch.folder, "checkout"),
    checkoutSegments: [],
  };
  const say = (record: string): void =>
    scratch.write(layout.checkout, {
      ".git": `gitdir: ${scratch.clone}/.git/worktrees/${record}\n`,
    });
  say("own");
  expect(await leadsTo(layout)).toBe(join(scratch.clone, ".git/worktrees/own"));
  say(name);
  expect(await leadsTo(layout)).toBe(null);
});
