import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, globSync, mkdirSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createPracticeHost, freePort, type PracticeHost } from "@loopwork-tooling/practice-host";
import type { Scene } from "../scene.ts";
import type { Without } from "./guards.ts";

const program = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "daemon.ts" : "daemon.js", import.meta.url),
);
const cli = fileURLToPath(new URL("../../../../packages/cli/src/bin.ts", import.meta.url));
const patienceMs = 150_000;

/** A line of `loop events --json`. */
export type ServiceEvent = {
  readonly kind: string;
  readonly reason: string | null;
  readonly workItem: string | null;
  readonly time: number;
  readonly fields: Readonly<Record<string, unknown>>;
};

/** One configuration of the service, and its processes. */
export type Service = {
  readonly configFile: string;
  /** Starts its daemon; resolves once it takes deliveries. */
  start(guard?: Without): Promise<void>;
  /** Ends the daemon alone; what it started may live on. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Lets the practice host send what happens from now on here. */
  aim(): void;
  /** Runs `loop` as a person would; rejects when it fails. */
  loop(...args: readonly string[]): Promise<string>;
  /** Events so far, of a kind or all. */
  events(kind?: string): readonly ServiceEvent[];
  /** Waits until so many events of the kind are there; answers with the newest. */
  event(kind: string, count?: number): Promise<ServiceEvent>;
};

/**
 * The whole service on top of a row's subject: a practice host with a real repository, the daemon
 * in a process of its own.
 */
export type World = {
  readonly host: PracticeHost;
  /** `routing`: more lines under that key of its configuration. */
  service(
    name: string,
    kind?: DaemonKind,
    routing?: readonly string[],
    keys?: MoreKeys,
  ): Promise<Service>;
  /** The services' clocks are ahead by so much from now on. */
  pass(ms: number): void;
  /** Lines of shell that every later start of the harness reads. */
  harness(lines: string): void;
  /** Opens an issue with the label and lets ada start it. */
  startIssue(words: string): number;
  ref(number: number): string;
  close(): Promise<void>;
};

export async function openWorld(scene: Scene): Promise<World> {
  const host = await createPracticeHost({
    owner: "practice",
    repo: "garden",
    users: [
      { login: "ada", token: "practice-ada" },
      { login: "loop-agent", token: "practice-agent" },
    ],
  });
  scene.write(
    "home/.gitconfig",
    "[user]\n\tname = Practice Agent\n\temail = agent@practice.invalid\n",
  );
  scene.write("harness.env", "");
  scene.write("ahead-ms", "0");
  const command = scene.write(
    "bin/harness",
    `#!/bin/sh\n. '${scene.dir}/harness.env'\nexec '${scene.subject.command}' "$@"\n`,
    0o755,
  );
  const children = new Set<ChildProcess>();
  return {
    host,
    service: async (name, kind = "host-webhook", routing = [], keys = {}) =>
      createService(await configure({ scene, host, command, name, kind, routing, keys }), {
        scene,
        host,
        children,
      }),
    pass: (ms) => void scene.write("ahead-ms", String(ms)),
    harness: (lines) => void scene.write("harness.env", lines),
    startIssue(words) {
      const { number } = host.openIssue({
        title: "Water the garden",
        body: words,
        labels: ["loop: auto-execute"],
        by: "ada",
      });
      host.comment(number, "loop start", "ada");
      return number;
    },
    ref: (number) => `host:practice/garden#${number}`,
    async close() {
      await Promise.all([...children].map((child) => ended(child, "SIGKILL")));
      await host.stop();
    },
  };
}

/** Runs one service in a world of its own, for one row. */
export async function inWorld(
  scene: Scene,
  tell: (world: World, service: Service) => Promise<void>,
  routing: readonly string[] = [],
  keys: MoreKeys = {},
): Promise<void> {
  const world = await openWorld(scene);
  try {
    const service = await world.service("one", "host-webhook", routing, keys);
    await service.start();
    await tell(world, service);
  } finally {
    await world.close();
  }
}

/** Ids of every conversation on record. */
export function conversations(scene: Scene): readonly string[] {
  return globSync(path.join(scene.configDir, "projects/*/*.jsonl")).map((file) =>
    path.basename(file, ".jsonl"),
  );
}

/** What hooks told any conversation, as its transcript has it. */
export function toldByHooks(scene: Scene): readonly string[] {
  const attached = conversations(scene).flatMap((id) =>
    scene
      .transcript(id)
      .map((line): Readonly<Record<string, unknown>> => Object(line["attachment"])),
  );
  return attached.flatMap(({ type, content }) =>
    type === "hook_additional_context"
      ? [content].flat().filter((text) => typeof text === "string")
      : [],
  );
}

type DaemonKind = "host-webhook" | "service";
type Configured = {
  readonly configFile: string;
  readonly port: number;
  readonly kind: DaemonKind;
  readonly env: Readonly<Record<string, string>>;
};

type Settings = {
  readonly scene: Scene;
  readonly host: PracticeHost;
  readonly command: string;
  readonly name: string;
  readonly kind: DaemonKind;
  readonly routing: readonly string[];
  readonly keys: MoreKeys;
};

/**
 * More keys of `harnesses.A` and of `routing.workspace`, as YAML writes them in braces, the folder of
 * store, token and pidfile, `state` unless said otherwise, the one folder in which every turn works,
 * if any, the env file, the folder of the configuration, and more variables of the service.
 */
export type MoreKeys = {
  readonly harness?: string;
  readonly workspace?: string;
  readonly own?: string;
  readonly folder?: string;
  readonly envFile?: string;
  readonly configDir?: string;
  readonly env?: Readonly<Record<string, string>>;
};

async function configure({
  scene,
  host,
  command,
  name,
  kind,
  routing,
  keys,
}: Settings): Promise<Configured> {
  const [port, servicePort] = [await freePort(), await freePort()];
  const at = (file: string): string => path.join(scene.dir, file);
  const own = at(keys.own ?? "state");
  const { folder, envFile } = keys;
  const lines = [
    `state: { root: ${JSON.stringify(at("state"))} }`,
    `instance: { name: ${name} }`,
    `store: { url: "sqlite:${own}/${name}.db" }`,
    `service: { enabled: ${kind === "service"}, port: ${servicePort}, tokenFile: ${own}/control-plane.token }`,
    `webhooks: { hostWebhook: { enabled: true, port: ${port}, pidfile: ${own}/host-webhook.pid } }`,
    `integrations: { codeHost: { host: ${JSON.stringify(new URL(host.url).host)}, apiBaseUrl: ${JSON.stringify(host.apiUrl)} } }`,
    `harnesses: { A: { command: ${JSON.stringify(command)}, passEnv: []${keys.harness === undefined ? "" : `, ${keys.harness}`} } }`,
    ...(envFile === undefined ? [] : [`env: { file: ${JSON.stringify(at(envFile))} }`]),
    "routing:",
    "  repositories: [practice/garden]",
    "  authorizedUsers: [ada]",
    folder === undefined
      ? `  workspace: { root: ${JSON.stringify(at(`checkouts-${name}`))}${keys.workspace === undefined ? "" : `, ${keys.workspace}`} }`
      : `  spawnWorkdir: ${JSON.stringify(at(folder))}`,
    "  coalesce: { quietSeconds: 0, maxSeconds: 0 }",
    ...routing.map((line) => `  ${line}`),
  ];
  const configFile = scene.write(
    path.join(keys.configDir ?? "", `${name}.yaml`),
    `${lines.join("\n")}\n`,
  );
  return { configFile, port, kind, env: keys.env ?? {} };
}

function createService(
  { configFile, port, kind, env: more }: Configured,
  {
    scene,
    host,
    children,
  }: { readonly scene: Scene; readonly host: PracticeHost; readonly children: Set<ChildProcess> },
): Service {
  const {
    PATH = "",
    LOOP_WORK_ITEM: _item,
    LOOP_INSTANCE: _instance,
    ...env
  } = scene.environment({
    LOOP_CONFIG: configFile,
    LOOP_HOST_WEBHOOK_SECRET: "practice-secret",
    LOOP_HOST_TOKEN: "practice-agent",
  });
  // Without the rows' own double of `loop`, which comes first: a daemon brings the real one.
  const around = {
    cwd: scene.dir,
    env: { ...env, PATH: PATH.split(":").slice(1).join(":"), ...more },
  };
  const logFile = `${configFile}.log`;
  const url = `http://127.0.0.1:${port}/host-webhook`;
  const seen: ServiceEvent[] = [];
  let daemon: ChildProcess | null = null;
  const loop = (args: readonly string[]): ChildProcess => {
    const child = spawn(process.execPath, ["--conditions=@loopwork/source", cli, ...args], {
      ...around,
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.add(child);
    return child;
  };
  const service: Service = {
    configFile,
    async start(guard) {
      mkdirSync(path.join(scene.dir, "state"), { recursive: true });
      const log = openSync(logFile, "a");
      daemon = spawn(
        process.execPath,
        [
          "--conditions=@loopwork/source",
          program,
          kind,
          path.join(scene.dir, "ahead-ms"),
          ...(guard === undefined ? [] : [guard]),
        ],
        { ...around, stdio: ["ignore", log, log] },
      );
      closeSync(log);
      children.add(daemon);
      const running = daemon;
      await until(
        "the daemon is up",
        async () =>
          running.exitCode !== null ||
          (await fetch(new URL("/health", url)).then(
            ({ ok }) => ok,
            () => false,
          )),
        () => readFileSync(logFile, "utf8"),
      );
      if (running.exitCode !== null)
        throw new Error(`the daemon ended at once: ${readFileSync(logFile, "utf8")}`);
      if (seen.length === 0) void follow(loop(["events", "--follow", "--json"]), seen);
      service.aim();
    },
    end: async (signal) => (daemon === null ? undefined : ended(daemon, signal)),
    aim: () => host.aim({ url, secret: "practice-secret" }),
    async loop(...args) {
      const child = loop(args);
      let said = "";
      for (const stream of [child.stdout, child.stderr])
        stream?.on("data", (chunk: Buffer) => (said += chunk.toString()));
      const [code] = await once(child, "close");
      if (code !== 0) throw new Error(`loop ${args.join(" ")} ended with ${String(code)}: ${said}`);
      return said;
    },
    events: (kind) => seen.filter((event) => kind === undefined || event.kind === kind),
    async event(kind, count = 1) {
      await until(
        `${count} of ${kind}`,
        () => Promise.resolve(service.events(kind).length >= count),
        () =>
          `${seen
            .map((event) => JSON.stringify(event))
            .join("\n")
            .slice(-6_000)}\n${readFileSync(logFile, "utf8").slice(-2_000)}`,
      );
      const newest = service.events(kind).at(-1);
      if (newest === undefined) throw new Error(`there is no ${kind}`);
      return newest;
    },
  };
  return service;
}

async function follow(child: ChildProcess, seen: ServiceEvent[]): Promise<void> {
  if (child.stdout === null) return;
  for await (const line of createInterface({ input: child.stdout })) seen.push(JSON.parse(line));
}

/** Waits for what is to come; rejects with what there was instead. */
export async function until(
  what: string,
  holds: () => Promise<boolean>,
  seen: () => string = () => "",
): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!(await holds())) {
    if (performance.now() > end)
      throw new Error(`${what}: not within ${patienceMs / 1000} s\n${seen()}`);
    await sleep(50);
  }
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill(signal);
  await gone;
}
