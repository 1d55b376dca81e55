import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readPlain } from "../src/plain-file.ts";
import { createScratch, requestFor, type Scratch } from "./scratch.ts";

/**
 * What a session may leave in git's own folders, by mistake or not; other work items of the
 * repository go on.
 */
let scratch: Scratch;
beforeEach(() => void (scratch = createScratch()));
afterEach(() => scratch.stop());

const note = (): string =>
  join(scratch.folder, "root/.records/restored/example.org/maria/garden/maria+garden+7.json");
const stranger = () =>
  requestFor(scratch, 7, { headBranch: "patch", restoreFrom: { branch: "main" } });

/** A checkout with the base's agent configuration, which nothing in the head has. */
async function restored(): Promise<string> {
  scratch.commit({}, "patch");
  scratch.commit({ ".mcp.json": "{}\n" });
  const made = await scratch.workspace.prepare(stranger());
  if (made.kind !== "ready") throw new Error(made.detail);
  return made.workdir;
}

describe("the configuration of a shared clone", () => {
  test("that is gone is made anew with a note, and what was restored stays out of commits", async () => {
    const workdir = await restored();
    rmSync(join(scratch.clone, ".git/config"));
    expect(await scratch.workspace.prepare(requestFor(scratch, 8))).toMatchObject({
      kind: "ready",
    });
    expect(scratch.notes.join()).toContain("it was gone");
    expect(existsSync(join(workdir, ".mcp.json"))).toBe(true);
    expect(scratch.git(workdir, "status", "--porcelain")).toBe("");
    expect(scratch.git(scratch.clone, "config", "remote.origin.url")).toBe(scratch.cloneUrl);
  });

  test("stops nobody with values that git does not understand: they go, with a note for each", async () => {
    await scratch.workspace.prepare(requestFor(scratch, 7));
    const keys = [
      "core.filemode",
      "core.logallrefupdates",
      "core.ignorecase",
      "core.symlinks",
      "core.autocrlf",
      "core.safecrlf",
      "core.sparsecheckout",
      "core.abbrev",
      "core.compression",
      "extensions.worktreeconfig",
      "push.default",
      "fetch.prune",
      "fetch.parallel",
      "diff.algorithm",
      "diff.renames",
      "diff.colormoved",
      "color.ui",
      "index.version",
      "index.threads",
      "index.sparse",
      "feature.manyfiles",
      "worktree.guessremote",
      "branch.autosetupmerge",
      "branch.autosetuprebase",
      "remote.origin.push",
      "remote.origin.prune",
      "remote.origin.promisor",
      "remote.x.fetch",
      "fetch.prunetags",
      "submodule.recurse",
      "fetch.recursesubmodules",
    ];
    for (const key of keys)
      execFileSync("git", [
        "config",
        "--file",
        join(scratch.clone, ".git/config"),
        key,
        "no such value",
      ]);
    const made = await scratch.workspace.prepare(requestFor(scratch, 8));
    if (made.kind !== "ready") throw new Error(made.detail);
    writeFileSync(join(made.workdir, "work.txt"), "work\n");
    expect(await scratch.workspace.release(requestFor(scratch, 8).workItem)).toMatchObject({
      kind: "released",
      salvage: expect.any(String),
    });
    expect(keys.filter((key) => !scratch.notes.join("\n").includes(`removed ${key} `))).toEqual([]);
  });

  test("that is right in each key, and about another kind of repository, is set aside", async () => {
    await scratch.workspace.prepare(requestFor(scratch, 7));
    appendFileSync(join(scratch.clone, ".git/config"), "[extensions]\n\tobjectFormat = sha256\n");
    expect(await scratch.workspace.prepare(requestFor(scratch, 8))).toMatchObject({
      kind: "ready",
    });
    expect(scratch.notes.join()).toContain("git cannot work with it");
  });
});

describe("the list of what was restored", () => {
  test("that is no list any more is told with a code, and nothing of the session's is written over", async () => {
    const workdir = await restored();
    writeFileSync(join(workdir, ".mcp.json"), "the session's own\n");
    writeFileSync(note(), "garbage");
    expect(await scratch.workspace.prepare(stranger())).toMatchObject({
      kind: "failed",
      code: "LOOP_E_WORKSPACE_GIT",
      detail: expect.stringContaining("maria+garden+7.json"),
    });
    expect(await scratch.workspace.release(stranger().workItem)).toMatchObject({ kind: "kept" });
    expect(readFileSync(join(workdir, ".mcp.json"), "utf8")).toBe("the session's own\n");
  });

  test("that is a pipe is not waited for", async () => {
    await restored();
    rmSync(note());
    execFileSync("mkfifo", [note()]);
    expect(await scratch.workspace.prepare(stranger())).toMatchObject({
      kind: "failed",
      code: "LOOP_E_WORKSPACE_GIT",
    });
    expect(await scratch.workspace.prepare(requestFor(scratch, 8))).toMatchObject({
      kind: "ready",
    });
  });
});

test("a plain file is told from everything else without waiting, and a large one is not read", async () => {
  const at = (name: string): string => join(scratch.folder, name);
  execFileSync("mkfifo", [at("pipe")]);
  execFileSync("ln", ["-s", "/etc/passwd", at("link")]);
  writeFileSync(at("plain"), "text");
  writeFileSync(at("large"), "x".repeat(5_001));
  const found = await Promise.all(
    ["pipe", "link", "plain", "large", "home", "missing", "plain/below"].map((name) =>
      readPlain(at(name)),
    ),
  );
  expect(found.map((each) => (typeof each === "string" ? each : each.toString()))).toEqual([
    "odd",
    "odd",
    "text",
    "odd",
    "odd",
    "none",
    "none",
  ]);
});
