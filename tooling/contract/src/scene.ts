import { randomUUID } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { compileCache } from "@loopwork-tooling/practice-host";
import {
  type ChildEnd,
  type PromptText,
  promptText,
  type RunningChild,
  type SandboxFiles,
  type TurnPlan,
  type TurnRequest,
} from "@loopwork/core/ports";
import {
  beginAttempt,
  type EndedAttempt,
  runAttempt,
  type RunningAttempt,
  type StagedChild,
} from "@loopwork/core/testing";
import { createHarnessA, defaults, type HarnessA, type HarnessAOptions } from "@loopwork/harness-a";
import type { ModelRequest } from "./messages-api.ts";
import { processes, signalGroup, staged } from "./processes.ts";
import type { Subject } from "./subject.ts";

const pluginDir = fileURLToPath(new URL("../../../plugins/loop", import.meta.url));
const loopDouble = fileURLToPath(new URL("../bin", import.meta.url));

/** How one attempt is made; what is left out is ordinary. */
export type AttemptOptions = {
  readonly mode?: TurnRequest["mode"];
  readonly sessionId?: string;
  readonly receipt?: string;
  readonly workdir?: string;
  readonly alsoIn?: readonly string[];
  readonly sandbox?: SandboxFiles;
  /** The prompt goes out as it stands, with everything in it that the program acts on. */
  readonly isLive?: boolean;
  /** Variables that the adapter sets and this attempt goes without. */
  readonly without?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly options?: Partial<HarnessAOptions>;
};

/** A place of its own for one row: home, configuration, temporary folder, checkout, turn folder. */
export type Scene = {
  readonly subject: Subject;
  readonly dir: string;
  readonly configDir: string;
  readonly workdir: string;
  readonly turnDir: string;
  readonly pluginDir: string;
  readonly sessionId: string;
  adapter(options?: Partial<HarnessAOptions>): HarnessA;
  environment(extra?: Readonly<Record<string, string>>): Record<string, string>;
  /** Starts an attempt and leaves it running, its message unwritten. */
  begin(prompt: string, attempt?: AttemptOptions): Promise<RunningAttempt>;
  /**
   * A whole attempt as the runtime makes it: spawn, write, wait for the end of turn, close, wait
   * for the exit.
   */
  turn(prompt: string, attempt?: AttemptOptions): Promise<EndedAttempt>;
  /** Starts what an adapter planned. */
  start(plan: TurnPlan, workdir: string): Promise<StagedChild>;
  /** The program by itself, with arguments of the row's choice. */
  call(
    args: readonly string[],
    stdin?: string,
    env?: Readonly<Record<string, string>>,
  ): Promise<{ readonly end: ChildEnd; readonly stdout: string; readonly stderr: string }>;
  /**
   * What this row's sessions asked the model for, oldest first; null where the program plays the
   * model itself.
   */
  requests(): readonly ModelRequest[] | null;
  /** Rows of the session's transcript; empty when there is none. */
  transcript(sessionId?: string): readonly Readonly<Record<string, unknown>>[];
  write(file: string, text: string, mode?: number): string;
  close(): void;
};

const deadlineMs = 60_000;

/** Makes the place of a row; `close` removes it. */
export function openScene(given: Subject): Scene {
  const dir = realpathSync(mkdtempSync(path.join(tmpdir(), "loop-contract-")));
  const folder = (name: string): string => {
    mkdirSync(path.join(dir, name), { recursive: true });
    return path.join(dir, name);
  };
  const places = {
    home: folder("home"),
    configDir: folder("config"),
    tmp: folder("tmp"),
    workdir: folder("checkout"),
    turnDir: folder("turn"),
    logs: folder("logs"),
  };
  const subject = given.name === "fixture" ? withLogin(given, path.join(dir, "fixture")) : given;
  const sessionId = randomUUID();
  const children = new Set<RunningChild>();
  // One interface serves the rows of a run, and their work items have the same names.
  const before = subject.api?.requests.length ?? 0;
  const environment: Scene["environment"] = (extra = {}) => ({
    PATH: [loopDouble, path.dirname(process.execPath), process.env["PATH"] ?? ""].join(":"),
    HOME: places.home,
    TMPDIR: places.tmp,
    TERM: "dumb",
    LANG: "C.UTF-8",
    CLAUDE_CONFIG_DIR: places.configDir,
    ANTHROPIC_BASE_URL: subject.api?.url ?? "",
    ANTHROPIC_API_KEY: "sk-ant-dummy-0000",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    IS_SANDBOX: "1",
    LOOP_INSTANCE: "contract",
    LOOP_WORK_ITEM: "host:octo/demo#1",
    ...compileCache(),
    ...extra,
  });
  const adapter: Scene["adapter"] = (options = {}) =>
    createHarnessA({
      ...defaults,
      command: subject.command,
      pluginDir,
      environment: environment(),
      home: places.home,
      processes,
      probeDir: places.logs,
      ...options,
    });
  const spawn = async (
    argv: readonly [string, ...string[]],
    env: Readonly<Record<string, string>>,
    cwd: string,
  ): Promise<{ child: RunningChild; stdoutFile: string; stderrFile: string }> => {
    const files = {
      stdoutFile: path.join(places.logs, `${randomUUID()}.out`),
      stderrFile: path.join(places.logs, `${randomUUID()}.err`),
    };
    const child = await processes.spawn({
      argv,
      cwd,
      env,
      ...files,
      deadlineMs,
      maxOutputBytes: 1 << 26,
    });
    children.add(child);
    void child.ended.then(() => children.delete(child));
    return { child, ...files };
  };

  const start: Scene["start"] = async (plan, workdir) => {
    const { child, stderrFile } = await spawn(plan.argv, withoutEmpty(plan.env), workdir);
    return staged(child, stderrFile);
  };
  const startWithout =
    (names: readonly string[] = []): Scene["start"] =>
    (plan, workdir) => {
      const env = Object.entries(plan.env).filter(([name]) => !names.includes(name));
      return start({ ...plan, env: Object.fromEntries(env) }, workdir);
    };
  const requestOf = (prompt: string, attempt: AttemptOptions): TurnRequest => ({
    mode: attempt.mode ?? "start",
    sessionId: attempt.sessionId ?? sessionId,
    receipt: attempt.receipt ?? randomUUID(),
    prompt: attempt.isLive === true ? live(prompt) : promptText(prompt),
    workdir: attempt.workdir ?? places.workdir,
    alsoIn: attempt.alsoIn ?? [],
    turnDir: places.turnDir,
    sandbox: attempt.sandbox ?? null,
    env: environment(attempt.env),
  });

  return {
    subject,
    dir,
    ...places,
    pluginDir,
    sessionId,
    adapter,
    environment,
    begin(prompt, attempt = {}) {
      const { turns } = adapter(attempt.options);
      return beginAttempt(turns, requestOf(prompt, attempt), startWithout(attempt.without));
    },
    turn(prompt, attempt = {}) {
      const { turns } = adapter(attempt.options);
      return runAttempt(turns, requestOf(prompt, attempt), startWithout(attempt.without));
    },
    start,
    async call(args, stdin = "", env) {
      const { child, stdoutFile, stderrFile } = await spawn(
        [subject.command, ...args],
        withoutEmpty(environment(env)),
        places.workdir,
      );
      if (stdin !== "") await child.write(stdin).catch(() => undefined);
      child.endInput();
      const end = await child.ended;
      return {
        end,
        stdout: readFileSync(stdoutFile, "utf8"),
        stderr: readFileSync(stderrFile, "utf8"),
      };
    },
    requests: () => subject.api?.requests.slice(before) ?? null,
    transcript: (id = sessionId) => readTranscript(places.configDir, id),
    write(file, text, mode = 0o644) {
      const target = path.resolve(dir, file);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, text, { mode });
      return target;
    },
    close() {
      for (const child of children) signalGroup(child.identity.pid, "SIGKILL");
      rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

/** A prompt that nobody has made harmless: for controls. */
export function live(prompt: string): PromptText {
  assertPrompt(prompt);
  return prompt;
}

function assertPrompt(_prompt: string): asserts _prompt is PromptText {}

function readTranscript(
  configDir: string,
  sessionId: string,
): readonly Readonly<Record<string, unknown>>[] {
  const projects = path.join(configDir, "projects");
  const rows: Readonly<Record<string, unknown>>[] = [];
  for (const folder of listDir(projects)) {
    if (!listDir(path.join(projects, folder)).includes(`${sessionId}.jsonl`)) continue;
    for (const line of readFileSync(
      path.join(projects, folder, `${sessionId}.jsonl`),
      "utf8",
    ).split("\n"))
      if (line !== "") rows.push(JSON.parse(line));
  }
  return rows;
}

function listDir(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A variable that is set to nothing in a row is not set at all. */
function withoutEmpty(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
}

/**
 * The fixture behind a program that makes it ask for a login: a probe gets no variable but the
 * harness's own.
 */
function withLogin(fixture: Subject, file: string): Subject {
  writeFileSync(
    file,
    `#!/bin/sh\nexport FIXTURE_REQUIRE_LOGIN=1\nexec '${fixture.command}' "$@"\n`,
    { mode: 0o755 },
  );
  return { ...fixture, command: file };
}
