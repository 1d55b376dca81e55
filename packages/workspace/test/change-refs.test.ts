import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { changeHead, changeRefs, packRefs, type RefChange } from "../src/change-refs.ts";
import { decodeName } from "../src/names.ts";
import { inFolder } from "../src/no-follow-folder.ts";
import { readRefs } from "../src/records.ts";
import { createScratch, type Scratch } from "./scratch.ts";

let scratch: Scratch;
let clone: string;
let [one, other]: [string, string] = ["", ""];
beforeEach(() => {
  scratch = createScratch();
  clone = scratch.source;
  one = scratch.git(clone, "rev-parse", "HEAD");
  other = scratch.git(clone, "commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "other");
});
afterEach(() => scratch.stop());

const change = (entries: Readonly<Record<string, RefChange>>): Promise<void> =>
  changeRefs(clone, new Map(Object.entries(entries)));
const gitSees = (below: string): Readonly<Record<string, string>> => {
  const rows = scratch.git(clone, "for-each-ref", "--format=%(refname) %(objectname)", below);
  return Object.fromEntries(
    rows
      .split("\n")
      .filter((row) => row !== "")
      .map((row) => row.split(" ")),
  );
};

describe("references of a clone", () => {
  test.each([false, true])(
    "are what git then sees, whether they were packed or not (%s)",
    async (isPacked) => {
      await change({
        "refs/remotes/origin/a": { to: one },
        "refs/remotes/origin/b/c": { to: one },
      });
      if (isPacked) scratch.git(clone, "pack-refs", "--all");
      await change({
        "refs/remotes/origin/a": { to: other },
        "refs/remotes/origin/b/c": { to: null },
      });
      expect(gitSees("refs/remotes")).toEqual({ "refs/remotes/origin/a": other });
      expect(existsSync(join(clone, ".git/refs/remotes/origin/b"))).toBe(false);
      expect(scratch.git(clone, "fsck", "--no-dangling")).toBe("");
    },
  );

  test("may take the place of a folder, and a folder theirs", async () => {
    await change({ "refs/remotes/origin/a": { to: one }, "refs/remotes/origin/b/c": { to: one } });
    await change({
      "refs/remotes/origin/a/x": { to: one },
      "refs/remotes/origin/a": { to: null },
      "refs/remotes/origin/b": { to: other },
      "refs/remotes/origin/b/c": { to: null },
    });
    mkdirSync(join(clone, ".git/refs/remotes/origin/hollow/deep"), { recursive: true });
    await change({ "refs/remotes/origin/hollow": { to: one } });
    expect(gitSees("refs/remotes")).toEqual({
      "refs/remotes/origin/a/x": one,
      "refs/remotes/origin/b": other,
      "refs/remotes/origin/hollow": one,
    });
  });

  test("are put into one file where they are many, in the order of their bytes", async () => {
    const odd = decodeName(Buffer.from("refs/remotes/origin/\xe9", "latin1"));
    const names = [
      ...Array.from({ length: 150 }, (_, at) => `refs/remotes/origin/n${at}`),
      "refs/remotes/origin/Z",
      "refs/remotes/origin/\u{1f600}",
      odd,
    ];
    scratch.git(clone, "tag", "-a", "-m", "tag", "v1");
    const tag = scratch.git(clone, "rev-parse", "v1");
    await change({ "refs/remotes/origin/n1": { to: other } });
    scratch.git(clone, "pack-refs", "--all");
    await change({ "refs/remotes/origin/n2": { to: other } });
    await changeRefs(
      clone,
      new Map([
        ...names.map((name) => [name, { to: one }] as const),
        ["refs/tags/v2", { to: tag }],
      ]),
    );
    expect(readdirSync(join(clone, ".git/refs/remotes/origin"))).toEqual([]);
    expect((await readRefs(join(clone, ".git"), ["refs/remotes/"])).size).toBe(names.length);
    expect(scratch.git(clone, "rev-parse", ...names.slice(0, 150)).split("\n")).toEqual(
      Array.from({ length: 150 }, () => one),
    );
    expect(scratch.gitBytes(clone, "rev-parse", "refs/remotes/origin/\xe9").trim()).toBe(one);
    expect(scratch.git(clone, "rev-parse", "v1^{}", "v2^{}")).toBe(`${one}\n${one}`);
    expect(scratch.git(clone, "show-ref", "-d", "v2")).toBe(
      `${tag} refs/tags/v2\n${one} refs/tags/v2^{}`,
    );
  });

  test("stay what somebody changed them to meanwhile when they are packed", async () => {
    await change({ "refs/remotes/origin/a": { to: one }, "refs/remotes/origin/b": { to: one } });
    const seen = await readRefs(join(clone, ".git"), ["refs/remotes/"]);
    scratch.git(clone, "update-ref", "refs/remotes/origin/b", other);
    await packRefs(clone, seen);
    expect(gitSees("refs/remotes")).toEqual({
      "refs/remotes/origin/a": one,
      "refs/remotes/origin/b": other,
    });
    expect(readdirSync(join(clone, ".git/refs/remotes/origin"))).toEqual(["b"]);
  });

  test("don't change where they are no longer what they were taken for", async () => {
    await change({ "refs/heads/x": { to: one } });
    await expect(change({ "refs/heads/x": { to: other, from: other } })).rejects.toMatchObject({
      code: "LOOP_E_WORKSPACE_GIT",
    });
    expect([gitSees("refs/heads/x"), existsSync(join(clone, ".git/refs/heads/x.lock"))]).toEqual([
      { "refs/heads/x": one },
      false,
    ]);
  });

  test("don't lead to another reference: one that is symbolic is replaced", async () => {
    scratch.git(clone, "symbolic-ref", "refs/remotes/origin/x", "refs/heads/main");
    await change({ "refs/remotes/origin/x": { to: other } });
    expect([gitSees("refs/remotes/origin/x"), scratch.git(clone, "rev-parse", "main")]).toEqual([
      { "refs/remotes/origin/x": other },
      one,
    ]);
  });

  test.each(["refs/heads/x.lock", "refs/remotes/origin/main.lock", "packed-refs.lock"])(
    "wait for whoever holds %s",
    async (lock) => {
      await change({ "refs/heads/x": { to: one }, "refs/remotes/origin/main": { to: one } });
      if (lock.startsWith("packed")) scratch.git(clone, "pack-refs", "--all");
      writeFileSync(join(clone, ".git", lock), "");
      const name = lock.startsWith("refs") ? lock.slice(0, -".lock".length) : "refs/heads/x";
      const changed = change({ [name]: { to: null } });
      await expect(changed).rejects.toMatchObject({
        cause: { message: `Unable to create '${join(clone, ".git", lock)}': File exists.` },
      });
      expect(gitSees(name)).toEqual({ [name]: one });
    },
  );

  test.each(["refs/../x", "HEAD", "refs/heads/a..b", "refs/heads/x.lock", "refs/heads//x"])(
    "have a name that git has for one, which %s isn't",
    async (name) => {
      await expect(change({ [name]: { to: one } })).rejects.toThrow("is no reference");
    },
  );

  test("have no log where git had none, and HEAD neither", async () => {
    const logs = readFileSync(join(clone, ".git/logs/HEAD"), "utf8");
    await change({ "refs/remotes/origin/a": { to: one } });
    await changeHead(clone, other);
    expect(scratch.git(clone, "rev-parse", "HEAD")).toBe(other);
    await changeHead(clone, "refs/heads/main");
    expect(scratch.git(clone, "symbolic-ref", "HEAD")).toBe("refs/heads/main");
    expect([
      readFileSync(join(clone, ".git/logs/HEAD"), "utf8"),
      existsSync(join(clone, ".git/logs/refs/remotes")),
    ]).toEqual([logs, false]);
  });
});

describe.each([false, true])("a folder that is reached step by step (by names: %s)", (byNames) => {
  const reach = (segments: readonly string[], make?: number): Promise<readonly string[] | null> =>
    inFolder(scratch.folder, segments, async (folder) => readdirSync(folder), {
      byNames,
      ...(make === undefined ? {} : { make }),
    });

  test("is made where it is missing, if it may be", async () => {
    expect(await reach(["a", "b"])).toBe(null);
    expect(await reach(["a", "b"], 0o700)).toEqual([]);
    expect(lstatSync(join(scratch.folder, "a/b")).mode & 0o777).toBe(0o700);
  });

  test.each([["a"], ["a", "src"], ["a", "new"]])(
    "isn't reached through a link: %s %s",
    async (...segments) => {
      symlinkSync(scratch.source, join(scratch.folder, "a"));
      await expect(reach(segments, 0o700)).rejects.toMatchObject({ code: "LOOP_E_WORKSPACE_LINK" });
      expect(existsSync(join(scratch.source, "new"))).toBe(false);
    },
  );

  test("isn't a file, and isn't reached through one", async () => {
    writeFileSync(join(scratch.folder, "a"), "");
    for (const segments of [["a"], ["a", "b"]]) {
      await expect(reach(segments)).rejects.toMatchObject({ code: "LOOP_E_WORKSPACE_LINK" });
    }
  });
});

test("a folder that is exchanged for a link while it is worked in leads nowhere else", async () => {
  const [folder, target] = [join(scratch.folder, "a"), join(scratch.folder, "b")];
  mkdirSync(folder);
  mkdirSync(target);
  await inFolder(scratch.folder, ["a"], async (at) => {
    renameSync(folder, `${folder}-moved`);
    symlinkSync(target, folder);
    writeFileSync(join(at, "file"), "");
  });
  expect([readdirSync(target), readdirSync(`${folder}-moved`)]).toEqual([[], ["file"]]);
});
