import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  compileCache,
  createPracticeHost,
  freePort,
  type PracticeHost,
} from "@loopwork-tooling/practice-host";
import { checkKills } from "./check/check-kills.ts";
import { watchProcesses } from "./check/livest.ts";
import type { GuardName } from "./guards.ts";
import { judge, type Judgement } from "./judge.ts";
import { startLoad } from "./load.ts";
import { createRandom } from "./random.ts";
import { readPrompts } from "./transcripts.ts";
import { untilUp } from "./until-up.ts";

export type FaultRun = {
  readonly kills: number;
  readonly seed: number;
  readonly without: GuardName | null;
  readonly lanes: number;
  readonly say: (text: string) => void;
};
export type FaultReport = {
  readonly kills: number;
  readonly seed: number;
  readonly without: GuardName | null;
  readonly acknowledged: number;
} & Judgement;

/**
 * One life in four is killed this long after its start, in milliseconds, often before it is up; the
 * others this long after it is up.
 */
const longestLifeMs = 1_500;
/**
 * A last life in which nothing more is finished for so long, in milliseconds, finishes nothing
 * more.
 */
const nothingNewMs = 30_000;
/** Without a guard the first sight of damage is enough. */
const nothingNewWithoutGuardMs = 6_000;

/**
 * Kills the service with SIGKILL at random moments while deliveries come in, lets the last life
 * finish, and then looks at the transcripts of the harness, and with the checker at all else that
 * is left.
 */
export async function runFaults(options: FaultRun): Promise<FaultReport> {
  const scratch = mkdtempSync(join(tmpdir(), "loop-faults-"));
  const host = await createPracticeHost({
    owner: "practice",
    repo: "garden",
    users: [{ login: "loop-agent", token: "practice-token" }],
  });
  const [port, servicePort] = [await freePort(), await freePort()];
  const env = writeScene(scratch, host, port, servicePort);
  const random = createRandom(options.seed);
  const stage = {
    owner: "practice",
    repo: "garden",
    hostUrl: host.url,
    cloneUrl: host.cloneUrl,
    secret: "practice-secret",
  };
  const load = startLoad({
    stage,
    url: `http://127.0.0.1:${port}/host-webhook`,
    lanes: options.lanes,
    random: createRandom(options.seed + 1),
    repeatShare: 0.2,
    pauseMs: 250,
  });
  const configDir = join(scratch, "home", ".claude");
  const processes = watchProcesses(scratch);
  let daemon: ChildProcess | null = null;
  try {
    for (let kill = 1; kill <= options.kills; kill++) {
      daemon = startDaemon(scratch, env, options.without);
      if (random() >= 0.25) await untilUp(`http://127.0.0.1:${port}/health`);
      await sleep(random() * longestLifeMs);
      await end(daemon, "SIGKILL");
      if (options.without !== null && isDamaged(judge(load.expected(), readPrompts(configDir))))
        break;
      if (kill % 10 === 0)
        options.say(`${kill} kills, ${load.acknowledged()} deliveries acknowledged`);
    }
    daemon = startDaemon(scratch, env, options.without);
    await load.stop();
    const result = await settled(
      () => judge(load.expected(), readPrompts(configDir)),
      options.without === null ? nothingNewMs : nothingNewWithoutGuardMs,
    );
    const found =
      options.without === null
        ? await checkKills({
            scratch,
            serviceUrl: `http://127.0.0.1:${servicePort}`,
            taken: load.taken(),
            livest: processes.livest,
          })
        : [];
    const violations = [...result.violations, ...found];
    if (violations.length > 0 && options.without === null)
      options.say(
        readFileSync(join(scratch, "daemon.log"), "utf8").split("\n").slice(-40).join("\n"),
      );
    return {
      kills: options.kills,
      seed: options.seed,
      without: options.without,
      acknowledged: load.acknowledged(),
      ...result,
      violations,
    };
  } finally {
    processes.close();
    if (daemon !== null) await end(daemon, "SIGTERM");
    await host.stop();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Damage that stays; what is lost so far may still come. */
function isDamaged({ doubled, overlapping, outOfOrder }: Judgement): boolean {
  return doubled + overlapping + outOfOrder > 0;
}

/**
 * Looks again until nothing is missing, or until nothing more is finished: then what is missing is
 * lost.
 */
export async function settled(look: () => Judgement, patienceMs: number): Promise<Judgement> {
  let last = look();
  let changedAt = performance.now();
  while (last.lost > 0 && performance.now() - changedAt < patienceMs) {
    await sleep(500);
    const next = look();
    if (next.delivered !== last.delivered) changedAt = performance.now();
    last = next;
  }
  await sleep(1_500); // A second answer to the same message would come now.
  return look();
}

function startDaemon(
  scratch: string,
  env: Readonly<Record<string, string>>,
  without: GuardName | null,
): ChildProcess {
  const log = openSync(join(scratch, "daemon.log"), "a");
  const program = fileURLToPath(
    new URL(import.meta.url.endsWith(".ts") ? "./daemon.ts" : "./daemon.js", import.meta.url),
  );
  const child = spawn(
    process.execPath,
    [...process.execArgv, program, ...(without === null ? [] : [without])],
    { cwd: scratch, env, stdio: ["ignore", log, log] },
  );
  closeSync(log);
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
}

export function writeScene(
  scratch: string,
  host: PracticeHost,
  port: number,
  servicePort: number,
): Record<string, string> {
  const fixture = join(
    dirname(dirname(dirname(fileURLToPath(import.meta.url)))),
    "fixture-harness",
    "bin",
    "fixture-claude",
  );
  const [home, state] = [join(scratch, "home"), join(scratch, ".loop")];
  mkdirSync(home);
  mkdirSync(state);
  writeFileSync(
    join(home, ".gitconfig"),
    "[user]\n\tname = Practice Agent\n\temail = agent@practice.invalid\n",
  );
  const config = [
    `service: { port: ${servicePort} }`,
    `webhooks: { hostWebhook: { enabled: true, port: ${port} } }`,
    "routing:",
    "  authorizedUsers: [ada]",
    "  maxConcurrentTurns: 4",
    `  workspace: { root: ${JSON.stringify(join(scratch, "workspaces"))} }`,
    "  coalesce: { quietSeconds: 0, maxSeconds: 0 }",
    "  loopBreaker: { turns: 10000 }",
    `integrations: { codeHost: { host: ${JSON.stringify(new URL(host.url).host)}, apiBaseUrl: ${JSON.stringify(host.apiUrl)} } }`,
    `harnesses: { A: { command: ${JSON.stringify(fixture)} } }`,
    "",
  ];
  writeFileSync(join(state, "cli-config.yaml"), config.join("\n"));
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    TMPDIR: scratch,
    CLAUDE_CONFIG_DIR: join(home, ".claude"),
    LOOP_CONFIG: join(state, "cli-config.yaml"),
    LOOP_HOST_WEBHOOK_SECRET: "practice-secret",
    LOOP_HOST_TOKEN: "practice-token",
    ...compileCache(),
  };
}
