import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFixedWorkspace, createWorkspace } from "../src/index.ts";
import { createScratch, requestFor, type Scratch } from "./scratch.ts";

let scratch: Scratch;
beforeEach(() => void (scratch = createScratch()));
afterEach(() => scratch.stop());

const at = (spawnWorkdir: string) =>
  createFixedWorkspace({ spawnWorkdir, home: scratch.home, env: scratch.env });

test("sessions work in the operator's own work tree, also below its top, and nothing there is ever removed", async () => {
  const head = scratch.git(scratch.source, "rev-parse", "HEAD");
  expect(await at(scratch.source).prepare(requestFor(scratch))).toEqual({
    kind: "ready",
    workdir: scratch.source,
    created: false,
    head,
    notes: [],
  });
  expect(await at(join(scratch.source, "src")).prepare(requestFor(scratch))).toMatchObject({
    kind: "ready",
    workdir: join(scratch.source, "src"),
  });
  expect(await at(scratch.source).release(requestFor(scratch).workItem, "cleaned-up")).toEqual({
    kind: "nothing",
  });
  expect(existsSync(join(scratch.source, "README.md"))).toBe(true);
});

test("refused: no work tree, a bare repository, the home folder, a folder in a work tree that is the home folder, nothing at all", async () => {
  scratch.git(scratch.home, "init", "-q");
  scratch.git(scratch.home, "commit", "-q", "--allow-empty", "-m", "dotfiles");
  mkdirSync(join(scratch.home, "project"));
  symlinkSync(scratch.home, join(scratch.folder, "disguise"));
  const bad = [
    scratch.folder,
    join(scratch.remotes, "garden.git"),
    scratch.home,
    join(scratch.home, "project"),
    join(scratch.folder, "disguise"),
    join(scratch.folder, "none"),
  ];
  for (const spawnWorkdir of bad) {
    const result = await at(spawnWorkdir).prepare(requestFor(scratch));
    expect([spawnWorkdir, result.kind === "failed" && result.code]).toEqual([
      spawnWorkdir,
      "LOOP_E_WORKSPACE_WORKDIR",
    ]);
  }
});

test("without a root the workspace is the fixed folder", async () => {
  for (const root of [null, ""])
    expect(
      await createWorkspace({ ...scratch.options, root }).prepare(requestFor(scratch)),
    ).toMatchObject({ kind: "ready", workdir: scratch.source, created: false });
});

test("the head of a checkout, and none where there is none", async () => {
  expect(await scratch.workspace.headOf(scratch.source)).toBe(
    scratch.git(scratch.source, "rev-parse", "HEAD"),
  );
  expect(await scratch.workspace.headOf(scratch.folder)).toBeNull();
  expect(await scratch.workspace.headOf(join(scratch.folder, "none"))).toBeNull();
});

test("the commits of a checkout that were pushed nowhere, newest first; nobody can tell where there is no checkout", async () => {
  const { source, workspace, folder } = scratch;
  const remote = join(folder, "remote.git");
  scratch.git(folder, "init", "-q", "--bare", remote);
  scratch.git(source, "remote", "add", "origin", remote);
  scratch.git(source, "push", "-q", "origin", "HEAD:refs/heads/main");
  expect(await workspace.unpushedOf(source)).toEqual([]);
  const made = ["one", "two"].map(
    (name) => (
      scratch.git(source, "commit", "-q", "--allow-empty", "-m", name),
      scratch.git(source, "rev-parse", "HEAD")
    ),
  );
  expect(await workspace.unpushedOf(source)).toEqual(made.toReversed());
  scratch.git(source, "push", "-q", "origin", "HEAD:refs/heads/issue-1");
  expect(await workspace.unpushedOf(source)).toEqual([]);
  for (const none of [folder, join(folder, "none")])
    expect(await workspace.unpushedOf(none)).toBeNull();
});

test("what is not committed in a checkout, and nothing of a repository's own runs for it", async () => {
  const { source, workspace, folder } = scratch;
  expect(await workspace.changesOf(source)).toEqual([]);
  const monitor = join(folder, "monitor");
  writeFileSync(monitor, `#!/bin/sh\ntouch ${join(folder, "ran")}\n`);
  chmodSync(monitor, 0o755);
  scratch.git(source, "config", "core.fsmonitor", monitor);
  writeFileSync(join(source, "README.md"), "changed\n");
  mkdirSync(join(source, "new"));
  writeFileSync(join(source, "new", "a b.txt"), "");
  expect(await workspace.changesOf(source)).toEqual([" M README.md", "?? new/a b.txt"]);
  expect(await at(source).changesOf(source)).toEqual([" M README.md", "?? new/a b.txt"]);
  expect(existsSync(join(folder, "ran"))).toBe(false);
  expect(await workspace.changesOf(folder)).toEqual([]);
});

test("a look at the operator's own work tree runs no filter and fetches nothing, whatever a turn set there", async () => {
  const { source, trap, tripwire } = scratch;
  const keys = {
    "core.repositoryFormatVersion": "1",
    "extensions.partialClone": "p",
    "remote.p.url": "https://127.0.0.1:9/x",
    "remote.p.promisor": "true",
    "http.proxy": "http://u@127.0.0.1:9",
    "credential.helper": `!${trap}`,
    "filter.x.clean": trap,
  };
  for (const [key, value] of Object.entries(keys)) scratch.git(source, "config", key, value);
  writeFileSync(join(source, ".gitattributes"), "* filter=x\n");
  writeFileSync(join(source, "README.md"), "changed\n");
  const fixed = at(source);
  expect(await fixed.prepare(requestFor(scratch))).toMatchObject({ kind: "ready" });
  expect(await fixed.changesOf(source)).toContain(" M README.md");
  expect(await fixed.ask(source, ["ls-files", "-z", "--", "src"])).toBe("src/gate.txt\0");
  expect(await fixed.ask(join(source, "src"), ["ls-files", "-z"])).toBe("gate.txt\0");
  expect(await fixed.ask(source, ["cat-file", "blob", "1".repeat(40)])).toBeUndefined();
  expect(await fixed.unpushedOf(source)).toHaveLength(1);
  expect(existsSync(tripwire)).toBe(false);
  expect(() => scratch.git(source, "cat-file", "-e", "1".repeat(40))).toThrow(/./);
  expect(existsSync(tripwire)).toBe(true);
});
