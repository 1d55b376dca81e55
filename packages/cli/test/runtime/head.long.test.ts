import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createWorld, type World } from "../support/world.ts";

/**
 * Opens a pull request that is a work item of its own, lets ada start it, and returns its checkout
 * with the first prompt.
 */
async function startedPull(world: World, by: string, from?: string) {
  const service = await world.start();
  const repository = from === undefined ? world.host : await world.host.fork(from);
  await repository.commit({
    branch: "patch",
    message: "patch",
    files: { "CLAUDE.md": "from the head\n", "code.txt": "from the head\n" },
    by,
  });
  const pull = await world.host.openPull({
    title: "Water",
    head: "patch",
    ...(from === undefined ? {} : { headRepository: repository.fullName }),
    by,
    labels: [],
  });
  // The host keeps the head of every pull request under its number.
  execFileSync(
    "git",
    ["fetch", "-q", repository.directory, `refs/heads/patch:refs/pull/${pull.number}/head`],
    { cwd: world.host.directory },
  );
  world.host.label(pull.number, "loop: auto-execute", "ada");
  world.host.comment(pull.number, "loop start {{stub:text done}}", "ada");
  await service.event("turn.done");
  const prepared = await service.event("checkout.prepared");
  return {
    workdir: String(prepared.fields["workdir"]),
    prompt: world.prompts()[0]?.text ?? "",
    service,
  };
}

test("S02: a stranger's fork is not checked out; the base is, and the prompt says so", async () => {
  const { workdir, prompt } = await startedPull(await createWorld(), "mallory", "mallory");
  expect(existsSync(join(workdir, "code.txt"))).toBe(false);
  expect(prompt).toContain("is not checked out");
});

test("routing.workspace.checkoutAnyHead checks it out by its number, with the base's agent configuration, and the prompt says so", async () => {
  const world = await createWorld();
  world.scene.configure(
    world.scene.text().replace("root: checkouts", "root: checkouts, checkoutAnyHead: true"),
  );
  await world.host.commit({
    branch: "main",
    message: "orders",
    files: { "CLAUDE.md": "from the base\n" },
    by: "ada",
  });
  const { workdir, prompt } = await startedPull(world, "mallory", "mallory");
  expect(prompt).toContain("agent and hook configuration is the one of [quoted 1]");
  expect(readFileSync(join(workdir, "CLAUDE.md"), "utf8")).toBe("from the base\n");
  expect(readFileSync(join(workdir, "code.txt"), "utf8")).toBe("from the head\n");
});

test("W10: a branch of the same repository by somebody who is not authorized has the base's agent configuration", async () => {
  const { workdir, prompt } = await startedPull(await createWorld(), "bob");
  expect(prompt).toContain(
    "agent and hook configuration is the one of [quoted 1]: [quoted 2] (not there)",
  );
  expect(prompt).toMatch(/"1": "main",\s{1,9}"2": "CLAUDE.md"/);
  expect(existsSync(join(workdir, "CLAUDE.md"))).toBe(false);
  expect(execFileSync("git", ["status", "--porcelain"], { cwd: workdir, encoding: "utf8" })).toBe(
    "",
  );
});

test("an authorized person's branch is checked out as it is", async () => {
  const { workdir, prompt } = await startedPull(await createWorld(), "ada");
  expect(readFileSync(join(workdir, "CLAUDE.md"), "utf8")).toBe("from the head\n");
  expect(prompt).not.toContain("Note:");
});

test("workspace.defaultHost names the folder of checkouts; keys taken out of a clone are in the event log", async () => {
  const world = await createWorld({ more: "workspace: { defaultHost: code.example }" });
  const service = await world.start();
  world.startIssue("{{stub:text done}}");
  const first = await service.event("checkout.prepared");
  expect(String(first.fields["workdir"])).toContain(
    "/checkouts/.worktrees/code.example/practice/garden/",
  );
  await service.event("turn.done");
  execFileSync("git", ["config", "filter.x.smudge", "true"], {
    cwd: join(world.scene.dir, "checkouts/code.example/practice/garden"),
  });
  const second = world.startIssue("{{stub:text done}}");
  expect(await service.event("checkout.hardened")).toMatchObject({
    level: "warn",
    workItem: world.ref(second),
    fields: { removed: expect.stringContaining("filter.x.smudge") },
  });
});
