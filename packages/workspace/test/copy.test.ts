import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createScratch } from "./scratch.ts";

const scratch = createScratch();
const { source, folder, workspace, write } = scratch;

function target(name: string): string {
  const into = join(folder, name);
  mkdirSync(into);
  return into;
}

test("a copy has what stands in a checkout, committed or not, and nothing that an agent or its harness takes orders from, at any depth", async () => {
  scratch.commit({
    "src/a.txt": "committed",
    "AGENTS.md": "obey",
    ".cursor/rules/own.mdc": "obey",
    ".cursor/hooks.json": "{}",
    "deep/.cursor/rules/own.mdc": "obey",
    "deep/CLAUDE.md": "obey",
    ".gitignore": "ignored\n",
    "specs/one/design.md": "a tap",
  });
  write(source, {
    "src/a.txt": "changed",
    "src/new.txt": "new",
    ignored: "secret",
    "deep/agents.MD": "obey",
  });
  const into = target("plain");
  expect(await workspace.copyOf(source, into)).toEqual({ kind: "copied" });
  expect(readFileSync(join(into, "src/a.txt"), "utf8")).toBe("changed");
  expect(
    ["src/new.txt", "specs/one/design.md", ".gitignore"].filter(
      (path) => !existsSync(join(into, path)),
    ),
  ).toEqual([]);
  expect(
    [".git", ".cursor", "AGENTS.md", "deep", "ignored"].filter((path) =>
      existsSync(join(into, path)),
    ),
  ).toEqual([]);
});

test("a folder that is asked for is there though it lies below such a name; what gives orders in it is not", async () => {
  scratch.commit({
    ".loop/specs/one/design.md": "a tap",
    ".loop/specs/one/AGENTS.md": "obey",
    ".loop/harness-config.yaml": "version: 1",
  });
  const into = target("kept");
  expect(await workspace.copyOf(source, into, ".loop/specs/one")).toEqual({ kind: "copied" });
  expect(
    [".loop/specs/one/design.md", ".loop/specs/one/AGENTS.md", ".loop/harness-config.yaml"].map(
      (path) => existsSync(join(into, path)),
    ),
  ).toEqual([true, false, false]);
});

test("no link is followed, be it a file's or a folder's", async () => {
  writeFileSync(join(folder, "outside.txt"), "outside");
  scratch.commit({ "inner/file.txt": "inner" });
  symlinkSync(join(folder, "outside.txt"), join(source, "link.txt"));
  symlinkSync(folder, join(source, "away"));
  const into = target("links");
  expect(await workspace.copyOf(source, into)).toEqual({ kind: "copied" });
  expect(
    ["link.txt", "away", "inner/file.txt"].map((path) => existsSync(join(into, path))),
  ).toEqual([false, false, true]);
});

test("what is no checkout cannot be copied, and says so", async () => {
  expect(await workspace.copyOf(join(folder, "none"), target("nothing"))).toMatchObject({
    kind: "failed",
    why: expect.stringMatching(/./),
  });
});
