import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EventKind, RefText, StoredEvent, Turn } from "@loopwork/core/ports";
import { createReceiver } from "@loopwork/receiver";
import { fixtureClaude } from "@loopwork-tooling/fixture-harness";
import { createPracticeHost, freePort, type PracticeHost } from "@loopwork-tooling/practice-host";
import { onTestFinished } from "vitest";
import { isAlive } from "../../src/processes/process-identity.ts";
import type { Dispatcher, RuntimeParts } from "@loopwork/runtime";
import { createUnwind } from "@loopwork/runtime/unwind";
import { loadConfig, noDaemons } from "../../src/configuration/load-config.ts";
import type { Io } from "../../src/io/io.ts";
import { writeSelfShim } from "../../src/start/self.ts";
import { openParts, wire } from "../../src/start/wire.ts";
import { createScene, type Scene } from "./scene.ts";
import { until } from "./until.ts";

/**
 * The whole service small: a practice host with a real repository, the fixture harness, real
 * SQLite, git and receiver. What the harness does is scripted in the words of comments
 * (tooling/fixture-harness/README.md).
 */
export type World = {
  readonly scene: Scene;
  readonly host: PracticeHost;
  readonly stateRoot: string;
  /** Where a daemon of its own process takes deliveries. */
  readonly webhookUrl: string;
  /** Brings the service up in this process; it is stopped at the end of the test at the latest. */
  start(
    decorate?: (parts: RuntimeParts) => RuntimeParts,
    mayBegin?: () => boolean,
  ): Promise<Service>;
  /**
   * Opens an issue with the label and lets ada start it; the words of the issue are its first
   * prompt.
   */
  startIssue(words?: string): number;
  /** Messages that reached any conversation, oldest first. */
  prompts(): readonly SeenPrompt[];
  ref(number: number): RefText;
};

export type Service = {
  readonly parts: RuntimeParts;
  readonly dispatcher: Dispatcher;
  readonly url: string;
  /** What the process log said. */
  readonly said: readonly string[];
  turns(): Promise<readonly Turn[]>;
  events(kind?: EventKind): Promise<readonly StoredEvent[]>;
  /** Waits for one event of the kind, newest last; rejects with the whole log. */
  event(kind: EventKind, fits?: (event: StoredEvent) => boolean): Promise<StoredEvent>;
  stop(): Promise<void>;
};

export type SeenPrompt = {
  readonly session: string;
  readonly receipt: string;
  readonly text: string;
};

/**
 * `routing` are lines below that key, `more` whole keys after it; `chosen`: the repository has
 * chosen loop, else we are its guest.
 */
export async function createWorld(
  options: {
    readonly chosen?: boolean;
    readonly routing?: string;
    readonly more?: string;
    readonly quietSeconds?: number;
  } = {},
): Promise<World> {
  const scene = createScene();
  const host = await createPracticeHost({
    owner: "practice",
    repo: "garden",
    users: [
      { login: "ada", token: "practice-ada" },
      { login: "loop-agent", token: "practice-agent" },
    ],
  });
  onTestFinished(() => host.stop());
  if (options.chosen === true)
    await host.commit({
      branch: "main",
      message: "Choose loop",
      files: { ".loop/harness-config.yaml": "version: 1\n" },
    });
  const claude = writeHarness(scene);
  const port = await freePort();
  scene.configure(
    [
      "state: { root: state }",
      "service: { enabled: false }",
      `webhooks: { hostWebhook: { enabled: true, port: ${port} } }`,
      "routing:",
      "  repositories: [practice/garden]",
      "  authorizedUsers: [ada]",
      "  workspace: { root: checkouts }",
      `  coalesce: { quietSeconds: ${options.quietSeconds ?? 0}, maxSeconds: ${options.quietSeconds ?? 0} }`,
      options.routing ?? "",
      `integrations: { codeHost: { host: ${JSON.stringify(new URL(host.url).host)}, apiBaseUrl: ${JSON.stringify(host.apiUrl)} } }`,
      `harnesses: { A: { command: ${JSON.stringify(claude)} } }`,
      options.more ?? "",
    ].join("\n"),
  );
  Object.assign(scene.env, {
    CLAUDE_CONFIG_DIR: join(scene.home, ".claude"),
    LOOP_HOST_WEBHOOK_SECRET: "practice-secret",
    LOOP_HOST_TOKEN: "practice-agent",
  });
  const stateRoot = join(scene.dir, "state");
  return {
    scene,
    host,
    stateRoot,
    webhookUrl: `http://127.0.0.1:${port}/host-webhook`,
    start: (decorate = (parts) => parts, mayBegin = () => true) =>
      startService(scene, host, decorate, mayBegin),
    startIssue(words = "Please help.") {
      const { number } = host.openIssue({
        title: "Water the garden",
        body: words,
        labels: ["loop: auto-execute"],
        by: "ada",
      });
      host.comment(number, "loop start", "ada");
      return number;
    },
    prompts: () => readPrompts(join(scene.home, ".claude", "projects")),
    ref: (number) => `host:practice/garden#${number}` as RefText,
  };
}

/**
 * The fixture harness behind a small program, so that a test can log in or out, and take it away,
 * while the service runs.
 */
function writeHarness(scene: Scene): string {
  writeFileSync(
    join(scene.home, ".gitconfig"),
    "[user]\n\tname = Practice Agent\n\temail = agent@practice.invalid\n",
  );
  const bin = join(scene.dir, "bin");
  mkdirSync(bin);
  const file = join(bin, "claude");
  writeFileSync(
    file,
    `#!/bin/sh\n[ -f "$HOME/harness.env" ] && . "$HOME/harness.env"\nexec ${process.execPath} ${fixtureClaude} "$@"\n`,
  );
  chmodSync(file, 0o755);
  return file;
}

/** Lines of shell that every later start of the harness reads; empty takes them away. */
export function harnessEnvironment(world: World, lines: string): void {
  writeFileSync(join(world.scene.home, "harness.env"), lines);
}

/**
 * Brings a service up for a scene, as `World.start` does: for a second instance beside the world's
 * own.
 */
export async function startService(
  scene: Scene,
  host: PracticeHost,
  decorate: (parts: RuntimeParts) => RuntimeParts,
  mayBegin: () => boolean = () => true,
): Promise<Service> {
  const said: string[] = [];
  const io: Io = {
    version: "0.0.0-test",
    cwd: scene.cwd,
    home: scene.home,
    env: scene.env,
    color: false,
    width: 100,
    interactive: false,
    out: () => {},
    err: () => {},
    readStdin: () => Promise.resolve(""),
    ask: () => Promise.resolve(""),
  };
  const loaded = loadConfig(scene.configFile, io);
  const unwind = createUnwind((what, error) =>
    said.push(`${what} did not close: ${String(error)}`),
  );
  const parts = decorate(
    await openParts(
      loaded,
      noDaemons,
      io,
      { say: (level, text) => void said.push(`${level}: ${text}`) },
      unwind,
    ),
  );
  writeSelfShim(loaded.paths.stateRoot);
  const { dispatcher } = wire(parts, unwind, mayBegin);
  const receiver = createReceiver({
    inbox: parts.store,
    secrets: ["practice-secret"],
    path: "/host-webhook",
    now: Date.now,
    onEvent: () => dispatcher.poke(),
  });
  const { address } = await receiver.listen(0, "127.0.0.1");
  unwind.defer("receiver", () => receiver.stop());
  const url = `http://127.0.0.1:${address.port}/host-webhook`;
  host.aim({ url, secret: "practice-secret" });
  let stopped: Promise<void> | null = null;
  const stop = (): Promise<void> => {
    host.aim(null);
    return (stopped ??= unwind.run());
  };
  onTestFinished(async () => {
    if (stopped === null) await endChildren(parts);
    await stop();
  });
  const events = (kind?: EventKind): Promise<readonly StoredEvent[]> =>
    parts.store.events.list({ limit: 1000, ...(kind === undefined ? {} : { kind }) });
  return {
    parts,
    dispatcher,
    url,
    said,
    events,
    turns: () => parts.store.lanes.turns({ limit: 1000 }),
    event: (kind, fits = () => true) =>
      until(
        async () => (await events(kind)).findLast(fits) ?? null,
        `the event ${kind}`,
        async () => [...said, ...(await events()).map((event) => JSON.stringify(event))].join("\n"),
      ),
    stop,
  };
}

/** A test that ends in the middle of a turn leaves no harness behind. */
async function endChildren(parts: RuntimeParts): Promise<void> {
  const running = await parts.store.lanes
    .turns({ states: ["injecting"], limit: 100 })
    .catch(() => []);
  for (const { attempt } of running)
    if (attempt?.child && isAlive(attempt.child)) process.kill(-attempt.child.pid, "SIGKILL");
}

function readPrompts(projects: string): readonly SeenPrompt[] {
  const folders = tryRead(() => readdirSync(projects)) ?? [];
  const files = folders.flatMap((folder) =>
    readdirSync(join(projects, folder))
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => join(projects, folder, name)),
  );
  const prompts = files.flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .flatMap((line) => {
        const row = tryRead(
          () =>
            JSON.parse(line) as {
              type?: string;
              uuid?: string;
              timestamp?: string;
              message?: { content?: unknown };
            },
        );
        const text = row?.type === "user" ? row.message?.content : null;
        return typeof text === "string" && text.startsWith("Work item:")
          ? [
              {
                at: row?.timestamp ?? "",
                prompt: {
                  session: file.split("/").at(-1)?.slice(0, -".jsonl".length) ?? "",
                  receipt: row?.uuid ?? "",
                  text,
                },
              },
            ]
          : [];
      }),
  );
  return prompts
    .toSorted((one, other) => Number(one.at > other.at) - Number(one.at < other.at))
    .map(({ prompt }) => prompt);
}

function tryRead<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
