import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { commandTable } from "../../src/commands/table.ts";
import { identityOf } from "../../src/processes/process-identity.ts";
import { loadConfig } from "../../src/configuration/load-config.ts";
import { openStoreOf } from "../../src/start/open.ts";
import { createScene, type Scene } from "../support/scene.ts";
import { until } from "../support/until.ts";
import { createWorld } from "../support/world.ts";

const ref = "host:practice/garden#7";
const bin = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));
const uuid = "0b2d1c3a-1111-4222-8333-444455556666";

/** What each command does inside of an agent's turn: the dispatcher alone writes. */
const refused: Readonly<Record<string, readonly string[]>> = {
  init: ["--yes"],
  start: [],
  stop: [],
  restart: [],
  daemon: ["service", "--once"],
  "sessions register": ["--harness-session-id", uuid],
  "sessions close": [],
  "sessions attach": [ref],
  "sessions start": [],
  "sessions pause": [],
  "sessions resume": [],
  "sessions stop": [],
  "sessions cleanup": [],
  "sessions say": [ref, "go on"],
  "add-collaborator": ["grace"],
  "remove-collaborator": ["grace"],
  "sessions undo-cleanup": [],
  "actors forget": ["grace"],
  "instances adopt": ["south"],
  "work-items import": ["items.yaml"],
  "instances drain": ["south"],
  "turns retry": ["1"],
  "turns drop": ["1"],
  "effects retry": ["1"],
  "effects drop": ["1"],
  "terminal-turn": [],
  "graph advance": [],
  "graph complete": ["design"],
  "graph skip": ["design"],
  dashboard: [],
  canary: [],
  "manifest add": ["docs/specs/", "--role", "artifacts"],
  "manifest remove": ["docs/specs/"],
  "service install": [],
  "service uninstall": [],
  "learnings consolidate": [],
  "learnings undo": [],
  "config trust": [],
  "store backup": ["--to", "backup.db"],
  "store migrate": ["--to", "sqlite:other.db"],
};
const handedOver: Readonly<
  Record<string, { readonly args: readonly string[]; readonly request: unknown }>
> = {
  comment: { args: ["hello"], request: { kind: "comment", text: "hello", on: null } },
  ask: { args: ["how?"], request: { kind: "ask", text: "how?" } },
  "sessions link-pr": {
    args: ["--pull-request", "9"],
    request: { kind: "link-pr", pullRequest: "9" },
  },
  "learnings capture": {
    args: ["Start the database first"],
    request: {
      kind: "learn",
      said: {
        text: "Start the database first",
        signal: "user-feedback",
        category: "general",
        severity: "medium",
        severityReason: "",
        ref: "",
      },
    },
  },
};
const reading = [
  "status",
  "work-items export",
  "instances",
  "instances list",
  "doctor",
  "why",
  "events",
  "logs",
  "sessions list",
  "sessions show",
  "turns list",
  "replay",
  "config validate",
  "config show",
  "config schema",
  "store check",
  "completion",
  "hook",
  "manifest check",
  "learnings pending",
  "learnings inject",
  "learnings show",
  "check",
  "graph show",
  "graph status",
  "critic list",
  "critic run",
];

function createTurn(): Scene {
  const scene = createScene("state: { root: state }\n");
  return Object.assign(scene, {
    env: Object.assign(scene.env, {
      LOOP_TURN: "1",
      LOOP_TURN_DIR: join(scene.dir, "turn"),
      LOOP_WORK_ITEM: ref,
      LOOP_INSTANCE: "default",
      LOOP_SESSION: uuid,
    }),
  });
}

const storeOf = (scene: Scene): string => join(scene.dir, "state", "loop.db");

test("every command is one that is refused, handed over, or only reads: a new one must say which", () => {
  expect([...Object.keys(refused), ...Object.keys(handedOver), ...reading].toSorted()).toEqual(
    commandTable.map(({ name }) => name).toSorted(),
  );
});

test.each(Object.entries(refused))(
  "inside of a turn `loop %s` is refused and touches no store",
  async (name, args) => {
    const scene = createTurn();
    const ran = await scene.loop(...name.split(" "), ...args);
    expect(ran).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("LOOP_E_INSIDE_TURN"),
    });
    expect(ran.err).toContain("→ ");
    expect(existsSync(storeOf(scene))).toBe(false);
  },
);

const variables = ["LOOP_TURN", "LOOP_TURN_DIR", "LOOP_WORK_ITEM", "LOOP_INSTANCE", "LOOP_SESSION"];
const partly = Object.entries(refused).flatMap(([name, args]) =>
  variables.map((missing) => ({ name, args, missing })),
);

test.each(partly)(
  "P07 `loop $name` is refused as well where $missing is missing",
  async ({ name, args, missing }) => {
    const scene = createTurn();
    scene.env[missing] = "";
    expect(await scene.loop(...name.split(" "), ...args)).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("LOOP_E_INSIDE_TURN"),
    });
    expect(existsSync(storeOf(scene))).toBe(false);
  },
);

const clearing = ["init", "start", "stop", "restart", "daemon", "sessions register"].map(
  (name) => [name, refused[name] ?? []] as const,
);

test.each(clearing)(
  "P07 `loop %s` is refused without any variable below a process that has one, also where no store can be opened",
  (name, args) => {
    const scene = createScene("not: [a configuration\n");
    const { PATH, HOME, LOOP_CONFIG } = scene.env;
    const argv = ["--conditions=@loopwork/source", bin, ...name.split(" "), ...args];
    const clears = `const ran = require("node:child_process").spawnSync(process.execPath, ${JSON.stringify(argv)}, { env: ${JSON.stringify({ PATH, HOME, LOOP_CONFIG })}, encoding: "utf8" }); process.stdout.write(ran.stderr)`;
    const { stdout } = spawnSync(process.execPath, ["-e", clears], {
      cwd: scene.cwd,
      env: { ...scene.env, LOOP_TURN: "1" },
      encoding: "utf8",
    });
    expect(stdout).toContain(process.platform === "linux" ? "LOOP_E_INSIDE_TURN" : "LOOP_E_");
  },
);

test.each(["host:practice/garden#8", ref])(
  "inside of a turn no session is registered for %s: events of an item cannot be led to another's agent",
  async (item) => {
    const scene = createTurn();
    const ran = await scene.loop(
      "sessions",
      "register",
      "--work-item",
      item,
      "--harness-session-id",
      uuid,
    );
    expect(ran).toMatchObject({
      code: 2,
      err: expect.stringContaining("register another session"),
    });
  },
);

test.each(Object.entries(handedOver))(
  "inside of a turn `loop %s` goes through the request folder and touches no store",
  async (name, { args, request }) => {
    const scene = createTurn();
    const running = scene.loop(...name.split(" "), ...args);
    expect(await answerNext(scene)).toEqual(request);
    expect(await running).toMatchObject({ code: 0, out: expect.stringContaining("loop: heard") });
    expect(existsSync(storeOf(scene))).toBe(false);
  },
);

const partlyHandedOver = Object.entries(handedOver).flatMap(([name, { args, request }]) =>
  variables.map((missing) => ({ name, args, request, missing })),
);

test.each(partlyHandedOver.filter(({ missing }) => missing !== "LOOP_TURN_DIR"))(
  "P07 `loop $name` is the agent's as well where $missing is missing",
  async ({ name, args, request, missing }) => {
    const scene = createTurn();
    scene.env[missing] = "";
    const running = scene.loop(...name.split(" "), ...args);
    expect(await answerNext(scene)).toEqual(request);
    expect(await running).toMatchObject({ code: 0, out: expect.stringContaining("loop: heard") });
    expect(existsSync(storeOf(scene))).toBe(false);
  },
);

test.each(partlyHandedOver.filter(({ missing }) => missing === "LOOP_TURN_DIR"))(
  "P07 `loop $name` speaks for nobody where $missing is missing: nobody knows in which turn",
  async ({ name, args, missing }) => {
    const scene = createTurn();
    scene.env[missing] = "";
    expect(await scene.loop(...name.split(" "), ...args)).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("LOOP_E_TURN_UNKNOWN"),
    });
    expect(existsSync(storeOf(scene))).toBe(false);
  },
);

test("a person's shell that names a work item and an instance is no turn", async () => {
  const scene = createScene("state: { root: state }\n");
  Object.assign(scene.env, { LOOP_WORK_ITEM: ref, LOOP_INSTANCE: "default" });
  expect(await scene.loop("ask", "how?")).toMatchObject({
    code: 2,
    err: expect.stringContaining("LOOP_E_OUTSIDE_TURN"),
  });
});

test("a turn links pull requests to its own work item alone", async () => {
  const scene = createTurn();
  const others = [
    "sessions",
    "link-pr",
    "--work-item",
    "host:practice/garden#8",
    "--pull-request",
    "9",
  ];
  expect(await scene.loop(...others)).toMatchObject({
    code: 2,
    err: expect.stringContaining("it is host:practice/garden#7"),
  });
  scene.env["LOOP_WORK_ITEM"] = "";
  expect(await scene.loop(...others)).toMatchObject({
    code: 2,
    err: expect.stringContaining("LOOP_E_INSIDE_TURN"),
  });
});

// The environment of other processes is read on Linux alone; elsewhere the turn's child on record
// is what tells.
test.runIf(process.platform === "linux").each(Object.entries(handedOver))(
  "P07 `loop %s` without any variable belongs to the turn of the process above it",
  async (name, { args, request }) => {
    const scene = createTurn();
    const { PATH, HOME, LOOP_CONFIG, ...ofTurn } = scene.env;
    const argv = ["--conditions=@loopwork/source", bin, ...name.split(" "), ...args];
    const clears = `const ran = require("node:child_process").spawnSync(process.execPath, ${JSON.stringify(argv)}, { env: ${JSON.stringify({ PATH, HOME, LOOP_CONFIG })}, encoding: "utf8" }); process.stdout.write(ran.stdout + ran.stderr)`;
    const child = spawn(process.execPath, ["-e", clears], {
      cwd: scene.cwd,
      env: { PATH, ...ofTurn },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const said = text(child.stdout);
    expect(await answerNext(scene)).toEqual(request);
    expect(await said).toContain("loop: heard");
    expect(existsSync(storeOf(scene))).toBe(false);
  },
);

test(
  "P07 without any variable, below the child of a turn that is on record, nobody comments or links",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld({ quietSeconds: 600 });
    const service = await world.start();
    const item = world.ref(world.startIssue());
    await service.event("turn.queued");
    await service.stop();
    const store = await openStoreOf(loadConfig(world.scene.configFile, world.scene));
    onTestFinished(() => store.close());
    const taken = await store.lanes.take({
      owner: "test",
      now: Date.now(),
      leaseMs: 60_000,
      merge: () => ({ kind: "go", merge: [] }),
    });
    if (taken === null) throw new Error("no lane was taken");
    expect(
      await store.lanes.begin(
        taken.lease,
        taken.turn.id,
        {
          receipt: uuid,
          kind: "first",
          harnessSessionId: uuid,
          startedAt: Date.now(),
          child: identityOf(process.ppid),
        },
        [],
      ),
    ).toBe(true);
    expect(await world.scene.loop("comment", "--work-item", item, "hello")).toMatchObject({
      code: 2,
      err: expect.stringContaining("LOOP_E_TURN_UNKNOWN"),
    });
    expect(
      await world.scene.loop("sessions", "link-pr", "--work-item", item, "--pull-request", "9"),
    ).toMatchObject({ code: 2, err: expect.stringContaining("LOOP_E_TURN_UNKNOWN") });
    expect(world.host.issue(1).comments.map(({ body }) => body)).toEqual(["loop start"]);
    expect(await store.items.linkedTo(world.ref(9))).toEqual([]);
  },
);

/** Plays the dispatcher: answers the first request of the turn and gives back what it was. */
async function answerNext(scene: Scene): Promise<unknown> {
  const requests = join(scene.dir, "turn", "requests");
  const waiting = (): string | undefined =>
    existsSync(requests)
      ? readdirSync(requests).find((file) => file.endsWith(".request.json"))
      : undefined;
  await until(() => waiting() !== undefined, "the request");
  const file = join(requests, waiting() ?? "");
  // Whole, by rename, as the dispatcher answers: whoever asked may look at any moment.
  writeFileSync(`${file}.answering`, JSON.stringify({ ok: true, message: "heard", data: null }));
  renameSync(`${file}.answering`, file.replace(".request.json", ".answer.json"));
  return JSON.parse(readFileSync(file, "utf8"));
}
