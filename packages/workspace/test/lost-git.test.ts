import { GitLost, type RunGit } from "@loopwork/core/ports";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createGit } from "../src/git.ts";
import { createWorkspace, runGit } from "../src/index.ts";
import { createScratch, requestFor, type Scratch } from "./scratch.ts";

let scratch: Scratch;
beforeEach(() => void (scratch = createScratch()));
afterEach(() => scratch.stop());

/**
 * Git whose end nobody sees the first time that its arguments hold this word; what it does is done.
 */
function losing(word: string): { readonly run: RunGit; readonly asked: () => number } {
  let asked = 0;
  return {
    asked: () => asked,
    async run(plan) {
      const printed = await runGit(plan);
      if (plan.args.includes(word) && ++asked === 1) throw new GitLost();
      return printed;
    },
  };
}

describe("a command of git of which nobody saw the end", () => {
  test("is asked again when it only reads", async () => {
    const git = losing("ls-remote");
    expect(
      await createGit(scratch.env, git.run).run(
        { kind: "nowhere" },
        ["ls-remote", scratch.cloneUrl],
        { protocol: "file" },
      ),
    ).toContain("refs/heads/main");
    expect(git.asked()).toBe(2);
  });

  test("is told as it is, and not repeated, when it writes", async () => {
    const git = losing("init");
    await expect(
      createGit(scratch.env, git.run).run({ kind: "new", clone: scratch.home }, [
        "init",
        "--quiet",
      ]),
    ).rejects.toBeInstanceOf(GitLost);
    expect(git.asked()).toBe(1);
  });

  test.each(["init", "fetch", "reset"])(
    "is no failure of a checkout for a person to look at: %s; the next try makes it",
    async (word) => {
      const git = losing(word);
      const workspace = createWorkspace({ ...scratch.options, runGit: git.run });
      await expect(workspace.prepare(requestFor(scratch, 7))).rejects.toMatchObject({
        code: "LOOP_E_BROKER",
      });
      expect(await workspace.prepare(requestFor(scratch, 7))).toMatchObject({ kind: "ready" });
    },
  );
});
