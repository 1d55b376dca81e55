import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorkspace } from "../src/index.ts";
import { hooksFolderOf } from "../src/hooks-folder.ts";
import { excludePattern } from "../src/restore.ts";
import { parseTree, planRestore, type TreeEntry } from "../src/protected-paths.ts";
import { formatPlain } from "@loopwork/core/ports";
import { createScratch, requestFor, type Scratch } from "./scratch.ts";

let scratch: Scratch;
beforeEach(() => void (scratch = createScratch()));
afterEach(() => scratch.stop());

const base = {
  "CLAUDE.md": "base\n",
  ".claude/settings.json": '{"base":1}\n',
  ".mcp.json": "{}\n",
  "app/AGENTS.md": "base\n",
  "app/code.txt": "base\n",
};
const attack = {
  "CLAUDE.md": "evil\n",
  ".claude/hooks/run.sh": "evil\n",
  ".husky/post-checkout": "evil\n",
  "app/agents.md": "evil\n",
  "app/AGENTS.md": "evil\n",
  "app/code.txt": "head\n",
  ".npmrc": "script-shell=evil\n",
};

/**
 * A branch on the remote that changes, adds and removes agent configuration and one file of the
 * project.
 */
function attackerBranch(): string {
  scratch.commit(base);
  scratch.git(scratch.source, "switch", "-q", "-c", "patch");
  scratch.git(scratch.source, "rm", "-q", "-r", ".claude", ".mcp.json");
  scratch.git(scratch.source, "switch", "-q", "-f", "main");
  scratch.git(scratch.source, "branch", "-q", "-D", "patch");
  scratch.git(scratch.source, "switch", "-q", "-c", "patch");
  scratch.git(scratch.source, "rm", "-q", "-r", ".claude", ".mcp.json");
  scratch.write(scratch.source, attack);
  scratch.git(scratch.source, "add", "-A", "-f");
  scratch.git(scratch.source, "-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", "patch");
  scratch.git(scratch.source, "push", "-q", join(scratch.remotes, "garden.git"), "patch");
  const head = scratch.git(scratch.source, "rev-parse", "HEAD");
  scratch.git(scratch.source, "switch", "-q", "main");
  return head;
}

const untrusted = (number = 7) =>
  requestFor(scratch, number, { headBranch: "patch", restoreFrom: { branch: "main" } });

async function prepared(request = untrusted(), workspace = scratch.workspace) {
  const result = await workspace.prepare(request);
  if (result.kind !== "ready") throw new Error(`${result.code}: ${result.detail}`);
  return result;
}

for (const strategy of ["worktree", "clone"] as const) {
  describe(`W10: a head that is not an authorized person's (${strategy})`, () => {
    const workspace = () => createWorkspace({ ...scratch.options, strategy });

    test("has the base's agent and hook configuration, and its own code", async () => {
      const head = attackerBranch();
      const { workdir, head: stands, notes } = await prepared(untrusted(), workspace());
      expect(stands).toBe(head);
      const text = (path: string): string => readFileSync(join(workdir, path), "utf8");
      for (const path of [
        "CLAUDE.md",
        ".claude/settings.json",
        ".mcp.json",
        "app/AGENTS.md",
      ] as const)
        expect(text(path)).toBe(base[path]);
      for (const path of [".claude/hooks", ".husky", "app/agents.md", ".npmrc"])
        expect(existsSync(join(workdir, path))).toBe(false);
      expect(text("app/code.txt")).toBe("head\n");
      expect(notes.map((note) => formatPlain(note)).join()).toContain(
        'agent and hook configuration is the one of "main"',
      );
      expect(notes.map((note) => formatPlain(note)).join()).toContain("CLAUDE.md");
    });

    test("no commit carries the restoration: nothing is changed, staged or untracked, whatever is added", async () => {
      const head = attackerBranch();
      const { workdir } = await prepared(untrusted(), workspace());
      expect(scratch.git(workdir, "status", "--porcelain")).toBe("");
      writeFileSync(join(workdir, "app/code.txt"), "mine\n");
      scratch.git(workdir, "add", "-A", ".");
      scratch.git(workdir, "commit", "-q", "-a", "-m", "mine");
      expect(scratch.git(workdir, "diff", "--name-only", head, "HEAD")).toBe("app/code.txt");
      expect(scratch.git(workdir, "status", "--porcelain")).toBe("");
    });

    test("is not restored a second time over what the session did since, and says it again", async () => {
      attackerBranch();
      const { workdir } = await prepared(untrusted(), workspace());
      writeFileSync(join(workdir, "CLAUDE.md"), "session\n");
      expect(
        (await prepared(untrusted(), workspace())).notes.map((note) => formatPlain(note)).join(),
      ).toContain("CLAUDE.md");
      expect(readFileSync(join(workdir, "CLAUDE.md"), "utf8")).toBe("session\n");
    });

    test("is released without a trace; only what the session changed in such files is saved", async () => {
      attackerBranch();
      await prepared(untrusted(), workspace());
      expect(await workspace().release(untrusted().workItem)).toMatchObject({
        kind: "released",
        salvage: null,
      });
      const { workdir } = await prepared(untrusted(), workspace());
      writeFileSync(join(workdir, "CLAUDE.md"), "session\n");
      writeFileSync(join(workdir, ".mcp.json"), "session\n");
      const released = await workspace().release(untrusted().workItem);
      if (released.kind !== "released" || released.salvage === null)
        throw new Error(JSON.stringify(released));
      const back = join(scratch.folder, "back");
      scratch.git(scratch.folder, "clone", "-q", `file://${scratch.remotes}/garden.git`, back);
      scratch.git(
        back,
        "fetch",
        "-q",
        join(released.salvage, "work.bundle"),
        "+refs/salvage/*:refs/salvage/*",
      );
      expect(
        scratch
          .git(back, "diff", "--name-only", "refs/salvage/work^", "refs/salvage/work")
          .split("\n"),
      ).toEqual([".mcp.json", "CLAUDE.md"]);
    });
  });
}

describe("W10: odd heads", () => {
  test("files that the base's instructions import are the base's, through any number of imports", async () => {
    const instructions = {
      "CLAUDE.md": "Follow @docs/rules.md, and @missing.md. @~/own.md @/etc/passwd\n",
      "docs/rules.md": "See @more/style.md#names.\n",
      "docs/more/style.md": "base, and once more @../rules.md\n",
      "sub/GEMINI.md": "@./local.md and @../shared/a\\ b.md\n",
      "sub/local.md": "base\n",
      "shared/a b.md": "base\n",
      "docs/other.md": "base\n",
    };
    scratch.commit(instructions);
    scratch.git(scratch.source, "switch", "-q", "-c", "patch");
    const changed = [
      "docs/rules.md",
      "docs/more/style.md",
      "sub/local.md",
      "shared/a b.md",
      "missing.md",
      "docs/other.md",
    ];
    scratch.write(scratch.source, Object.fromEntries(changed.map((path) => [path, "evil\n"])));
    scratch.git(scratch.source, "add", "-A", "-f");
    scratch.git(scratch.source, "commit", "-q", "-m", "patch");
    scratch.git(scratch.source, "push", "-q", join(scratch.remotes, "garden.git"), "patch");
    scratch.git(scratch.source, "switch", "-q", "main");
    const { workdir } = await prepared();
    for (const [path, text] of Object.entries(instructions)) {
      expect([path, readFileSync(join(workdir, path), "utf8")]).toEqual([
        path,
        path === "docs/other.md" ? "evil\n" : text,
      ]);
    }
    expect(existsSync(join(workdir, "missing.md"))).toBe(false);
    expect(scratch.git(workdir, "status", "--porcelain")).toBe("");
  });

  test("hooks in the folder that the user's own configuration names are the base's", async () => {
    scratch.commit({ ...base, "scripts/git/pre-commit": "base\n" });
    attackerHooks();
    await prepared(requestFor(scratch, 8));
    writeFileSync(join(scratch.home, ".gitconfig"), "[core]\n\thooksPath = scripts/git\n");
    const { workdir } = await prepared();
    expect(readFileSync(join(workdir, "scripts/git/pre-commit"), "utf8")).toBe("base\n");
    expect(existsSync(join(workdir, "scripts/git/post-checkout"))).toBe(false);
    expect(readFileSync(join(workdir, "scripts/run"), "utf8")).toBe("head\n");
    expect(scratch.git(workdir, "status", "--porcelain")).toBe("");
  });

  function attackerHooks(): void {
    scratch.git(scratch.source, "switch", "-q", "-c", "patch");
    scratch.write(scratch.source, {
      "scripts/git/pre-commit": "evil\n",
      "scripts/git/post-checkout": "evil\n",
      "scripts/run": "head\n",
    });
    scratch.git(scratch.source, "add", "-A", "-f");
    scratch.git(scratch.source, "commit", "-q", "-m", "patch");
    scratch.git(scratch.source, "push", "-q", join(scratch.remotes, "garden.git"), "patch");
    scratch.git(scratch.source, "switch", "-q", "main");
  }

  test("links in the place of folders are replaced and not followed", async () => {
    scratch.commit(base);
    const outside = join(scratch.folder, "outside");
    mkdirSync(outside);
    scratch.git(scratch.source, "switch", "-q", "-c", "patch");
    for (const path of [".claude", "app"]) rmSync(join(scratch.source, path), { recursive: true });
    for (const path of [".claude", "app"]) symlinkSync(outside, join(scratch.source, path));
    scratch.git(scratch.source, "add", "-A");
    scratch.git(scratch.source, "commit", "-q", "-m", "links");
    scratch.git(scratch.source, "push", "-q", join(scratch.remotes, "garden.git"), "patch");
    scratch.git(scratch.source, "switch", "-q", "main");
    const { workdir } = await prepared();
    expect(lstatSync(join(workdir, ".claude")).isDirectory()).toBe(true);
    expect(readFileSync(join(workdir, ".claude/settings.json"), "utf8")).toBe(
      base[".claude/settings.json"],
    );
    expect(existsSync(join(outside, "settings.json"))).toBe(false);
    expect(existsSync(join(outside, "AGENTS.md"))).toBe(false);
  });

  test("files that only the base has are ignored in this work tree and in no other", async () => {
    attackerBranch();
    writeFileSync(
      join(scratch.home, ".gitconfig"),
      `[core]\n\texcludesFile = ${join(scratch.home, "own-ignore")}\n`,
    );
    writeFileSync(join(scratch.home, "own-ignore"), "*.swp\n");
    const { workdir } = await prepared();
    writeFileSync(join(workdir, "x.swp"), "");
    expect(scratch.git(workdir, "status", "--porcelain")).toBe("");
    const trusted = await prepared(requestFor(scratch, 8, { headBranch: "patch" }));
    writeFileSync(join(trusted.workdir, ".mcp.json"), "{}\n");
    expect(scratch.git(trusted.workdir, "status", "--porcelain")).toBe("?? .mcp.json");
    await prepared(untrusted(9));
    writeFileSync(join(workdir, "y.swp"), "");
    expect(scratch.git(workdir, "status", "--porcelain")).toBe("");
    expect(scratch.notes.filter((note) => note.startsWith("removed"))).toEqual([]);
  });

  test("a daemon that was killed between the files and the restoration restores before anybody works there", async () => {
    attackerBranch();
    const { workdir } = await prepared();
    rmSync(
      join(scratch.folder, "root/.records/restored/example.org/maria/garden/maria+garden+7.json"),
    );
    scratch.git(workdir, "update-index", "--no-skip-worktree", "CLAUDE.md");
    writeFileSync(join(workdir, "CLAUDE.md"), "evil\n");
    expect(await prepared()).toMatchObject({ created: false });
    expect(readFileSync(join(workdir, "CLAUDE.md"), "utf8")).toBe("base\n");
  });

  test("what an earlier version noted beside git's record still counts, so that a session's changes stay", async () => {
    attackerBranch();
    const { workdir } = await prepared();
    const note = join(
      scratch.folder,
      "root/.records/restored/example.org/maria/garden/maria+garden+7.json",
    );
    renameSync(note, join(scratch.clone, ".git/worktrees/maria+garden+7/loop-restored.json"));
    writeFileSync(join(workdir, "CLAUDE.md"), "the session's own\n");
    await prepared();
    expect(readFileSync(join(workdir, "CLAUDE.md"), "utf8")).toBe("the session's own\n");
    expect(existsSync(note)).toBe(true);
  });

  test("what was noted of a checkout that is gone doesn't count for the next in its place", async () => {
    attackerBranch();
    const { workdir } = await prepared();
    rmSync(workdir, { recursive: true });
    const next = await prepared();
    expect([next.created, readFileSync(join(workdir, "CLAUDE.md"), "utf8")]).toEqual([
      true,
      "base\n",
    ]);
  });
});

describe("what is compared", () => {
  const entry = (path: string, blob: string, mode = "100644"): TreeEntry => ({ mode, blob, path });
  const none = { leadsTo: (): string => "/", imports: [], hooks: [] };

  test("whatever is protected follows the base, in any folder and in any case; everything else is the head's", () => {
    const head = [
      entry("a/CLAUDE.md", "1"),
      entry(".Claude/x", "1"),
      entry("same/.mcp.json", "1"),
      entry("code", "1"),
    ];
    const theirs = [
      entry("a/CLAUDE.md", "2"),
      entry("same/.mcp.json", "1"),
      entry("code", "2"),
      entry("gone/AGENTS.md", "2"),
    ];
    expect(planRestore(head, theirs, none)).toEqual({
      remove: [".Claude/x"],
      write: [entry("a/CLAUDE.md", "2")],
      added: [],
      leftOut: [],
    });
  });

  test.each([
    [".envrc"],
    [".vscode/tasks.json"],
    [".yarnrc.yml"],
    [".yarn/releases/yarn-4.cjs"],
    [".pnpmfile.cjs"],
    [".npmrc"],
    ["AGENTS.md"],
    ["GEMINI.md"],
    [".github/copilot-instructions.md"],
    [".github/instructions/all.instructions.md"],
    [".cursor/rules/all.mdc"],
    [".codex/config.toml"],
    [".opencode/plugin/run.ts"],
    ["opencode.json"],
    ["opencode.jsonc"],
    [".gemini/settings.json"],
    [".devcontainer/devcontainer.json"],
    ["lefthook.yml"],
    [".pre-commit-config.yaml"],
    ["mise.toml"],
    ["bunfig.toml"],
    ["pnpm-workspace.yaml"],
    [".config/mise.toml"],
    [".config/mise/config.toml"],
    ["sub/.config/mise/conf.d/x.toml"],
    ["sub/.Config/Mise.toml"],
    ["lefthook.toml"],
    [".lefthook.toml"],
    [".pnp.cjs"],
    [".pnp.loader.mjs"],
    [".cargo/config.toml"],
    [".bazelrc"],
    [".tool-versions"],
    [".bunfig.toml"],
    [".github/hooks/run.json"],
    [".github/chatmodes/all.chatmode.md"],
    ["CONVENTIONS.md"],
    [".junie/guidelines.md"],
    [".kiro/steering/all.md"],
    [".roo/rules/all.md"],
    [".roorules"],
    [".goosehints"],
    [".trae/rules/all.md"],
    [".augment/rules/all.md"],
    [".qwen/settings.json"],
    ["QWEN.md"],
    ["sub/.envrc"],
    // Every file of a tool that reads several: by machine, by environment and in another format.
    ["mise.local.toml"],
    [".mise.ci.local.toml"],
    [".miserc.toml"],
    ["sub/.config/mise.local.toml"],
    [".config/miserc.toml"],
    ["lefthook-local.yml"],
    [".lefthook-local.toml"],
    ["lefthook.json"],
    [".config/lefthook.yml"],
    [".pre-commit-config.yml"],
    ["prek.toml"],
    [".simple-git-hooks.cjs"],
    ["simple-git-hooks.json"],
    [".overcommit.yml"],
    ["AGENT.md"],
    ["WARP.md"],
    [".rules"],
    [".amazonq/rules/all.md"],
    [".continue/rules/all.md"],
    [".factory/AGENTS.md"],
    [".kilocode/rules/all.md"],
    [".roomodes"],
    [".zed/tasks.json"],
    [".exrc"],
    [".nvim.lua"],
    [".dir-locals.el"],
    // By tool: see the table in tool-files.ts.
    [".github/skills/run/SKILL.md"],
    [".github/lsp.json"],
    [".github/mcp.json"],
    [".github/copilot/settings.json"],
    ["lsp.json"],
    [".lefthook/pre-commit/lint.sh"],
    [".lefthook-local/pre-commit/lint.sh"],
    [".githooks/pre-commit"],
    [".git-hooks/pre_commit/x.rb"],
    [".huskyrc"],
    [".huskyrc.js"],
    ["husky.config.cjs"],
    [".lintstagedrc"],
    [".lintstagedrc.mjs"],
    ["sub/.lintstagedrc.json"],
    ["lint-staged.config.ts"],
    ["mise/config.toml"],
    ["sub/mise/config.local.toml"],
    [".mise/tasks/build"],
    ["mise-tasks/build"],
    [".mise-tasks/build"],
    [".mvn/extensions.xml"],
    ["sub/.mvn/jvm.config"],
    [".bundle/config"],
    [".bundle/plugin/index"],
    ["uv.toml"],
    [".python-version"],
    ["NuGet.config"],
    ["src/nuget.Config"],
    ["NUGET.CONFIG"],
    [".bazeliskrc"],
    [".bazelversion"],
    ["tools/bazel"],
    ["Tools/Bazel"],
    ["tools/bazel.bat"],
    ["garden.code-workspace"],
    ["rust-toolchain.toml"],
    ["sub/rust-toolchain"],
    ["lean-toolchain"],
    ["global.json"],
    [".bsp/sbt.json"],
    [".jvmopts"],
    [".sbtopts"],
    [".sbtrc"],
    [".mill-jvm-opts"],
    ["hk.pkl"],
    ["hk.local.pkl"],
    [".config/hk.pkl"],
    ["captainhook.json"],
    ["grumphp.yml.dist"],
    [".rusty-hook.toml"],
    [".nano-staged.json"],
    [".trunk/trunk.yaml"],
    [".helix/languages.toml"],
    [".vim/coc-settings.json"],
    [".lazy.lua"],
    [".kateproject"],
    ["garden.sublime-project"],
    [".agent/rules/all.md"],
    [".openhands/setup.sh"],
    [".pixi/config.toml"],
    [".irbrc"],
    [".pryrc"],
    [".pdbrc"],
    [".iex.exs"],
    [".Rprofile"],
    [".ghci"],
    ["hie.yaml"],
    [".merlin"],
    ["rust-analyzer.toml"],
    [".luarc.json"],
    [".rvmrc"],
    [".prototools"],
    [".moon/toolchain.yml"],
    [".fvm/flutter_sdk"],
    ["aqua.yaml"],
    [".corepack.env"],
    ["ansible.cfg"],
    [".buckconfig"],
    [".plzconfig_linux"],
    [".lfsconfig"],
    [".code-workspace"],
    // Names that a file system which ignores case takes for protected ones.
    [".V\u017fcode/tasks.json"],
    ["mi\u017fe.toml"],
    [".ya\u200crn/x"],
    ["\ufeffCLAUDE.md"],
    [".npmrc. "],
  ])("%j of a head doesn't stay", (path) => {
    expect(planRestore([entry(path, "1"), entry("code", "1")], [], none).remove).toEqual([path]);
  });

  test.each([
    ["envrc"],
    ["vscode/tasks.json"],
    [".github/workflows/ci.yml"],
    ["docs/agents.md.txt"],
    ["src/opencode.ts"],
    [".config/other.toml"],
    ["mise/main.rs"],
    ["mise/configs.toml"],
    ["mise/tasks/build"],
    ["mise.lock"],
    [".nvmrc"],
    [".node-version"],
    [".sdkmanrc"],
    ["sub/tools/bazel"],
    ["tools/bazel/defs.bzl"],
    ["tools/bazelisk"],
    ["tools/bazel.sh"],
    ["tools/bazel-rules.md"],
    ["sub/lsp.json"],
    ["githooks/pre-commit"],
    ["lefthook/pre-commit"],
    ["src/lint-staged.ts"],
    ["docs/code-workspace"],
    ["config/nuget.config.md"],
    ["misery.toml"],
    ["src/rules"],
    ["sub/.github/hooks/x"],
    ["sub/.lfsconfig"],
    [".lfsconfig/x"],
    ["src/toolchain.toml"],
    ["src/hk.ts"],
    ["docs/global.json.md"],
    ["Rprofile.R"],
    [".ruby-version"],
  ])("%j of a head stays", (path) => {
    expect(planRestore([entry(path, "1")], [], none).remove).toEqual([]);
  });

  test("a link of the head on the way to a protected file in a folder goes", () => {
    const head = [
      entry("docs", "1", "120000"),
      entry(".GitHub", "1", "120000"),
      entry("evil/x", "1"),
      entry("other", "1", "120000"),
    ];
    expect(planRestore(head, [], none).remove).toEqual(["docs", ".GitHub"]);
  });

  test("a link of the head on the way to a protected file that counts in any folder goes", () => {
    const head = [
      entry(".config", "1", "120000"),
      entry("sub/.Config", "1", "120000"),
      entry("sub/.config.d", "1", "120000"),
      entry("sub/hooks", "1", "120000"),
    ];
    expect(planRestore(head, [], none).remove).toEqual([".config", "sub/.Config"]);
  });

  test("a link of the head in the place of `tools` or `mise` goes; a folder `tools/bazel` takes no file of the base's", () => {
    const links = [entry("tools", "1", "120000"), entry("sub/mise", "1", "120000")];
    expect(planRestore(links, [], none).remove).toEqual(["tools", "sub/mise"]);
    const folder = [entry("tools/bazel/defs.bzl", "1")];
    expect(planRestore(folder, [entry("tools/bazel", "2")], none)).toMatchObject({
      remove: [],
      write: [],
    });
  });

  test("the folder that `core.hooksPath` names is the base's, with what its name may be spelled like", () => {
    const head = [
      entry("scripts/git/pre-commit", "1"),
      entry("Scripts/Git/pre-push", "1"),
      entry("scripts/other", "1"),
    ];
    const theirs = [entry("scripts/git/pre-commit", "2"), entry("scripts/other", "2")];
    expect(planRestore(head, theirs, { ...none, hooks: ["scripts/git"] })).toMatchObject({
      remove: ["Scripts/Git/pre-push"],
      write: [entry("scripts/git/pre-commit", "2")],
    });
    const link = [entry("scripts/git", "1", "120000")];
    expect(planRestore(link, theirs, { ...none, hooks: ["scripts/git"] }).remove).toEqual([
      "scripts/git",
    ]);
  });

  test.each([
    ["scripts/git", "scripts/git"],
    ["./scripts//git/", "scripts/git"],
    [".", null],
    ["", null],
    ["..", null],
    ["../hooks", null],
    ["/dev/null", null],
    ["~/hooks", null],
    ["scripts/../..", null],
  ])("core.hooksPath %j leads to %j of the checkout", (value, folder) => {
    expect(hooksFolderOf(value)).toBe(folder);
  });

  test("what sessions are told as notes is the base's, and other documents are the head's", () => {
    const head = [
      entry("docs/learnings/learnings.md", "1"),
      entry("Docs/Learnings/topics/ci.md", "2"),
      entry("docs/guide.md", "3"),
      entry("sub/docs/learnings/x.md", "4"),
    ];
    const plan = planRestore(
      head,
      [
        entry("docs/learnings/learnings.md", "5"),
        entry("docs/guide.md", "6"),
        entry("sub/docs/learnings/x.md", "7"),
      ],
      none,
    );
    expect(plan).toEqual({
      remove: ["Docs/Learnings/topics/ci.md"],
      write: [entry("docs/learnings/learnings.md", "5")],
      added: [],
      leftOut: [],
    });
  });

  test("a file that became a program counts as changed; a submodule is never written", () => {
    const plan = planRestore(
      [entry(".husky/run", "1", "100755")],
      [entry(".husky/run", "1"), entry(".loop", "3", "160000")],
      none,
    );
    expect(plan).toMatchObject({ write: [entry(".husky/run", "1")], remove: [] });
  });

  test("a link of the base stays when it leads to protected files, and is left out when the head chooses what it says", () => {
    const [inside, outside, up] = [
      entry("CLAUDE.md", "1", "120000"),
      entry("x/AGENTS.md", "2", "120000"),
      entry(".mcp.json", "3", "120000"),
    ];
    const targets: Record<string, string> = {
      "CLAUDE.md": "AGENTS.md",
      "x/AGENTS.md": "../docs/guide.txt",
      ".mcp.json": "../../CLAUDE.md",
    };
    const plan = planRestore(
      [entry("x/code", "9"), entry("x/AGENTS.md", "2", "120000")],
      [inside, outside, up],
      { leadsTo: ({ path }) => targets[path] ?? "", imports: [], hooks: [] },
    );
    expect(plan).toEqual({
      remove: ["x/AGENTS.md"],
      write: [inside],
      added: ["CLAUDE.md"],
      leftOut: ["x/AGENTS.md", ".mcp.json"],
    });
  });

  test("lists of git are read with every character that a path may have", () => {
    expect(parseTree("100644 blob aa\ta\tb\nc\u0000120000 blob bb\tl\0")).toEqual([
      entry("a\tb\nc", "aa"),
      entry("l", "bb", "120000"),
    ]);
    expect(excludePattern(".claude/a *[x]")).toBe("/.claude/a\\ \\*\\[x\\]");
  });
});
