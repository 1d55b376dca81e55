import { execFileSync } from "node:child_process";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { dump, walked, writeGraph } from "../support/small-graph.ts";
import { until } from "../support/until.ts";
import { createWorld } from "../support/world.ts";

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync("git", args, { cwd, encoding: "utf8" }).trim();

test(
  "a whole contribution to a repository without .loop changes what the work item needs and leaves nothing else, ignored files included",
  { timeout: 200_000 },
  async () => {
    const world = await createWorld();
    await world.host.commit({ branch: "mine", message: "Mine", files: { "a.txt": "a\n" } });
    const { number: pull } = await world.host.openPull({
      title: "Mine",
      head: "mine",
      by: "loop-agent",
    });
    const service = await world.start();
    const number = world.startIssue(
      `{{stub:bash git mv README.md CHANGE.md}} {{stub:bash git commit -qm change}} {{stub:bash git push -q origin HEAD:refs/heads/issue-1}} {{stub:bash loop comment done}} {{stub:bash loop sessions link-pr --pull-request ${pull}}} {{stub:bash loop manifest check}}`,
    );
    const turns = (count: number): Promise<unknown> =>
      until(
        async () => (await service.events("turn.done")).length === count,
        `${count} turns`,
        undefined,
        90_000,
      );
    await turns(1);
    const workdir = String((await service.event("checkout.prepared")).fields["workdir"]);
    world.host.comment(number, "Once more, please.", "ada");
    await turns(2);
    expect(git(workdir, "status", "--porcelain", "--ignored", "-uall")).toBe("");
    expect(git(workdir, "diff", "--name-only", "origin/main", "HEAD")).toBe("CHANGE.md");
    expect(
      git(workdir, "ls-tree", "-r", "--name-only", "origin/issue-1")
        .split("\n")
        .filter((path) => path.startsWith(".loop") || path.startsWith("docs/")),
    ).toEqual([]);
    expect((await world.scene.loop("sessions", "show", world.ref(number))).out).toContain(
      `#${pull}`,
    );
  },
);

test(
  "a work item of a repository without .loop walks its graph: the artifacts lie in the state root, and the tree stays as it was but for the change",
  { timeout: 300_000 },
  async () => {
    const world = await createWorld({
      routing: "  graph: { specDir: docs/specs, definition: graphs.yaml }",
    });
    const folder = join(world.stateRoot, "artifacts", "practice+garden+1");
    const write = (node: string): string =>
      `{{stub:tool Write ${JSON.stringify({ file_path: join(folder, `${node}.md`), content: "worked" })}}}`;
    writeGraph(world, [
      { id: "design", scripted: write("design") },
      {
        id: "build",
        scripted: `${write("build")} {{stub:bash git mv README.md CHANGE.md}} {{stub:bash git commit -qm change}} {{stub:bash loop check}}`,
      },
      { id: "approval", produces: false, scripted: "", more: ["gate: human", "scope: work-item"] },
    ]);
    const service = await world.start();
    const number = world.startIssue("Water the garden by itself.");
    const thread = (): string =>
      world.host
        .issue(number)
        .comments.map(({ body }) => body)
        .join("\n");
    await until(
      () => thread().includes("waits for the approval"),
      "the gate",
      dump(service),
      90_000,
    );
    const workdir = String((await service.event("checkout.prepared")).fields["workdir"]);
    // Nobody has pushed: a person at the gate could look at nothing on the host, and is told.
    expect(thread()).toContain(
      `1 commit that stands there is not pushed, so that it can be seen in the checkout alone: ${git(workdir, "rev-parse", "HEAD").slice(0, 10)}.`,
    );
    expect(readdirSync(folder).toSorted()).toEqual(["build.md", "design.md"]);
    expect(git(workdir, "status", "--porcelain", "--ignored", "-uall")).toBe("");
    expect(git(workdir, "diff", "--name-only", "origin/main", "HEAD")).toBe("CHANGE.md");
    const task = world.prompts()[0]?.text ?? "";
    expect(task).toContain(`Write ${folder}/design.md.`);
    expect(task).not.toContain("commit it");
    // Whoever asks beside the service looks at the same place.
    expect(await world.scene.loop("check", world.ref(number), "--json")).toMatchObject({
      code: 0,
      out: expect.stringContaining('"answer": "waiting"'),
    });
    expect((await world.scene.loop("graph", "status", world.ref(number))).out).toContain(folder);
    expect(await walked(service)).toEqual(["design", "build", "approval"]);
  },
);

test("no source of the program reads or writes a repository's harness config; one names it as a place that agents write, and one as a name that a clone may bring", () => {
  const root = fileURLToPath(new URL("../../../../", import.meta.url));
  const naming = globSync("packages/*/src/**/*.{ts,tsx}", { cwd: root }).filter((file) =>
    readFileSync(`${root}${file}`, "utf8").includes("harness-config"),
  );
  expect(naming.toSorted()).toEqual([
    "packages/cli/src/state/state-in-work-tree.ts",
    "packages/core/src/manifest/footprint.ts",
  ]);
});
