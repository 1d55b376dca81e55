import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { listen } from "../support/intake.ts";
import { createWorld } from "../support/world.ts";

const evil = {
  "CLAUDE.md": "rules of mallory\n",
  ".claude/settings.json": "{}\n",
  ".mcp.json": "{}\n",
};

test.each([
  ["mallory", "ada", "rules of the base\n"],
  ["ada", "ada", "rules of mallory\n"],
])(
  "a head in the fork of %s whose pull request %s opened has the right agent configuration",
  { timeout: 60_000 },
  async (owner, opener, rules) => {
    const world = await createWorld({});
    await world.host.commit({
      branch: "main",
      message: "base",
      files: { "CLAUDE.md": "rules of the base\n" },
      by: "ada",
    });
    const { told } = await listen(world, "webhook");
    const fork = await world.host.fork(owner);
    await fork.commit({
      branch: "patch-1",
      message: "Mine",
      files: { "code.txt": "theirs\n", ...evil },
      by: owner,
    });
    const { number } = await world.host.openPull({
      title: "T",
      body: "B",
      head: "patch-1",
      headRepository: fork.fullName,
      by: opener,
      labels: [],
    });
    await told();
    execFileSync(
      "git",
      ["fetch", "-q", fork.directory, `refs/heads/patch-1:refs/pull/${number}/head`],
      { cwd: world.host.directory },
    );
    world.host.label(number, "loop: auto-execute", "ada");
    world.host.comment(number, "loop start", "ada");
    await told();
    const found = execFileSync("find", [world.scene.dir, "-name", "code.txt"], {
      encoding: "utf8",
    });
    const checkout = dirname(found.trim());
    expect(readFileSync(join(checkout, "code.txt"), "utf8")).toBe("theirs\n");
    expect(readFileSync(join(checkout, "CLAUDE.md"), "utf8")).toBe(rules);
    expect(existsSync(join(checkout, ".mcp.json"))).toBe(owner === "ada");
  },
);
