import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { inspectGit, inspectHarness, inspectNothing } from "../../src/canary/inspect.ts";
import { ChildEnvironment } from "@loopwork/runtime/child-environment";
import { keepNotifying } from "../../src/notifications/notify.ts";
import { loadConfig, runtimeSettings } from "../../src/configuration/load-config.ts";
import { createScene } from "../support/scene.ts";
import { dump, walked, writeGraph, writeProgram } from "../support/small-graph.ts";
import { until } from "../support/until.ts";
import { createWorld, type World } from "../support/world.ts";

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync("git", args, { cwd, encoding: "utf8" }).trim();

/**
 * What a git hook of the operator's own repository hands on, and secrets under names that no key of
 * the configuration holds.
 */
function startedFromGitHook(world: World): {
  readonly repository: string;
  readonly stray: Readonly<Record<string, string>>;
} {
  const repository = join(world.scene.dir, "operators-own");
  mkdirSync(repository);
  git(repository, "init", "-q", "-b", "main");
  git(
    repository,
    "-c",
    "user.name=op",
    "-c",
    "user.email=op@loop.invalid",
    "commit",
    "-q",
    "--allow-empty",
    "-m",
    "own work",
  );
  const ofGit = {
    GIT_DIR: join(repository, ".git"),
    GIT_WORK_TREE: repository,
    GIT_INDEX_FILE: join(repository, ".git", "index"),
    GIT_AUTHOR_NAME: "Operator",
    GIT_AUTHOR_EMAIL: "op@loop.invalid",
    GIT_AUTHOR_DATE: "@1700000000 +0000",
    GIT_CONFIG_PARAMETERS: "'core.hookspath'='/nowhere'",
    GIT_PREFIX: "sub/",
    GIT_QUARANTINE_PATH: "/nowhere",
    GIT_NAMESPACE: "strange",
  };
  const secrets = {
    HOST_CLI_TOKEN: "practice-agent",
    COPY_OF_SECRET: "practice-secret",
    LOOP_REMOTE_TOKEN: "of-a-remote",
    LOOP_HOST_WEBHOOK_SECRET_BEFORE: "rotated-away",
  };
  const ofStarters = {
    npm_lifecycle_event: "start",
    npm_package_name: "operators-own",
    INIT_CWD: repository,
    NOTIFY_SOCKET: "/run/notify",
  };
  return { repository, stray: { ...ofGit, ...secrets, ...ofStarters } };
}

/** What no program for a special purpose gets, although it is nobody's secret. */
const personal = {
  AWS_PROFILE: "deploy",
  NODE_OPTIONS: "--no-warnings",
  BASH_ENV: "/dev/null",
  SSH_AUTH_SOCK: "/tmp/agent.sock",
} as const;

const noting =
  'require("node:fs").appendFileSync(process.argv[1] + ".log", JSON.stringify(process.env) + "\\n");';

function noted(file: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(`${file}.log`, "utf8").split("\n")[0] ?? "{}");
}

test(
  "a service that was started from a git hook: agents, hooks, critics and notifications get neither git's whereabouts nor a secret, and an agent commits to its checkout alone",
  { timeout: 300_000 },
  async () => {
    const world = await createWorld({
      chosen: true,
      routing:
        "  graph: { specDir: docs/specs, definition: graphs.yaml, hooks: [{ node: build, command: [node, hook.cjs] }] }",
      more: "critics: [{ name: careful, command: [node, critic.cjs] }]\nnotify: [{ command: [node, tell.cjs] }]",
    });
    const seen = writeProgram(
      world,
      "seen.cjs",
      `${noting} require("node:fs").writeFileSync(process.argv[1] + ".commit", require("node:child_process").execFileSync("git", ["log", "-1", "--format=%an:%s"]));`,
    );
    const scripted = `{{stub:bash node ${join(world.scene.dir, "agent.mjs")} build}} {{stub:bash node ${seen}}}`;
    writeGraph(world, [{ id: "build", scripted, more: ["critics: all"] }]);
    const [hook, critic, tell] = [
      writeProgram(world, "hook.cjs", noting),
      writeProgram(world, "critic.cjs", `${noting} console.log('{"verdict":"pass"}');`),
      writeProgram(world, "tell.cjs", noting),
    ];
    const { repository, stray } = startedFromGitHook(world);
    const before = git(repository, "rev-parse", "HEAD");
    Object.assign(world.scene.env, personal, stray);
    const service = await world.start();
    const stop = keepNotifying(service.parts, () => true);
    onTestFinished(stop);
    await until(() => service.parts.store.cursors.get("notify", "told"), "the first look");
    const number = world.startIssue("Water the garden by itself.");
    await until(
      async () => (await walked(service)).at(-1) === "end",
      "the end of the graph",
      dump(service),
      240_000,
    );
    await service.parts.store.events.append([
      {
        time: Date.now(),
        kind: "turn.failed",
        level: "warn",
        instance: "default",
        workItem: world.ref(number),
        delivery: null,
        reason: "deadline",
        fields: {},
      },
    ]);
    await until(() => Promise.resolve(existsSync(`${tell}.log`)), "the notification");

    for (const [who, env] of [
      ["agent", noted(seen)],
      ["hook", noted(hook)],
      ["critic", noted(critic)],
      ["notification", noted(tell)],
    ] as const) {
      expect({ who, stray: Object.keys(stray).filter((name) => name in env) }).toEqual({
        who,
        stray: [],
      });
      expect({
        who,
        secrets: Object.entries(env).filter(([, value]) =>
          ["practice-agent", "practice-secret", "of-a-remote", "rotated-away"].includes(value),
        ),
      }).toEqual({ who, secrets: [] });
      expect(env).toMatchObject({ HOME: world.scene.home });
      const gets = who === "agent" || who === "hook";
      expect({ who, personal: Object.keys(personal).filter((name) => name in env) }).toEqual({
        who,
        personal: gets ? Object.keys(personal) : [],
      });
    }
    expect(git(repository, "rev-parse", "HEAD")).toBe(before);
    expect(git(repository, "status", "--porcelain")).toBe("");
    expect(readFileSync(`${seen}.commit`, "utf8")).toBe("Practice Agent:Work at build\n");
  },
);

/** Puts programs into the path that note their environment in files and then are the real ones. */
function spyOn(
  world: World,
  programs: Readonly<Record<string, string>>,
): {
  readonly names: () => ReadonlySet<string>;
  readonly lines: () => readonly string[];
  readonly path: (name: string) => string;
} {
  const [bin, log] = [join(world.scene.dir, "spy"), join(world.scene.dir, "spied")];
  mkdirSync(bin);
  mkdirSync(log);
  for (const [name, real] of Object.entries(programs))
    writeFileSync(join(bin, name), `#!/bin/sh\nenv > "${log}/${name}-$$"\nexec ${real} "$@"\n`, {
      mode: 0o755,
    });
  world.scene.env["PATH"] = `${bin}:${world.scene.env["PATH"]}`;
  const lines = (): readonly string[] =>
    readdirSync(log).flatMap((file) => readFileSync(join(log, file), "utf8").split("\n"));
  return {
    lines,
    names: () => new Set(lines().map((line) => line.split("=", 1)[0] ?? "")),
    path: (name) => join(bin, name),
  };
}

const realGit = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
const secretNames = ["LOOP_HOST_TOKEN", "LOOP_HOST_WEBHOOK_SECRET"];

test(
  "git of the service, which makes and inspects checkouts, sees no secret and nothing that a git hook handed on",
  { timeout: 120_000 },
  async () => {
    const world = await createWorld({ chosen: true });
    const { repository, stray } = startedFromGitHook(world);
    Object.assign(world.scene.env, stray);
    const spied = spyOn(world, { git: realGit });
    const service = await world.start();
    world.startIssue("Water the garden by itself.");
    await service.event("turn.done");
    // It sets some of git's variables itself, to other values.
    const lines = new Set(spied.lines());
    const handedOn = Object.entries(stray).map((each) => each.join("="));
    expect(spied.names().has("HOME")).toBe(true);
    expect(handedOn.filter((line) => lines.has(line))).toEqual([]);
    expect(secretNames.filter((name) => spied.names().has(name))).toEqual([]);
    expect(git(repository, "log", "--all", "--format=%s")).toBe("own work");
  },
);

test(
  "probes of the canary and of the harness see nothing of the operator's but what any program needs, and touch no repository that a git hook names",
  { timeout: 120_000 },
  async () => {
    const world = await createWorld();
    const { repository, stray } = startedFromGitHook(world);
    Object.assign(world.scene.env, personal, stray, { ANTHROPIC_BASE_URL: "http://127.0.0.1:9/" });
    const claude = /command: "([^"]+)"/.exec(world.scene.text())?.[1] ?? "";
    const spied = spyOn(world, { git: realGit, claude });
    world.scene.configure(world.scene.text().replace(claude, spied.path("claude")));
    const config = readFileSync(join(repository, ".git", "config"), "utf8");
    const service = await world.start();
    const reports = [
      ...(await inspectNothing("hello", service.parts)),
      ...(await inspectGit(service.parts)),
      ...(await inspectHarness(service.parts)),
    ];
    expect(reports.filter(({ state }) => state === "broken")).toEqual([]);
    expect(spied.names().has("ANTHROPIC_BASE_URL")).toBe(true); // The harness's own setting, which its probe needs.
    expect(
      [...Object.keys(stray), ...Object.keys(personal), ...secretNames].filter((name) =>
        spied.names().has(name),
      ),
    ).toEqual([]);
    expect(readFileSync(join(repository, ".git", "config"), "utf8")).toBe(config);
  },
);

test(
  "`passEnv` gives a critic and a notification what it names; a secret of loop's in it is a mistake of the configuration",
  { timeout: 60_000 },
  async () => {
    const scene = createScene(
      "notify: [{ command: [tell], passEnv: [CHAT_TOKEN] }]\ncritics: [{ name: careful, command: [judge], passEnv: [CHAT_TOKEN] }]\n",
    );
    Object.assign(scene.env, {
      CHAT_TOKEN: "given",
      OTHER_TOKEN: "kept",
      LOOP_HOST_TOKEN: "t-secret",
    });
    const settings = runtimeSettings(loadConfig(scene.configFile, scene));
    for (const { variables } of [
      ChildEnvironment.notification(settings, ["CHAT_TOKEN"]),
      ChildEnvironment.critic(settings, ["CHAT_TOKEN", "LOOP_HOST_TOKEN"]),
    ]) {
      expect(variables).toMatchObject({ CHAT_TOKEN: "given" });
      expect(variables).not.toHaveProperty("OTHER_TOKEN");
      expect(variables).not.toHaveProperty("LOOP_HOST_TOKEN");
    }
    Object.assign(scene.env, {
      LOOP_HOST_TOKEN: "practice-token-0123456789",
      CHAT_TOKEN: "Bearer practice-token-0123456789",
    });
    const copied = await scene.loop("config", "validate");
    expect(copied.code).not.toBe(0);
    expect(copied.err + copied.out).toMatch(
      /critics\[0\]\.passEnv.*CHAT_TOKEN|notify\[0\]\.passEnv.*CHAT_TOKEN/,
    );
    const copying = { env: scene.env, secretNames: ["LOOP_HOST_TOKEN"] };
    expect(ChildEnvironment.critic(copying, ["CHAT_TOKEN"]).variables).not.toHaveProperty(
      "CHAT_TOKEN",
    );
    expect(ChildEnvironment.tool({ HOME: "/home/me", GIT_CONFIG_VALUE_0: "x" }).variables).toEqual({
      HOME: "/home/me",
    });
    scene.configure(scene.text().replaceAll("CHAT_TOKEN", "LOOP_HOST_TOKEN"));
    const refused = await scene.loop("config", "validate");
    expect(refused.code).not.toBe(0);
    expect(refused.err + refused.out).toMatch(
      /notify\[0\]\.passEnv.*LOOP_HOST_TOKEN[^]*critics\[0\]\.passEnv.*LOOP_HOST_TOKEN|critics\[0\]\.passEnv.*LOOP_HOST_TOKEN[^]*notify\[0\]\.passEnv.*LOOP_HOST_TOKEN/,
    );
  },
);

test("a daemon that is started, or scheduled to restart, keeps the service's secrets and settings and loses git's whereabouts", () => {
  const env = {
    HOME: "/home/me",
    LOOP_HOST_TOKEN: "t",
    LOOP_CONFIG: "/c.yaml",
    LOOP_SUPERVISOR: "systemd:x",
    GIT_DIR: "/elsewhere/.git",
    GIT_SSH_COMMAND: "ssh -v",
    OTHER: "x",
  };
  expect(
    ChildEnvironment.service(env, { LOOP_DAEMON: "1" }, ["LOOP_SUPERVISOR"]).variables,
  ).toEqual({
    HOME: "/home/me",
    LOOP_HOST_TOKEN: "t",
    LOOP_CONFIG: "/c.yaml",
    GIT_SSH_COMMAND: "ssh -v",
    OTHER: "x",
    LOOP_DAEMON: "1",
  });
});

test("a package manager that upgrades loop, and programs of the system, get no secret", () => {
  const from = {
    env: {
      HOME: "/home/me",
      LOOP_HOST_TOKEN: "t",
      GH_TOKEN: "t",
      GIT_DIR: "/elsewhere/.git",
      npm_config_registry: "https://packages.example/",
    },
    secretNames: ["LOOP_HOST_TOKEN"],
  };
  expect(ChildEnvironment.installer(from, { npm_config_prefix: "/p" }).variables).toEqual({
    HOME: "/home/me",
    npm_config_registry: "https://packages.example/",
    npm_config_prefix: "/p",
  });
  expect(ChildEnvironment.tool(from.env, ["DISPLAY"]).variables).toEqual({ HOME: "/home/me" });
});

test("what a program for a special purpose gets is what stands in the documentation", () => {
  const names = [
    "PATH",
    "HOME",
    "LC_TIME",
    "XDG_CONFIG_HOME",
    "https_proxy",
    "NODE_EXTRA_CA_CERTS",
    "LOOP_CONFIG",
  ];
  const strange = [
    "NODE_OPTIONS",
    "LD_PRELOAD",
    "BASH_ENV",
    "ENV",
    "PROMPT_COMMAND",
    "PYTHONPATH",
    "GIT_SSH_COMMAND",
    "GIT_DIR",
    "CI",
    "ACTIONS_RUNTIME_TOKEN",
    "npm_config_registry",
    "AWS_SECRET_ACCESS_KEY",
    "CREDENTIALS_DIRECTORY",
  ];
  const env = Object.fromEntries([...names, ...strange].map((name) => [name, "x"]));
  expect(Object.keys(ChildEnvironment.probe({ env, secretNames: [] }).variables)).toEqual(names);
});
