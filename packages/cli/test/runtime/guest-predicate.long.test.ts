import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFixedWorkspace } from "@loopwork/workspace";
import { describe, expect, onTestFinished, test } from "vitest";
import { lookAtCheckouts } from "../../src/start/checkouts.ts";
import { choose } from "../support/choose-loop.ts";
import { dump, writeGraph } from "../support/small-graph.ts";
import { until } from "../support/until.ts";
import { createWorld } from "../support/world.ts";

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync(
    "git",
    [
      "-c",
      "user.name=ada",
      "-c",
      "user.email=ada@loop.invalid",
      "-c",
      "init.defaultBranch=main",
      ...args,
    ],
    { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
  ).trim();

/** A repository on a remote, and a clone of it as a person has one. */
function cloned(branch = "main"): {
  readonly upstream: string;
  readonly clone: string;
  readonly again: () => string;
} {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "loop-guest-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const upstream = join(dir, "upstream");
  mkdirSync(upstream);
  git(upstream, "init", "-q", "-b", branch);
  git(upstream, "commit", "-q", "--allow-empty", "-m", "one");
  let count = 0;
  const again = (): string => {
    const folder = join(dir, `clone-${(count += 1)}`);
    git(dir, "clone", "-q", upstream, folder);
    return folder;
  };
  return { upstream, clone: again(), again };
}

/** Both ways to look: that of the service and that of the command line. */
async function chosen(workdir: string): Promise<boolean> {
  const env = { PATH: process.env["PATH"], HOME: tmpdir() };
  const [service, commandLine] = [
    await createFixedWorkspace({ spawnWorkdir: workdir, home: "", env }).hasChosenLoop(workdir),
    await lookAtCheckouts(env).hasChosenLoop(workdir),
  ];
  expect(service).toBe(commandLine);
  return service;
}

describe("a repository has chosen loop", () => {
  test("where its base branch tracks a manifest or a harness configuration", async () => {
    for (const path of [".loop/manifest.yaml", ".loop/harness-config.yaml"] as const) {
      const { upstream, again } = cloned();
      choose(upstream, path);
      expect(await chosen(again())).toBe(true);
    }
  });

  test("whatever the default branch is called, and in worktrees that are on other branches", async () => {
    const { upstream, again } = cloned("develop");
    choose(upstream);
    const clone = again();
    git(clone, "switch", "-q", "-c", "issue-1");
    git(clone, "worktree", "add", "-q", "--detach", join(clone, "..", "worktree"), "HEAD");
    expect([await chosen(clone), await chosen(join(clone, "..", "worktree"))]).toEqual([
      true,
      true,
    ]);
    git(clone, "remote", "set-head", "origin", "--delete");
    git(clone, "switch", "-q", "develop");
    expect(await chosen(join(clone, "..", "worktree"))).toBe(true); // As clones of the service's are, which know no `origin/HEAD`.
  });

  test("whatever its only remote is called", async () => {
    const { upstream, again } = cloned("develop");
    choose(upstream);
    const dir = join(again(), "..");
    git(dir, "clone", "-q", "-o", "upstream", upstream, join(dir, "upstream-clone"));
    git(join(dir, "upstream-clone"), "checkout", "-q", "--detach");
    expect(await chosen(join(dir, "upstream-clone"))).toBe(true);
    git(join(dir, "upstream-clone"), "config", "remote.pushDefault", "fork");
    expect(await chosen(join(dir, "upstream-clone"))).toBe(true);
  });

  test("by the remote called origin where there are more, and by none where none is called so", async () => {
    const { upstream, again } = cloned();
    choose(upstream);
    const clone = again();
    git(clone, "remote", "add", "fork", "https://fork.invalid/octo/shop");
    expect(await chosen(clone)).toBe(true);
    git(clone, "remote", "rename", "origin", "upstream");
    expect(await chosen(clone)).toBe(false);
  });

  test("in a shallow clone of one branch, and as CI checks it out", async () => {
    const { upstream, again } = cloned();
    choose(upstream);
    const dir = join(again(), "..");
    const shallow = join(dir, "shallow");
    git(dir, "clone", "-q", "--depth", "1", "--branch", "main", `file://${upstream}`, shallow);
    expect(await chosen(shallow)).toBe(true);
    const ofCi = join(dir, "ci");
    git(dir, "init", "-q", ofCi);
    git(ofCi, "remote", "add", "origin", upstream);
    git(ofCi, "fetch", "-q", "--depth=1", "origin", "+HEAD:refs/remotes/origin/main");
    git(ofCi, "checkout", "-q", "--detach", "refs/remotes/origin/main");
    expect(await chosen(ofCi)).toBe(true);
  });

  test("without a remote by its own base branch", async () => {
    const { upstream } = cloned();
    expect(await chosen(upstream)).toBe(false);
    choose(upstream);
    expect(await chosen(upstream)).toBe(true);
  });
});

describe("a repository has not chosen loop", () => {
  test("by a folder .loop in which the product keeps its own state, committed or not", async () => {
    const { upstream, again } = cloned();
    mkdirSync(join(upstream, ".loop"));
    writeFileSync(join(upstream, ".loop", "loop.db"), "state");
    git(upstream, "add", "-A");
    git(upstream, "commit", "-q", "-m", "state by mistake");
    const clone = again();
    writeFileSync(join(clone, ".loop", "remembered-config.json"), "{}");
    expect([await chosen(clone), await chosen(upstream)]).toEqual([false, false]);
  });

  test("by what a head tracks, be it a stranger's, or by what lies in the tree or the index alone", async () => {
    const { clone } = cloned();
    git(clone, "switch", "-q", "-c", "strangers-head");
    choose(clone, ".loop/manifest.yaml");
    expect(await chosen(clone)).toBe(false);
    git(
      clone,
      "worktree",
      "add",
      "-q",
      "--detach",
      join(clone, "..", "worktree"),
      "strangers-head",
    );
    expect(await chosen(join(clone, "..", "worktree"))).toBe(false);
    git(clone, "switch", "-q", "main");
    mkdirSync(join(clone, ".loop"), { recursive: true });
    writeFileSync(join(clone, ".loop", "harness-config.yaml"), "version: 1\n");
    git(clone, "add", "-A");
    expect(await chosen(clone)).toBe(false);
  });

  test("by a link, a folder of that name, or a submodule", async () => {
    const { upstream, again } = cloned();
    mkdirSync(join(upstream, ".loop", "manifest.yaml"), { recursive: true });
    writeFileSync(join(upstream, ".loop", "manifest.yaml", "x"), "");
    symlinkSync("/etc/hostname", join(upstream, ".loop", "harness-config.yaml"));
    git(upstream, "add", "-A");
    git(upstream, "commit", "-q", "-m", "odd");
    expect(await chosen(again())).toBe(false);
  });

  test("by a stranger's head that was fetched alone, whatever is checked out", async () => {
    const { upstream, again } = cloned();
    git(upstream, "switch", "-q", "-c", "strangers-head");
    choose(upstream, ".loop/harness-config.yaml");
    git(upstream, "update-ref", "refs/pull/5/head", "HEAD");
    git(upstream, "switch", "-q", "main");
    const dir = join(again(), "..");
    const begun = (name: string): string => {
      git(dir, "init", "-q", join(dir, name));
      git(join(dir, name), "remote", "add", name, upstream);
      return join(dir, name);
    };
    const fetched = begun("origin");
    git(fetched, "fetch", "-q", "origin", "refs/pull/5/head");
    git(fetched, "checkout", "-q", "FETCH_HEAD");
    expect(await chosen(fetched), "detached").toBe(false);
    git(fetched, "switch", "-q", "-c", "pull-5");
    expect(await chosen(fetched), "on a branch").toBe(false);
    git(fetched, "branch", "-m", "main");
    expect(await chosen(fetched), "on a branch with a usual name").toBe(false);

    const besides = begun("fork");
    git(besides, "fetch", "-q", "fork", "refs/pull/5/head:refs/pull/5/head");
    git(besides, "fetch", "-q", "fork", "refs/pull/5/head:refs/remotes/pull/5/merge");
    git(besides, "fetch", "-q", "fork", "refs/pull/5/head:refs/remotes/other/main");
    git(besides, "checkout", "-q", "refs/pull/5/head");
    expect(await chosen(besides), "in references of no remote").toBe(false);

    const withoutRemote = begun("none");
    git(withoutRemote, "fetch", "-q", "none", "refs/pull/5/head");
    git(withoutRemote, "remote", "remove", "none");
    git(withoutRemote, "checkout", "-q", "FETCH_HEAD");
    expect(await chosen(withoutRemote), "without a remote, on no branch").toBe(false);
  });

  test("by its own branches while a remote is configured, be it in a file that is included", async () => {
    const { upstream } = cloned();
    choose(upstream);
    expect(await chosen(upstream)).toBe(true);
    for (const [key, value] of [
      ["remote.pushDefault", "fork"],
      ["remotes.all", "fork"],
    ] as const)
      git(upstream, "config", key, value);
    expect(await chosen(upstream), "no remote yet").toBe(true);
    git(upstream, "config", "include.path", "more");
    expect(await chosen(upstream), "nobody can tell").toBe(false);
    git(upstream, "config", "--unset", "include.path");
    git(upstream, "remote", "add", "fork", "https://fork.invalid/octo/shop");
    expect(await chosen(upstream)).toBe(false);
  });

  test("in a mirror or a bare clone, where nobody can tell what of it is the remote's", async () => {
    const { upstream, again } = cloned();
    choose(upstream);
    const dir = join(again(), "..");
    for (const kind of ["--mirror", "--bare"]) {
      git(dir, "clone", "-q", kind, upstream, join(dir, `${kind}.git`));
      git(join(dir, `${kind}.git`), "worktree", "add", "-q", join(dir, kind), "main");
      expect(await chosen(join(dir, kind)), kind).toBe(false);
    }
  });

  test("where there is none, or nobody can tell which branch is the base", async () => {
    const { upstream, again } = cloned("trunk");
    choose(upstream);
    const clone = again();
    git(clone, "remote", "set-head", "origin", "--delete");
    expect(await chosen(clone)).toBe(false);
    expect(await chosen(tmpdir())).toBe(false);
    expect(await chosen("/nowhere")).toBe(false);
  });
});

test(
  "a repository with the product's own state folder is a guest's: no learning, artifact or candidate is put into it, whatever a head tracks",
  { timeout: 240_000 },
  async () => {
    const world = await createWorld({
      routing: "  graph: { specDir: docs/specs, definition: graphs.yaml }",
    });
    await world.host.commit({
      branch: "main",
      message: "State by mistake",
      files: { ".loop/loop.db": "state" },
    });
    const folder = join(world.stateRoot, "artifacts", "practice+garden+1");
    const keep =
      '{{stub:bash git switch -q -c planted}} {{stub:bash mkdir -p .loop}} {{stub:tool Write {"file_path":".loop/manifest.yaml","content":"version: 1"}}} {{stub:bash git add -A}} {{stub:bash git commit -qm planted}}';
    writeGraph(world, [
      {
        id: "design",
        scripted: `${keep} {{stub:tool Write ${JSON.stringify({ file_path: join(folder, "design.md"), content: "worked" })}}}`,
      },
      { id: "approval", produces: false, scripted: "", more: ["gate: human", "scope: work-item"] },
    ]);
    const service = await world.start();
    const number = world.startIssue("Water the garden by itself.");
    await until(
      () =>
        Promise.resolve(
          world.host
            .issue(number)
            .comments.some(({ body }) => body.includes("waits for the approval")),
        ),
      "the gate",
      dump(service),
      120_000,
    );
    const workdir = String((await service.event("checkout.prepared")).fields["workdir"]);
    expect(readdirSync(folder)).toEqual(["design.md"]);
    expect(
      ["docs/specs", "docs/learnings", ".loop/learnings-pending"].filter((path) =>
        existsSync(join(workdir, path)),
      ),
    ).toEqual([]);
  },
);
