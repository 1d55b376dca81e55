import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundledGraphs, parseGraphs } from "@loopwork/core/config";
import { expect, test } from "vitest";
import { until } from "../support/until.ts";
import { createWorld, type Service, type World } from "../support/world.ts";

/** Nine turns of a harness, a process each, on a machine that may be busy. */
const longestMs = 240_000;

/** Nodes at which a session works, in their order. */
const worked = [
  "intake",
  "requirements",
  "design",
  "test-plan",
  "tasks",
  "implementation",
  "verification",
  "review",
];

test(
  "a work item walks the whole graph, from intake to complete, through critics and a gate that only an authorized user opens",
  { timeout: 600_000 },
  async () => {
    const world = await createWorld({
      chosen: true,
      routing: "  graph: { specDir: docs/specs, definition: graphs.yaml }",
      more: `critics: [{ name: careful, command: [node, critic.mjs], prompt: look for holes }]`,
    });
    writeGraph(world);
    const critic = writeCritic(world);
    const service = await world.start();
    const number = world.startIssue("Water the garden by itself.");

    const nodes = (): Promise<readonly unknown[]> =>
      service.events("graph.moved").then((lines) => lines.map(({ fields }) => fields["node"]));
    await until(
      async () => (await nodes()).includes("human-approval"),
      "the gate",
      dump(service),
      longestMs,
    );
    expect(await nodes()).toEqual([...worked, "human-approval"]);
    expect(tasksOf(world)).toEqual([...worked, "review"]);

    // The critics judged twice: what they found first was taken up again, and they saw every pull
    // request of the work item.
    expect(
      (await service.events("graph.judged")).map(({ reason, fields }) => [
        fields["node"],
        fields["what"],
        reason,
      ]),
    ).toEqual([
      ["review", "critics", "rework"],
      ["review", "critics", "passed"],
    ]);
    expect(world.prompts().at(-1)?.text).toContain(
      "major: The tap stays open (tap.ts), found by careful",
    );
    expect(critic()).toMatchObject({
      workItem: world.ref(number),
      node: "review",
      prompt: "look for holes",
      pullRequests: [],
    });

    // The gate: told once on the thread, and moved by nobody but an authorized user.
    const thread = (): readonly string[] =>
      world.host.issue(number).comments.map(({ body }) => body);
    await until(
      () => thread().some((body) => body.includes("waits for the approval of an authorized user")),
      "the question on the thread",
      dump(service),
    );
    await until(
      () => world.host.issue(number).labels.some(({ name }) => name === "loop:human-approval"),
      "the label of the gate",
      dump(service),
    );
    await longSinceTurn(service);
    world.host.comment(number, "approved", "mallory");
    world.host.comment(number, "loop add-collaborator @carol", "ada");
    await decided(service, "collaborator-granted");
    world.host.comment(number, "approved", "carol");
    await decided(service, "input-of-collaborator");
    world.host.comment(number, "Not approved: is the tap closed at night?", "ada");
    await decided(service, "input-of-authorized");
    await longSinceTurn(service);
    expect(await service.events("graph.answered")).toEqual([]);
    expect((await nodes()).at(-1)).toBe("human-approval");
    expect(
      (await service.events("delivery.decided")).filter(
        ({ reason }) => reason === "stranger-dropped",
      ),
    ).toHaveLength(1);

    world.host.comment(number, "Approved.\n\nThank you.", "ada");
    await until(
      async () => (await nodes()).at(-1) === "complete",
      "the end of the graph",
      dump(service),
      longestMs,
    );
    expect((await service.events("graph.answered")).map(({ fields }) => fields)).toEqual([
      { node: "human-approval", approved: true, by: "ada" },
    ]);
    const labels = (): string =>
      world.host
        .issue(number)
        .labels.map(({ name }) => name)
        .toSorted()
        .join(", ");
    await until(
      () => labels() === "loop: auto-execute, loop:complete",
      "the last label alone",
      dump(service),
    );
    expect(
      thread().filter((body) => body.includes("waits for the approval of an authorized user")),
    ).toHaveLength(1);
  },
);

/** The graph that everybody has, with a scripted agent for each node. */
function writeGraph({ scene }: World): void {
  const parsed = parseGraphs(bundledGraphs);
  if (!parsed.ok) throw new Error("the bundled graphs do not parse");
  const files = Object.fromEntries(
    (parsed.graphs.get("work-item")?.nodes ?? []).map(({ id, produces }) => [
      id,
      Object.fromEntries(
        produces.map(({ file, headings }) => [
          file,
          headings.map((heading) => `# ${heading}\n\nSomething about it.\n`).join("\n"),
        ]),
      ),
    ]),
  );
  const agent = join(scene.dir, "agent.mjs");
  writeFileSync(
    agent,
    `import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
const [node, folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
for (const [file, text] of Object.entries(${JSON.stringify(files)}[node] ?? {})) writeFileSync(folder + "/" + file, text);
appendFileSync("worked.txt", node + "\\n");
execFileSync("git", ["add", "-A"]);
execFileSync("git", ["commit", "-qm", "Work at " + node]);
`,
  );
  const folder = "docs/specs/practice+garden+1";
  const text = bundledGraphs
    .split("\n")
    .reduce<{ readonly lines: readonly string[]; readonly node: string }>(
      ({ lines, node }, line) => {
        const id = /^ {6}- id: (\S+)$/.exec(line)?.[1] ?? node;
        const task =
          line === "        task: >-" && worked.includes(id)
            ? [
                line,
                `          {{stub:bash node ${agent} ${id} ${folder}}}`,
                `          {{stub:text done with ${id}}}`,
              ]
            : [line];
        return { lines: [...lines, ...task], node: id };
      },
      { lines: [], node: "" },
    )
    .lines.join("\n");
  writeFileSync(join(scene.dir, "graphs.yaml"), text);
}

/** Finds something in its first round and nothing after it; what it was handed last. */
function writeCritic({ scene }: World): () => unknown {
  const seen = join(scene.dir, "critic-seen.json");
  const file = join(scene.dir, "critic.mjs");
  writeFileSync(
    file,
    `import { existsSync, readFileSync, writeFileSync } from "node:fs";
const again = existsSync(${JSON.stringify(seen)});
writeFileSync(${JSON.stringify(seen)}, readFileSync(0, "utf8"));
console.log(JSON.stringify(again ? { verdict: "pass" } : { verdict: "fail", findings: [{ severity: "major", title: "The tap stays open", file: "tap.ts" }] }));
`,
  );
  scene.configure(readFileSync(scene.configFile, "utf8").replace("critic.mjs", file));
  return () => JSON.parse(readFileSync(seen, "utf8")) as unknown;
}

/** Nodes at which the session was asked to work, in the order of its messages. */
function tasksOf(world: World): readonly string[] {
  return world.prompts().flatMap(({ text }) => /It is at the node (\S+)/.exec(text)?.[1] ?? []);
}

async function decided(service: Service, reason: string): Promise<void> {
  await until(
    async () => (await service.events("delivery.decided")).some((line) => line.reason === reason),
    reason,
    dump(service),
  );
}

/**
 * The host tells whole seconds: what was said within them of a turn's end may be the agent's, and
 * grants nothing.
 */
async function longSinceTurn(service: Service): Promise<void> {
  await quiet(service);
  await until(
    async () => (await service.events("turn.done")).every(({ time }) => Date.now() - time > 2_000),
    "some seconds without a turn",
    dump(service),
  );
}

/** Nothing waits to be decided, carried out or said. */
async function quiet(service: Service): Promise<void> {
  await until(
    async () => {
      const { undecided, turns, pendingEffects } = await service.parts.store.stats();
      return undecided === 0 && turns.ready === 0 && turns.injecting === 0 && pendingEffects === 0;
    },
    "quiet",
    dump(service),
  );
}

function dump(service: Service): () => Promise<string> {
  return async () =>
    [...service.said, ...(await service.events()).map((event) => JSON.stringify(event))].join("\n");
}
