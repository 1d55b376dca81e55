import { chmodSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createGit, type Git } from "../src/git.ts";
import { createCheckouts } from "../src/workspace.ts";
import { createScratch, requestFor, type Scratch } from "./scratch.ts";

let scratch: Scratch;
beforeEach(() => void (scratch = createScratch()));
afterEach(() => scratch.stop());

const commit = ["commit", "-q", "--allow-empty", "-m", "work"];

/**
 * What a turn of one work item sets in the configuration of the shared clone, and the command in
 * another item's checkout that runs it. The other head has the trap in `src/hooks`.
 */
const left: readonly (readonly [
  key: string,
  value: (s: Scratch) => string,
  args: readonly string[],
])[] = [
  ["core.fsmonitor", (s) => s.trap, ["status"]],
  ["core.editor", (s) => s.trap, ["commit", "--allow-empty"]],
  ["core.pager", (s) => s.trap, ["grep", "-O", "Garden"]],
  ["core.hooksPath", (s) => join(s.folder, "hooks"), commit],
  ["core.hooksPath", () => "src/hooks", commit],
  ["core.hooksPath", () => "./src/../src/hooks", commit],
  ["core.hooksPath", () => "../../../../../../hooks", commit],
];

/** Git whose configuration nothing odd is found in. */
function blind(): Git {
  const git = createGit(scratch.env);
  return {
    ...git,
    run: async (where, args, more) =>
      args.includes("--list") && args[0] === "config" ? "" : git.run(where, args, more),
  };
}

/** Whether what item 7's turn left runs in the checkout of item 8. */
async function runsElsewhere(
  git: Git,
  [key, value, args]: (typeof left)[number],
): Promise<boolean> {
  const trap = readFileSync(scratch.trap, "utf8");
  scratch.commit({ "src/hooks/pre-commit": trap });
  chmodSync(join(scratch.source, "src/hooks/pre-commit"), 0o755);
  scratch.commit({});
  scratch.write(scratch.folder, { "hooks/pre-commit": trap });
  mkdirSync(join(scratch.folder, "hooks"), { recursive: true });
  chmodSync(join(scratch.folder, "hooks/pre-commit"), 0o755);
  const workspace = createCheckouts(scratch.options, git);
  const one = await workspace.prepare(requestFor(scratch, 7));
  if (one.kind !== "ready") throw new Error(one.detail);
  scratch.git(one.workdir, "config", key, value(scratch));
  const other = await workspace.prepare(requestFor(scratch, 8));
  if (other.kind !== "ready") throw new Error(other.detail);
  try {
    scratch.git(other.workdir, ...args);
  } catch {
    // A trap in the middle of a command breaks it; only whether it ran matters.
  }
  return existsSync(scratch.tripwire);
}

describe("the configuration that a turn leaves in the shared clone", () => {
  for (const each of left) {
    const what = `${each[0]} ${each[1]({ trap: "a program", folder: "/" } as Scratch)}`;
    test(`runs nothing in another item's checkout: ${what}`, async () => {
      expect(await runsElsewhere(createGit(scratch.env), each)).toBe(false);
      expect(scratch.notes.join("\n")).toContain(`removed ${each[0].toLowerCase()} from`);
    });

    test(`control: it would, if nothing were removed: ${what}`, async () => {
      expect(await runsElsewhere(blind(), each)).toBe(true);
    });
  }
});
