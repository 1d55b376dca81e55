import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hooksFolders } from "../src/hooks-folder.ts";
import { createGit } from "../src/git.ts";
import { createWorkspace } from "../src/index.ts";
import { createScratch, requestFor, type Scratch } from "./scratch.ts";

let scratch: Scratch;
beforeEach(() => void (scratch = createScratch()));
afterEach(() => scratch.stop());

const hooks = "[core]\n\thooksPath = tools/hooks\n";

/** Files of a home in which the folder of hooks is named under a condition. */
const conditions: readonly (readonly [
  string,
  (root: string) => Readonly<Record<string, string>>,
])[] = [
  [
    "a place",
    (root) => ({
      ".gitconfig": `[includeIf "gitdir:${root}/"]\n\tpath = ~/work.inc\n`,
      "work.inc": hooks,
    }),
  ],
  [
    "a remote",
    () => ({
      ".gitconfig": '[includeIf "hasconfig:remote.*.url:file://**"]\n\tpath = work.inc\n',
      "work.inc": hooks,
    }),
  ],
  [
    "a branch that the session makes later",
    () => ({
      ".gitconfig": '[includeIf "onbranch:fix"]\n\tpath = work.inc\n',
      "work.inc": hooks,
    }),
  ],
  [
    "an include of an include",
    () => ({
      ".config/git/config": "[include]\n\tpath = more/one.inc\n",
      ".config/git/more/one.inc": '[includeIf "gitdir/i:/"]\n\tpath = ../two.inc\n',
      ".config/git/two.inc": `${hooks}[include]\n\tpath = missing\n`,
    }),
  ],
];

describe.each(["worktree", "clone"] as const)("the user's own hooks (%s)", (strategy) => {
  test.each(conditions)("are the base's where %s decides on them", async (_what, files) => {
    scratch.commit({ "tools/hooks/pre-commit": "#!/bin/sh\nexit 0\n" });
    scratch.offer({ "tools/hooks/pre-commit": "evil\n", "tools/hooks/pre-push": "evil\n" });
    scratch.write(scratch.home, files(join(scratch.folder, "root")));
    const made = await createWorkspace({ ...scratch.options, strategy }).prepare(
      requestFor(scratch, 7, { headBranch: "patch", restoreFrom: { branch: "main" } }),
    );
    if (made.kind !== "ready") throw new Error(`${made.code}: ${made.detail}`);
    scratch.git(made.workdir, "switch", "-q", "-c", "fix");
    expect(scratch.git(made.workdir, "config", "core.hooksPath")).toBe("tools/hooks");
    const folder = join(made.workdir, "tools/hooks");
    expect(readFileSync(join(folder, "pre-commit"), "utf8")).toBe("#!/bin/sh\nexit 0\n");
    expect(existsSync(join(folder, "pre-push"))).toBe(false);
  });
});

test("folders of hooks come from the environment and each file of the user's, once", async () => {
  scratch.write(scratch.home, {
    ".gitconfig": `${hooks}[include]\n\tpath = work.inc\n`,
    "work.inc":
      '[core]\n\thooksPath = ./tools//hooks/\n\thooksPath = "a\\nb"\n\thooksPath = ../x\n',
  });
  const env = {
    ...scratch.env,
    ...{
      GIT_CONFIG_COUNT: "2",
      GIT_CONFIG_KEY_0: "core.hooksPath",
      GIT_CONFIG_VALUE_0: "env/hooks",
    },
    ...{ GIT_CONFIG_KEY_1: "include.path", GIT_CONFIG_VALUE_1: join(scratch.home, "env.inc") },
  };
  scratch.write(scratch.home, { "env.inc": "[core]\n\thooksPath = env/more\n" });
  expect((await hooksFolders(createGit(env))).toSorted()).toEqual(
    ["tools/hooks", "a\nb", "env/hooks", "env/more"].toSorted(),
  );
  expect(await hooksFolders(createGit({ ...scratch.env, HOME: scratch.folder }))).toEqual([]);
});
