import { mkdirSync, symlinkSync } from "node:fs";
import { join, sep } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isBranchName } from "../src/branch.ts";
import { layoutOf, placeOf } from "../src/layout.ts";
import { openRoot, refuseLinks } from "../src/root.ts";
import { createScratch, type Scratch } from "./scratch.ts";

const root = `${sep}root`;
const repository = { host: "example.org", owner: "maria", name: "garden" };
const workItem = { host: null, owner: "maria", repo: "garden", number: 7 };
const hostile = [
  "..",
  ".",
  ".git",
  "a/b",
  "a\\b",
  "CON",
  "con.txt",
  "lpt1",
  "-x",
  "",
  " ",
  "x".repeat(300),
  "gard\u0065\u0301n",
  "gardén",
  "%2f",
  "a%2fb",
  "a\0b",
  "a\nb",
  "a:b",
  "garden.git",
  "~",
  "$HOME",
  "*",
  "a b",
];

describe("W01: names are checked before any path is made", () => {
  for (const name of hostile) {
    test(`${JSON.stringify(name.slice(0, 20))} as owner, repository and host`, () => {
      for (const odd of [{ owner: name }, { name }, { host: name }]) {
        if ("host" in odd && ["CON", "lpt1", "con.txt", "garden.git"].includes(name)) continue;
        expect(() => placeOf({ ...repository, ...odd })).toThrow(
          expect.objectContaining({ code: "LOOP_E_WORKSPACE_NAME" }),
        );
      }
      expect(() =>
        layoutOf(
          root,
          placeOf(repository),
          { ...workItem, repo: ["CON", "con.txt", "lpt1"].includes(name) ? ".." : name },
          "worktree",
        ),
      ).toThrow();
    });
  }

  test("whatever passes stays below the root, one folder a segment", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 30 }),
        fc.string({ maxLength: 30 }),
        fc.string({ maxLength: 30 }),
        (host, owner, name) => {
          const place = orNull(() => placeOf({ host, owner, name }));
          if (place === null) return;
          const layout = layoutOf(root, place, workItem, "worktree");
          expect(layout.clone.startsWith(root + sep)).toBe(true);
          expect(layout.clone.split(sep)).toHaveLength(5);
          expect(layout.checkout.split(sep)).toHaveLength(7);
        },
      ),
    );
  });

  test("twins in upper and lower case share a place; different refs never do; no clone lies where checkouts do", () => {
    expect(placeOf({ host: "Example.ORG", owner: "Maria", name: "Garden" })).toEqual(
      placeOf(repository),
    );
    const name = fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,6}$/);
    fc.assert(
      fc.property(name, name, name, name, fc.nat(99), fc.nat(99), (a, b, c, d, one, other) => {
        const at = (owner: string, repo: string, number: number) =>
          orNull(
            () =>
              layoutOf(
                root,
                placeOf({ host: "h.org", owner, name: repo }),
                { host: null, owner, repo, number: number + 1 },
                "worktree",
              ).checkout,
          );
        const [left, right] = [at(a, b, one), at(c, d, other)];
        if (left !== null && left === right) expect([a, b, one]).toEqual([c, d, other]);
      }),
    );
    expect(() => placeOf({ ...repository, host: ".worktrees" })).toThrow();
  });
});

describe("W02: names of branches", () => {
  test("no option, no revision syntax, nothing that git refuses", () => {
    const bad = [
      "--upload-pack=cmd",
      "-b",
      "a..b",
      "a b",
      "a~1",
      "a^",
      "a:b",
      "a?",
      "a*",
      "a[",
      "a\\b",
      "@",
      "a@{1}",
      "a.lock",
      "x.lock/y",
      ".a",
      "a/.b",
      "a//b",
      "/a",
      "a/",
      "a.",
      "",
      "a\0",
      "a\nb",
      "\u007f",
      "x".repeat(256),
    ];
    expect(bad.filter(isBranchName)).toEqual([]);
    expect(
      ["main", "issue-7", "feature/gate", "ünïcode", "a.b", "release/1.0"].every(isBranchName),
    ).toBe(true);
  });
});

describe("W12: unsafe roots", () => {
  let scratch: Scratch;
  beforeEach(() => void (scratch = createScratch()));
  afterEach(() => scratch.stop());

  test("the file system's root, the home folder, what holds it, and links are refused", async () => {
    const link = join(scratch.folder, "link");
    symlinkSync(scratch.source, link);
    for (const bad of [sep, scratch.home, scratch.folder, link])
      await expect(openRoot(bad, scratch.home)).rejects.toMatchObject({
        code: "LOOP_E_WORKSPACE_ROOT",
      });
    expect(await openRoot(join(scratch.home, "workspaces"), scratch.home)).toBe(
      join(scratch.home, "workspaces"),
    );
  });

  test("a root behind a link is taken as the place it is, and may not be the home folder in disguise", async () => {
    const link = join(scratch.folder, "way");
    symlinkSync(scratch.folder, link);
    expect(await openRoot(join(link, "deep", "root"), scratch.home)).toBe(
      join(scratch.folder, "deep", "root"),
    );
    await expect(openRoot(join(link, "home"), scratch.home)).rejects.toMatchObject({
      code: "LOOP_E_WORKSPACE_ROOT",
    });
  });

  test("W09: a link on the way from the root to a checkout is refused", async () => {
    const base = join(scratch.folder, "root");
    mkdirSync(base);
    symlinkSync(scratch.home, join(base, "example.org"));
    await expect(refuseLinks(base, ["example.org", "maria"])).rejects.toMatchObject({
      code: "LOOP_E_WORKSPACE_LINK",
    });
    await refuseLinks(base, ["other.org", "maria"]);
  });
});

function orNull<T>(make: () => T): T | null {
  try {
    return make();
  } catch {
    return null;
  }
}
