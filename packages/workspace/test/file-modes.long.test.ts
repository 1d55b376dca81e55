import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createGit, type Git } from "../src/git.ts";
import { createWorkspace } from "../src/index.ts";
import { formatRights, parseRights } from "../src/file-modes.ts";
import { createCheckouts } from "../src/workspace.ts";
import { portrait } from "./dirt.ts";
import { createScratch, requestFor, type Scratch } from "./scratch.ts";

let scratch: Scratch;
beforeEach(() => void (scratch = createScratch()));
afterEach(() => scratch.stop());

const workItem = requestFor({ cloneUrl: "" }).workItem;

async function checkout(workspace = scratch.workspace): Promise<string> {
  const made = await workspace.prepare(requestFor(scratch, 7));
  if (made.kind !== "ready") throw new Error(`${made.code}: ${made.detail}`);
  return made.workdir;
}

async function released(workspace = scratch.workspace): Promise<string> {
  const result = await workspace.release(workItem);
  if (result.kind !== "released" || result.salvage === null)
    throw new Error(JSON.stringify(result));
  return result.salvage;
}

const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8);

for (const strategy of ["worktree", "clone"] as const) {
  test(`rights and empty folders come back with the work (${strategy})`, async () => {
    const workspace = createWorkspace({ ...scratch.options, strategy });
    const workdir = await checkout(workspace);
    for (const [name, mode] of [
      ["secret", 0o600],
      ["own-tool", 0o700],
      ["open", 0o666],
      ["read-only", 0o444],
    ] as const) {
      writeFileSync(join(workdir, name), name);
      chmodSync(join(workdir, name), mode);
    }
    chmodSync(join(workdir, "README.md"), 0o600);
    mkdirSync(join(workdir, "empty/in/empty"), { recursive: true });
    mkdirSync(join(workdir, "private"));
    writeFileSync(join(workdir, "private/key"), "x");
    for (const folder of ["private", "src", "empty/in", "."])
      chmodSync(join(workdir, folder), 0o750);
    const before = portrait(workdir, scratch);
    await released(workspace);
    expect(await workspace.undoCleanup(workItem)).toEqual({
      kind: "restored",
      checkouts: [workdir],
      notes: [],
    });
    expect(portrait(workdir, scratch)).toEqual(before);
    expect(
      [
        "secret",
        "own-tool",
        "open",
        "read-only",
        "README.md",
        "private",
        "private/key",
        "empty/in",
        ".",
      ].map((name) => modeOf(join(workdir, name))),
    ).toEqual(["600", "700", "666", "444", "600", "750", "644", "750", "750"]);
    expect(scratch.git(workdir, "status", "--porcelain").split("\n")).toHaveLength(5);
  });
}

test("what was written under a narrow umask does not come back wider under another", async () => {
  const workdir = await checkout();
  writeFileSync(join(workdir, "new.txt"), "x");
  const folder = await released();
  const narrow = {
    usual: { file: 0o600, program: 0o700, folder: 0o700 },
    others: new Map([["src/", 0o755]]),
    bare: [],
  };
  writeFileSync(join(folder, "rights.json"), formatRights(narrow));
  expect(await scratch.workspace.undoCleanup(workItem)).toMatchObject({
    kind: "restored",
    notes: [],
  });
  expect(
    ["new.txt", "README.md", "src", "src/gate.txt", "."].map((name) => modeOf(join(workdir, name))),
  ).toEqual(["600", "600", "755", "600", "700"]);
});

test("until everything has its rights back nobody else can get in", async () => {
  const workdir = await checkout();
  writeFileSync(join(workdir, "secret"), "x", { mode: 0o600 });
  await released();
  const seen: string[] = [];
  const real = createGit(scratch.env);
  const watching: Git = {
    ...real,
    run: async (where, args, more) => {
      const printed = await real.run(where, args, more);
      if (existsSync(join(workdir, "secret"))) seen.push(modeOf(workdir));
      return printed;
    },
  };
  expect(await createCheckouts(scratch.options, watching).undoCleanup(workItem)).toMatchObject({
    kind: "restored",
  });
  expect(new Set(seen)).toEqual(new Set(["700"]));
  expect([modeOf(workdir), modeOf(join(workdir, "secret"))]).toEqual(["755", "600"]);
});

test("a salvage of an earlier version, without rights, comes back with the usual ones", async () => {
  const workdir = await checkout();
  writeFileSync(join(workdir, "new.txt"), "x", { mode: 0o600 });
  rmSync(join(await released(), "rights.json"));
  expect(await scratch.workspace.undoCleanup(workItem)).toMatchObject({
    kind: "restored",
    notes: [],
  });
  expect([modeOf(workdir), modeOf(join(workdir, "new.txt"))]).toEqual(["755", "644"]);
});

test("ignored files, links and repositories inside have no part in it", async () => {
  writeFileSync(
    join(scratch.home, ".gitconfig"),
    `[core]\n\texcludesFile = ${scratch.home}/ignored\n`,
  );
  writeFileSync(join(scratch.home, "ignored"), "cache/\n*.log\n");
  const outside = join(scratch.folder, "outside");
  mkdirSync(outside, { mode: 0o700 });
  const workdir = await checkout();
  scratch.write(workdir, { "cache/file": "x", "logs/a.log": "x", "new.txt": "x" });
  mkdirSync(join(workdir, "cache/empty"));
  symlinkSync(outside, join(workdir, "link"));
  scratch.git(
    workdir,
    "clone",
    "-q",
    `file://${scratch.remotes}/garden.git`,
    join(workdir, "inner"),
  );
  const folder = await released();
  const rights = parseRights(readFileSync(join(folder, "rights.json"), "utf8"));
  expect(rights).toMatchObject({ others: new Map(), bare: [] });
  if (rights !== null)
    writeFileSync(
      join(folder, "rights.json"),
      formatRights({ ...rights, bare: ["link/into/", "src/gate.txt/in/"] }),
    );
  expect(await scratch.workspace.undoCleanup(workItem)).toMatchObject({
    kind: "restored",
    notes: ["2 files or folders have other rights than they had, the first is link/into/"],
  });
  expect([readdirSync(outside), modeOf(outside)]).toEqual([[], "700"]);
  expect(readdirSync(workdir).toSorted()).toEqual([".git", "README.md", "link", "new.txt", "src"]);
});

describe("the list of rights", () => {
  test("is read as it was written, whatever the names", () => {
    const rights = {
      usual: { file: 0o644, program: 0o755, folder: 0o755 },
      others: new Map([
        ["", 0o700],
        ["caf\udce9\n", 0o4755],
      ]),
      bare: ["d\udcff/"],
    };
    expect(parseRights(Buffer.from(formatRights(rights)).toString())).toEqual(rights);
  });

  test("that is none gives none, and rows that are none are passed over", () => {
    for (const text of [
      "null",
      "[]",
      '{"usual":{"file":1},"others":[],"bare":[]}',
      '{"usual":{"file":"6","program":1,"folder":1},"others":[],"bare":[]}',
    ])
      expect(parseRights(text)).toBeNull();
    expect(
      parseRights(
        '{"usual":{"file":1,"program":2,"folder":3},"others":[["a",8192],["b",-1],["c",1.5],[1,1],["d",7]],"bare":[1,"e/"]}',
      ),
    ).toEqual({
      usual: { file: 1, program: 2, folder: 3 },
      others: new Map([["d", 7]]),
      bare: ["e/"],
    });
  });
});

test("a folder that its owner took all rights from keeps the checkout: git passes over what it cannot read", () => {
  const script = fileURLToPath(new URL("lock-out.ts", import.meta.url));
  // As a user who is bound by rights; whoever runs the tests may be root.
  const root = process.getuid?.() === 0;
  if (root)
    for (const path of [
      scratch.folder,
      ...readdirSync(scratch.folder, { recursive: true, encoding: "utf8" }).map((name) =>
        join(scratch.folder, name),
      ),
    ])
      chownSync(path, 65_534, 65_534);
  const printed = execFileSync(
    process.execPath,
    ["--conditions=@loopwork/source", script, scratch.folder],
    { encoding: "utf8", env: scratch.env, ...(root ? { uid: 65_534, gid: 65_534 } : {}) },
  );
  expect(JSON.parse(printed)).toEqual({ kind: "kept", there: true });
});
