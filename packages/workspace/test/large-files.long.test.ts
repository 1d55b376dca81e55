import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { formatPlain } from "@loopwork/core/ports";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorkspace } from "../src/index.ts";
import { createScratch, requestFor, type Scratch } from "./scratch.ts";

let scratch: Scratch;
beforeEach(() => void (scratch = createScratch()));
afterEach(() => scratch.stop());

const pointer = (oid: string): string =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${oid.repeat(32)}\nsize 6\n`;
const attributes = { ".gitattributes": "*.bin filter=lfs -text\n" };
const elsewhere = { ".lfsconfig": "[lfs]\n\turl = https://evil.example/lfs\n" };

/**
 * What of git-lfs matters here: large files that are excluded stay pointers, the address is the
 * configuration's, else that of `.lfsconfig` in the work tree, in the index and in HEAD, else the
 * remote's; and each address that it would ask is noted.
 */
function largeFiles(): void {
  const program = join(scratch.folder, "large-files.sh");
  scratch.write(scratch.folder, {
    "large-files.sh": `#!/bin/sh
[ "$(git config lfs.fetchexclude)" = "*" ] && asked=no
url=$(git config lfs.url)
if [ -f .lfsconfig ]; then [ -n "$url" ] || url=$(git config -f .lfsconfig lfs.url)
else for at in : HEAD:; do [ -n "$url" ] || url=$(git config --blob $at.lfsconfig lfs.url); done; fi
[ -n "$url" ] || url=$(git config remote.origin.url)
echo "$url" >> ${scratch.folder}/addresses
if [ "$asked" = no ]; then cat; else cat > /dev/null; echo large; fi
`,
    "home/.gitconfig": `[filter "lfs"]\n\tsmudge = ${program}\n\tclean = cat\n\trequired = true\n`,
  });
  chmodSync(program, 0o755);
}

const addresses = (): string =>
  existsSync(join(scratch.folder, "addresses"))
    ? readFileSync(join(scratch.folder, "addresses"), "utf8")
    : "";

const stranger = { headBranch: "patch", restoreFrom: { branch: "main" } };

async function prepared(strategy: "worktree" | "clone", more: object = {}, pool = 0) {
  const workspace = createWorkspace({ ...scratch.options, strategy, pool });
  const made = await workspace.prepare(requestFor(scratch, 7, more));
  if (made.kind !== "ready") throw new Error(`${made.code}: ${made.detail}`);
  return { ...made, workspace };
}

describe.each(["worktree", "clone"] as const)("large files (%s)", (strategy) => {
  test("no address that a stranger's head names is asked, and its large files stay pointers", async () => {
    scratch.commit({});
    scratch.offer({ ...attributes, ...elsewhere, "x.bin": pointer("ab") });
    largeFiles();
    const { workdir, workspace, notes } = await prepared(strategy, stranger);
    expect(readFileSync(join(workdir, "x.bin"), "utf8")).toBe(pointer("ab"));
    expect(notes.map((note) => formatPlain(note)).join()).toContain("git lfs pull");
    await workspace.release(requestFor(scratch, 7).workItem);
    await workspace.undoCleanup(requestFor(scratch, 7).workItem);
    expect(addresses()).not.toContain("evil");
  });

  test("an authorized person's head gets its large files from where the repository says", async () => {
    scratch.commit({ ...attributes, ...elsewhere, "x.bin": pointer("ab") });
    largeFiles();
    const { workdir, notes } = await prepared(strategy);
    expect(readFileSync(join(workdir, "x.bin"), "utf8")).toBe("large\n");
    expect(addresses()).toContain("evil");
    expect(notes).toEqual([]);
  });

  test("a session in a stranger's head has the base's addresses, or none", async () => {
    scratch.commit({});
    scratch.offer(elsewhere);
    const { workdir, workspace } = await prepared(strategy, stranger);
    // Where there is none, the large-file extension takes the one of the index.
    expect(readFileSync(join(workdir, ".lfsconfig"), "utf8")).toBe("");
    expect(scratch.git(workdir, "status", "--porcelain")).toBe("");
    expect(await workspace.release(requestFor(scratch, 7).workItem)).toMatchObject({
      kind: "released",
      salvage: null,
    });
  });
});

test("a warm worktree that is moved to a stranger's head asks no address of it", async () => {
  scratch.commit({});
  scratch.offer({ ...attributes, ...elsewhere, "x.bin": pointer("ab") });
  const { workspace } = await prepared("worktree", {}, 1);
  await workspace.release(requestFor(scratch, 7).workItem);
  largeFiles();
  const { workdir } = await prepared("worktree", stranger, 1);
  expect(readFileSync(join(workdir, "x.bin"), "utf8")).toBe(pointer("ab"));
  expect(addresses()).not.toContain("evil");
});

test("a worktree of a stranger's head isn't kept warm: the next item would find its pointers", async () => {
  scratch.commit({});
  scratch.offer({ "src/gate.txt": "open\n" });
  const { workdir, workspace } = await prepared("worktree", stranger, 1);
  await workspace.release(requestFor(scratch, 7).workItem);
  const pool = join(workdir, "..", ".pool");
  expect(existsSync(pool) ? readdirSync(pool) : []).toEqual([]);
});

test("files that another request began to write are a stranger's head's still", async () => {
  scratch.commit({});
  scratch.offer({ ...attributes, ...elsewhere, "x.bin": pointer("ab") });
  scratch.write(scratch.home, {
    ".gitconfig": '[filter "lfs"]\n\tsmudge = false\n\tclean = cat\n\trequired = true\n',
  });
  await expect(prepared("worktree", stranger)).rejects.toThrow("git reset");
  largeFiles();
  const { workdir } = await prepared("worktree");
  expect(readFileSync(join(workdir, "x.bin"), "utf8")).toBe(pointer("ab"));
  expect(addresses()).not.toContain("evil");
});
