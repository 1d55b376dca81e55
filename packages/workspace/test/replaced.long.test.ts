import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorkspace } from "../src/index.ts";
import { createScratch, requestFor, type Scratch } from "./scratch.ts";

let scratch: Scratch;
beforeEach(() => void (scratch = createScratch()));
afterEach(() => scratch.stop());

const { workItem } = requestFor({ cloneUrl: "" });

async function checkout(): Promise<string> {
  const made = await scratch.workspace.prepare(requestFor(scratch, 7));
  if (made.kind !== "ready") throw new Error(`${made.code}: ${made.detail}`);
  return made.workdir;
}

describe("a checkout whose .git a turn replaced", () => {
  test("is held by a named error, and the command that this names saves the files and what stands there", async () => {
    const workdir = await checkout();
    writeFileSync(join(workdir, "work.txt"), "work\n");
    rmSync(join(workdir, ".git"));
    scratch.git(workdir, "init", "-q");
    scratch.git(workdir, "commit", "-q", "--allow-empty", "-m", "elsewhere");
    const commit = scratch.git(workdir, "rev-parse", "HEAD");
    expect(await scratch.workspace.headOf(workdir)).toBeNull();
    expect(await scratch.workspace.changesOf(workdir)).toEqual([]);
    expect(await scratch.workspace.prepare(requestFor(scratch, 7))).toMatchObject({
      kind: "failed",
      code: "LOOP_E_WORKSPACE_REPLACED",
      hint: expect.stringContaining("`loop sessions cleanup host:maria/garden#7`"),
    });
    const released = await scratch.workspace.release(workItem, "cleaned-up");
    if (released.kind !== "released" || released.salvage === null)
      throw new Error(JSON.stringify(released));
    expect(existsSync(workdir)).toBe(false);
    expect(
      scratch.git(
        scratch.folder,
        "--git-dir",
        join(released.salvage, "replaced-git"),
        "cat-file",
        "-t",
        commit,
      ),
    ).toBe("commit");
    expect(await scratch.workspace.undoCleanup(workItem)).toMatchObject({ kind: "restored" });
    expect(readFileSync(join(workdir, "work.txt"), "utf8")).toBe("work\n");
    expect(scratch.git(workdir, "status", "--porcelain")).toBe("?? work.txt");
  });

  test("is saved with its changes also where nothing stands in the place of .git", async () => {
    const workdir = await checkout();
    writeFileSync(join(workdir, "README.md"), "changed\n");
    rmSync(join(workdir, ".git"));
    expect(await scratch.workspace.prepare(requestFor(scratch, 7))).toMatchObject({
      code: "LOOP_E_WORKSPACE_REPLACED",
    });
    expect(await scratch.workspace.release(workItem)).toMatchObject({
      kind: "released",
      salvage: expect.any(String),
    });
    expect(await checkout()).toBe(workdir);
  });

  test("leads to another work item's records and takes nothing from them", async () => {
    const workdir = await checkout();
    const other = await scratch.workspace.prepare(requestFor(scratch, 8));
    if (other.kind !== "ready") throw new Error(other.detail);
    writeFileSync(join(workdir, ".git"), readFileSync(join(other.workdir, ".git")));
    expect(await scratch.workspace.prepare(requestFor(scratch, 7))).toMatchObject({
      code: "LOOP_E_WORKSPACE_REPLACED",
    });
    expect(await scratch.workspace.release(workItem)).toMatchObject({ kind: "released" });
    expect(await scratch.workspace.headOf(other.workdir)).toBe(other.head);
    expect(scratch.git(other.workdir, "status", "--porcelain")).toBe("");
  });

  test("is no folder that somebody put in its place: that one stays", async () => {
    const workdir = await checkout();
    rmSync(workdir, { recursive: true });
    mkdirSync(workdir);
    scratch.git(workdir, "init", "-q");
    writeFileSync(join(workdir, "mine.txt"), "mine\n");
    expect(await scratch.workspace.prepare(requestFor(scratch, 7))).toMatchObject({
      code: "LOOP_E_WORKSPACE_OCCUPIED",
    });
    expect(await scratch.workspace.release(workItem, "cleaned-up")).toMatchObject({ kind: "kept" });
    expect(existsSync(join(workdir, "mine.txt"))).toBe(true);
  });
});

test("an index that became a link before the files were written is not written through", async () => {
  const workdir = await checkout();
  const record = readFileSync(join(workdir, ".git"), "utf8").trim().slice("gitdir: ".length);
  const operators = join(scratch.folder, "operators");
  writeFileSync(operators, "");
  writeFileSync(join(record, "loop-unwritten"), "");
  rmSync(join(record, "index"));
  symlinkSync(operators, join(record, "index"));
  expect(await scratch.workspace.prepare(requestFor(scratch, 7))).toMatchObject({ kind: "ready" });
  expect(readFileSync(operators, "utf8")).toBe("");
  expect(scratch.git(workdir, "status", "--porcelain")).toBe("");
});

describe("the environment of every git", () => {
  const secrets = {
    LOOP_HOST_TOKEN: "ghp-secret-value",
    LOOP_HOST_WEBHOOK_SECRET: "hook-secret-value",
    STORE_URL: "postgres://u:store-secret-value@h/db",
  };

  /** Everything that a workspace does, with a git that writes down what it was given. */
  async function given(
    more: Readonly<Record<string, string>>,
  ): Promise<readonly { readonly args: string; readonly env: string }[]> {
    const bin = join(scratch.folder, "bin");
    mkdirSync(bin);
    const real = execFileSync("sh", ["-c", "command -v git"], {
      encoding: "utf8",
      env: scratch.env,
    }).trim();
    writeFileSync(
      join(bin, "git"),
      `#!/bin/sh\nlog=$(mktemp ${bin}/call-XXXXXX)\necho "$*" >$log\nenv >>$log\nexec ${real} "$@"\n`,
      { mode: 0o755 },
    );
    const workspace = createWorkspace({
      ...scratch.options,
      env: { ...scratch.env, ...more, GH_TOKEN: "own-login", PATH: `${bin}:${scratch.env.PATH}` },
    });
    const made = await workspace.prepare(requestFor(scratch, 7));
    if (made.kind !== "ready") throw new Error(made.detail);
    writeFileSync(join(made.workdir, "work.txt"), "work\n");
    await workspace.changesOf(made.workdir);
    await workspace.unpushedOf(made.workdir);
    await workspace.release(workItem);
    await workspace.undoCleanup(workItem);
    return readdirSync(bin)
      .filter((name) => name.startsWith("call-"))
      .map((name) => {
        const text = readFileSync(join(bin, name), "utf8");
        return { args: text.slice(0, text.indexOf("\n")), env: text.slice(text.indexOf("\n")) };
      });
  }

  test("has a login only where git fetches or writes files", async () => {
    const calls = await given({});
    expect(calls.length).toBeGreaterThan(20);
    const withLogin = calls
      .filter(({ env }) => env.includes("GH_TOKEN=own-login"))
      .map(({ args }) => args);
    expect(withLogin.some((args) => args.includes(" fetch "))).toBe(true);
    expect(
      withLogin.filter((args) =>
        / (?:status|ls-files|ls-tree|diff-files|diff-index|rev-list|hash-object|commit-tree|bundle|update-ref|symbolic-ref|config) /.test(
          ` ${args} `,
        ),
      ),
    ).toEqual([]);
    for (const { args, env } of calls)
      if (!args.includes(" fetch ") && !args.includes("ls-remote") && !env.includes("GIT_PROTOCOL"))
        expect([args, env.includes("GIT_ALLOW_PROTOCOL=\n")]).toEqual([args, true]);
  });

  test("control: a variable that it is given by mistake reaches a git that fetches, and none that only looks", async () => {
    const shown = (await given(secrets))
      .filter(({ env }) => env.includes("-secret-value"))
      .map(({ args }) => args);
    expect(shown.some((args) => args.includes(" fetch "))).toBe(true);
    expect(
      shown.filter((args) => / (?:status|ls-files|ls-tree|rev-list) /.test(` ${args} `)),
    ).toEqual([]);
  });
});
