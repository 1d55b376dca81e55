import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorkspace } from "../src/index.ts";
import { planRestore, type TreeEntry } from "../src/protected-paths.ts";
import { createScratch, requestFor, type Scratch } from "./scratch.ts";

let scratch: Scratch;
beforeEach(() => void (scratch = createScratch()));
afterEach(() => scratch.stop());

const base = {
  ".claude/settings.json": '{"permissions":{"deny":["Read(secrets/**)"]}}\n',
  "CLAUDE.md": "Never push to main. $Id$\n",
  ".githooks/pre-commit": "#!/bin/sh\nexit 1\n",
  "docs/rules.md": "base\n",
  "AGENTS.md": "See @docs/rules.md\n",
};

/** What a head says about the base's files. */
const attributes = [
  ".claude/** text working-tree-encoding=UTF-16",
  "CLAUDE.md ident text working-tree-encoding=UTF-16",
  ".githooks/** text eol=crlf",
  "docs/rules.md filter=own",
  "AGENTS.md crlf",
  "",
].join("\n");

describe.each(["worktree", "clone"] as const)(
  "attributes of a head that is not an authorized person's (%s)",
  (strategy) => {
    test.each([
      ["where the head has others", Object.keys(base), {}],
      ["where the head has the same", [], {}],
      ["where the head has them in a folder", [], { "docs/.gitattributes": "* filter=own\n" }],
    ])("don't change a byte of the base's files, %s", async (_where, gone, more) => {
      scratch.write(scratch.home, {
        ".gitconfig":
          '[filter "own"]\n\tsmudge = sed s/base/evil/\n\tclean = cat\n[core]\n\tautocrlf = true\n',
      });
      scratch.commit(base);
      scratch.offer({ ".gitattributes": attributes, ...more }, gone);
      const made = await createWorkspace({ ...scratch.options, strategy }).prepare(
        requestFor(scratch, 7, { headBranch: "patch", restoreFrom: { branch: "main" } }),
      );
      if (made.kind !== "ready") throw new Error(`${made.code}: ${made.detail}`);
      for (const [path, text] of Object.entries(base)) {
        if (path === "docs/rules.md" && gone.length > 0) continue;
        expect([path, readFileSync(join(made.workdir, path), "latin1")]).toEqual([path, text]);
      }
      expect(scratch.git(made.workdir, "status", "--porcelain")).toBe("");
    });
  },
);

const entry = (path: string, blob: string): TreeEntry => ({ mode: "100644", blob, path });
const contents = { leadsTo: (): string => "/", imports: [], hooks: [] };

test.each([
  ["a folder's", "sub/.gitattributes"],
  ["one that a file system takes for it", ".GitAttributes"],
])("files that head and base share are written anew where attributes differ: %s", (_what, path) => {
  const shared = [entry("CLAUDE.md", "1"), entry("code", "1")];
  expect(planRestore([...shared, entry(path, "2")], shared, contents)).toMatchObject({
    write: [entry("CLAUDE.md", "1")],
    added: [],
  });
  expect(planRestore(shared, [...shared, entry(path, "2")], contents).write).toHaveLength(1);
  const same = [...shared, entry(path, "2")];
  expect(planRestore(same, same, contents).write).toEqual([]);
});
