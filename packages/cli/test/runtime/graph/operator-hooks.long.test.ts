import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dump, judged, walked, writeGraph, writeProgram } from "../../support/small-graph.ts";
import { until } from "../../support/until.ts";
import { createWorld, type World } from "../../support/world.ts";

const longestMs = 240_000;

/** Fails in each way there is, one after the other, and passes then; notes how it was run. */
const hook = `import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
const [node, ...args] = process.argv.slice(2);
const log = process.argv[1] + ".log";
const times = existsSync(log) ? readFileSync(log, "utf8").split("\\n").filter((line) => line.includes('"node":"' + node + '"')).length : 0;
appendFileSync(log, JSON.stringify({ node, args, cwd: process.cwd(), head: execFileSync("git", ["log", "-1", "--format=%s"], { encoding: "utf8" }).trim(), env: process.env }) + "\\n");
if (node === "build" && times === 0) {
  console.error("two tests are red");
  process.exit(3);
}
if (node === "build" && times === 1) {
  const more = () => process.stdout.write("x".repeat(65536), more);
  more();
} else if (node === "build" && times === 2) setInterval(() => {}, 1000);
`;

test(
  "an operator's hook runs when its node has ended its turn; what it does wrong is told to the session, and nothing that people say meanwhile is lost",
  { timeout: 600_000 },
  async () => {
    const strange = "$(touch shell-ran); `touch shell-ran`";
    const world = await createWorld({
      chosen: true,
      routing: `  graph: { specDir: docs/specs, definition: graphs.yaml, hooks: [{ node: build, command: [node, hook.mjs, build, ${JSON.stringify(strange)}], deadlineSeconds: 4 }, { node: check, command: [node, hook.mjs, check] }] }`,
    });
    writeGraph(world, [{ id: "build" }, { id: "check" }]);
    const file = writeProgram(world, "hook.mjs", hook);
    Object.assign(world.scene.env, { LOOP_TURN: "of another turn", OF_THE_OPERATOR: "stays" });
    const service = await world.start();
    const number = world.startIssue("Water the garden by itself.");

    await until(
      () => Promise.resolve(runs(file).length === 3),
      "the run that hangs",
      dump(service),
      longestMs,
    );
    world.host.comment(number, "Mind the cat.", "ada");
    await until(
      async () => (await walked(service)).at(-1) === "end",
      "the end of the graph",
      dump(service),
      longestMs,
    );

    const say = (why: string): string =>
      `the check \`node ${file} build ${strange}\` failed: ${why}`;
    const wrong = [
      say("it ended with 3: two tests are red"),
      say("it printed more than 16777216 bytes"),
      say("it ran longer than 4 s"),
    ];
    const said = (await judged(service)).map(({ node, what, reason, detail }) => [
      node,
      what,
      reason,
      detail,
    ]);
    expect(said.slice(0, 3)).toEqual(wrong.map((detail) => ["build", "hooks", "failed", detail]));
    // Every commit lets the checks of all nodes so far run again; none of them goes before its
    // node.
    expect(said.slice(3).every(([, , reason]) => reason === "passed")).toBe(true);
    expect(said.at(-1)).toEqual(["check", "hooks", "passed", ""]);
    expect(
      runs(file).filter(({ node, head }) => node === "check" && head !== "Work at check"),
    ).toEqual([]);
    expect(await walked(service)).toEqual(["build", "check", "end"]);
    const heard = world
      .prompts()
      .map(({ text }) => text)
      .join("\n");
    for (const why of [
      "it ended with 3: two tests are red",
      "it printed more than 16777216 bytes",
      "it ran longer than 4 s",
      "Mind the cat.",
    ])
      expect(heard).toContain(why);
    expect((await service.turns()).every(({ state }) => state === "done")).toBe(true);

    const [first] = runs(file);
    expect(first?.args).toEqual([strange]);
    const checkout =
      (await service.parts.store.items.load(world.ref(number))).sessions[0]?.workdir ?? "";
    expect(first?.cwd).toBe(checkout);
    expect(existsSync(join(checkout, "shell-ran"))).toBe(false);
    expect(first?.env).toMatchObject({ OF_THE_OPERATOR: "stays" });
    for (const name of [
      "LOOP_HOST_TOKEN",
      "LOOP_HOST_WEBHOOK_SECRET",
      "LOOP_TURN",
      "LOOP_TURN_DIR",
      "LOOP_WORK_ITEM",
    ])
      expect(first?.env).not.toHaveProperty(name);
  },
);

test(
  "what hooks and program critics run is known for an agent's: it grants and approves nothing, also with an emptied environment",
  { timeout: 300_000 },
  async () => {
    const world = await createWorld({
      chosen: true,
      routing:
        "  graph: { specDir: docs/specs, definition: graphs.yaml, hooks: [{ node: build, command: [node, hook.mjs] }] }",
      more: "critics: [{ name: careful, command: [node, critic.mjs] }]",
    });
    writeGraph(world, [{ id: "build", more: ["critics: all"] }]);
    const file = writeProgram(world, "hook.mjs", steering(world));
    const critic = writeProgram(
      world,
      "critic.mjs",
      `${steering(world)}\nconsole.log('{"verdict":"pass"}');`,
    );
    const service = await world.start();
    const number = world.startIssue("Water the garden by itself.");
    await until(
      async () => (await walked(service)).at(-1) === "end",
      "the end of the graph",
      dump(service),
      longestMs,
    );
    for (const program of [file, critic])
      expect(readFileSync(`${program}.log`, "utf8").trim().split("\n")).toEqual(
        Array.from({ length: 4 }, () => expect.stringContaining("LOOP_E_INSIDE_TURN")),
      );
    const item = await service.parts.store.items.load(world.ref(number));
    expect([
      item.collaborators,
      item.workItem?.graph?.signals.filter(({ kind }) => kind === "waived"),
    ]).toEqual([[], []]);
  },
);

test(
  "one turn may bring the checks of many nodes due: all of them run before the session is asked again",
  { timeout: 300_000 },
  async () => {
    const ids = ["one", "two", "three", "four", "five", "six"];
    const world = await createWorld({
      chosen: true,
      routing: `  graph: { specDir: docs/specs, definition: graphs.yaml, hooks: [${ids.map((node) => `{ node: ${node}, command: [node, -e, ""] }`).join(", ")}] }`,
    });
    writeGraph(
      world,
      ids.map((id) => ({ id, produces: false })),
    );
    const service = await world.start();
    world.startIssue("Water the garden by itself.");
    await until(
      async () => (await judged(service)).length === ids.length,
      "all checks",
      dump(service),
      longestMs,
    );
    expect((await judged(service)).map(({ node, reason }) => [node, reason])).toEqual(
      ids.map((id) => [id, "passed"]),
    );
    const [, second] = (await service.events("turn.started")).map(({ id }) => id);
    expect(
      (await service.events("graph.judged")).every(({ id }) => second === undefined || id < second),
    ).toBe(true);
  },
);

test(
  "P11 a check that never passes holds the lane by the loop breaker, with one notice; resume goes on with nothing lost",
  { timeout: 300_000 },
  async () => {
    const world = await createWorld({
      chosen: true,
      routing:
        "  loopBreaker: { turns: 2, windowMinutes: 60 }\n  graph: { specDir: docs/specs, definition: graphs.yaml, hooks: [{ node: build, command: [node, hook.mjs] }] }",
    });
    writeGraph(world, [{ id: "build" }]);
    const file = writeProgram(
      world,
      "hook.mjs",
      'import { existsSync } from "node:fs"; process.exit(existsSync(process.argv[1] + ".pass") ? 0 : 1);',
    );
    const service = await world.start();
    const number = world.startIssue("Water the garden by itself.");
    await until(
      async () =>
        (await service.events("lane.held")).some(({ reason }) => reason === "loop-breaker"),
      "the breaker",
      dump(service),
      longestMs,
    );
    // A person's turn, and two that the graph asked for.
    expect(await service.events("turn.done")).toHaveLength(3);
    const notices = (): number =>
      world.host
        .issue(number)
        .comments.filter(({ body }) =>
          body.includes("This conversation waits: 2 turns within 60 minutes"),
        ).length;
    await until(() => Promise.resolve(notices() === 1), "the notice", dump(service));
    writeFileSync(`${file}.pass`, "");
    world.host.comment(number, "loop resume", "ada");
    await until(
      async () => (await walked(service)).at(-1) === "end",
      "the end of the graph",
      dump(service),
      longestMs,
    );
    expect(notices()).toBe(1);
    expect((await service.turns()).every(({ state }) => state === "done")).toBe(true);
  },
);

test(
  "spec folder, hooks and critics are the command line's own: what a repository says of them in its .loop/ is neither read nor run",
  { timeout: 300_000 },
  async () => {
    const world = await createWorld({
      chosen: true,
      routing:
        "  graph: { specDir: docs/specs, definition: graphs.yaml, hooks: [{ node: build, command: [node, hook.mjs, own] }] }",
      more: "critics: [{ name: careful, command: [node, critic.mjs] }]",
    });
    const theirs =
      "{ routing: { graph: { specDir: theirs, hooks: [{ node: build, command: [touch, THEIRS] }] } }, critics: [{ name: theirs, command: [touch, THEIRS] }], specDir: theirs, hooks: [{ node: build, command: [touch, THEIRS] }] }\n";
    await world.host.commit({
      branch: "main",
      message: "Settings",
      files: {
        ".loop/cli-config.yaml": theirs,
        ".loop/harness-config.yaml": theirs,
        "cli-config.yaml": theirs,
      },
    });
    writeGraph(world, [{ id: "build", more: ["critics: all"] }]);
    const file = writeProgram(world, "hook.mjs", hook);
    writeProgram(world, "critic.mjs", `console.log('{"verdict":"pass"}')`);
    const service = await world.start();
    const number = world.startIssue("Water the garden by itself. {{stub:bash loop check}}");
    await until(
      async () => (await walked(service)).at(-1) === "end",
      "the end of the graph",
      dump(service),
      longestMs,
    );
    const checkout =
      (await service.parts.store.items.load(world.ref(number))).sessions[0]?.workdir ?? "";
    expect((await judged(service)).map(({ what, reason }) => [what, reason])).toEqual([
      ["hooks", "passed"],
      ["critics", "passed"],
    ]);
    expect(runs(file).map(({ node, cwd }) => [node, cwd])).toEqual([["own", checkout]]);
    expect(
      ["THEIRS", "theirs", ".loop/harness-config.yaml", "docs/specs"].filter((path) =>
        existsSync(join(checkout, path)),
      ),
    ).toEqual([".loop/harness-config.yaml", "docs/specs"]);
    expect(readFileSync(join(checkout, ".loop/harness-config.yaml"), "utf8")).toBe(theirs);
  },
);

test(
  "without a spec folder there is no graph: no hook runs, no node is worked at, nothing is labelled",
  { timeout: 120_000 },
  async () => {
    const world = await createWorld({
      routing: "  graph: { hooks: [{ node: implementation, command: [node, hook.mjs, check] }] }",
      more: "critics: [{ name: careful, command: [node, hook.mjs, check] }]",
    });
    const file = writeProgram(world, "hook.mjs", hook);
    const service = await world.start();
    const number = world.startIssue("{{stub:bash git commit -q --allow-empty -m done}}");
    await until(
      async () => (await service.events("turn.done")).length > 0,
      "the turn",
      dump(service),
      longestMs,
    );
    await until(
      async () => (await service.parts.store.stats()).pendingEffects === 0,
      "quiet",
      dump(service),
    );
    expect(runs(file)).toEqual([]);
    expect([...(await walked(service)), ...(await judged(service))]).toEqual([]);
    expect(world.host.issue(number).labels.map(({ name }) => name)).toEqual(["loop: auto-execute"]);
  },
);

/**
 * Tries to steer by the command line, as code that an agent wrote might, with its own environment
 * and with none; notes what it is told.
 */
function steering({ stateRoot, scene }: World): string {
  return `import { spawnSync } from "node:child_process";
import { appendFileSync } from "node:fs";
const say = (env, ...args) => {
  const { status, stdout, stderr } = spawnSync(${JSON.stringify(join(stateRoot, "bin", "loop"))}, ["--config", ${JSON.stringify(scene.configFile)}, ...args, "--work-item", "host:practice/garden#1"], { env, encoding: "utf8" });
  appendFileSync(process.argv[1] + ".log", JSON.stringify({ args, status, said: stdout + stderr }) + "\\n");
};
for (const env of [process.env, { HOME: process.env.HOME, PATH: process.env.PATH }]) {
  say(env, "add-collaborator", "@mallory");
  say(env, "graph", "complete", "build");
}
`;
}

type Run = {
  readonly node: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly head: string;
  readonly env: World["scene"]["env"];
};

/** How the hook was run, each time. */
function runs(file: string): readonly Run[] {
  const log = `${file}.log`;
  return existsSync(log)
    ? readFileSync(log, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line): Run => JSON.parse(line))
    : [];
}
