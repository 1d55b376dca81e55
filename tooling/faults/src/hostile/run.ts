import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createPracticeHost, freePort, type PracticeHost } from "@loopwork-tooling/practice-host";
import { commented, issueOpened, type Signed, type Stage } from "../payloads.ts";
import { post } from "../load.ts";
import { writeScene } from "../run.ts";
import { untilUp } from "../until-up.ts";
import { allowedBlockMs, worstBlock } from "./blocks.ts";
import { receiverAnswers, serviceAnswers, unavailable } from "./answers.ts";
import { type Backlog, watchBacklog } from "./backlog.ts";
import { createFindings, type Findings } from "./findings.ts";
import { inputOf } from "./inputs/index.ts";
import { items } from "./inputs/texts.ts";
import {
  type Answered,
  filesOfState,
  inspectFiles,
  inspectStore,
  inspectStrangers,
} from "./inspect.ts";
import { planted, type PlantedName } from "./planted.ts";
import type { sizeOfProcess } from "./probe.ts";
import { roomyFolder } from "./room.ts";
import { sendAll, type Sent } from "./send.ts";
import { startWatched, type Watched } from "./watched.ts";

export type HostileRun = {
  readonly inputs: number;
  /** Number of the first input. */ readonly from: number;
  readonly seed: number;
  readonly without: PlantedName | null;
  /** How long its idle time is watched first. */ readonly idleMs?: number;
  /** How long it is left alone before its memory counts as at rest: the engine gives pages that it no longer needs back to the system some ten seconds later. */ readonly calmMs?: number;
  readonly say: (text: string) => void;
};

/**
 * `worstBlockMs` is of the window that stood out most above its `baselineBlockMs`; `rssGrowthMiB`
 * from a fifth of the inputs to their end, both at rest.
 */
export type HostileReport = {
  readonly inputs: number;
  readonly seed: number;
  readonly without: PlantedName | null;
  readonly byAnswer: Readonly<Record<string, number>>;
  readonly byKind: Readonly<Record<string, number>>;
  readonly crashes: number;
  readonly serverErrors: number;
  readonly worstBlockMs: number;
  readonly baselineBlockMs: number;
  readonly rssMiB: number;
  readonly rssGrowthMiB: number;
  readonly openFilesGrowth: number;
  readonly stored: number;
  readonly decided: number;
  readonly violations: readonly string[];
};

const connections = 24;
/** Undecided deliveries at which sending waits. */
const mostUndecided = 400;
const allowedGrowthMiB = 64;
/** What the service gets to decide what is left, in milliseconds. */
const restMs = 300_000;

/**
 * Sends hostile inputs to the real service, and then looks at what it answered, stored, wrote and
 * became.
 */
export async function runHostile(options: HostileRun): Promise<HostileReport> {
  const scratch = mkdtempSync(join(roomyFolder(), "loop-hostile-"));
  const host = await createPracticeHost({
    owner: "practice",
    repo: "garden",
    users: [{ login: "loop-agent", token: "practice-token" }],
  });
  const scene = await setScene(scratch, host, options);
  const bystander = startWatched(
    "bystander",
    [join(scratch, "bystander")],
    scratch,
    scene.env,
    join(scratch, "bystander.log"),
  );
  const service = startWatched(
    "daemon",
    [options.without ?? ""],
    scratch,
    scene.env,
    join(scratch, "daemon.log"),
  );
  const backlog = watchBacklog(join(scratch, ".loop", "loop.db"));
  try {
    await untilUp(`http://127.0.0.1:${scene.ports.receiver}/health`);
    return await attack({
      ...options,
      ...scene,
      scratch,
      service,
      bystander,
      backlog,
      findings: createFindings(options.say),
    });
  } catch (error) {
    options.say(
      readFileSync(join(scratch, "daemon.log"), "utf8").split("\n").slice(-30).join("\n"),
    );
    throw error;
  } finally {
    backlog.stop();
    await service.stop();
    await bystander.stop();
    await host.stop();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Scene = {
  readonly env: Readonly<Record<string, string>>;
  readonly ports: { readonly receiver: number; readonly service: number };
  readonly stage: Stage;
};
type Attack = HostileRun &
  Scene & {
    readonly scratch: string;
    readonly service: Watched;
    readonly bystander: Watched;
    readonly backlog: Backlog;
    readonly findings: Findings;
  };

async function setScene(
  scratch: string,
  host: PracticeHost,
  { without }: HostileRun,
): Promise<Scene> {
  const ports = { receiver: await freePort(), service: await freePort() };
  const env = writeScene(scratch, host, ports.receiver, ports.service);
  const { unset, authorized } = without === null ? {} : planted[without];
  if (unset !== undefined) delete env[unset];
  const file = env["LOOP_CONFIG"] ?? "";
  if (authorized !== undefined)
    writeFileSync(file, readFileSync(file, "utf8").replace("[ada]", `[ada, ${authorized}]`));
  const stage = {
    owner: "practice",
    repo: "garden",
    hostUrl: host.url,
    cloneUrl: host.cloneUrl,
    secret: "practice-secret",
  };
  return { env, ports, stage };
}

async function attack(run: Attack): Promise<HostileReport> {
  const { service, bystander, scratch, stage, seed, findings, say } = run;
  const token = readFileSync(join(scratch, ".loop", "control-plane.token"), "utf8").trim();
  const own = new Set<string>();
  await prepareItems(run, own);
  const rested = service.samples.length;
  await sleep(run.idleMs ?? 3_000);
  const idle = service.samples.slice(rested);
  const counted: Counted = {
    byAnswer: {},
    byKind: {},
    answered: [],
    times: new Float64Array(2 * run.inputs),
    sent: 0,
    serverErrors: 0,
  };
  const runId = `h${seed}-${randomBytes(4).toString("hex")}`;
  const make = (n: number): Sent["input"] => inputOf(seed, n, runId, stage, token);
  const warm = run.from + Math.ceil(run.inputs / 5);
  const send = (first: number, last: number): Promise<void> =>
    sendAll({
      ports: run.ports,
      inputOf: make,
      first,
      last,
      connections,
      isBehind: () => run.backlog.undecided() > mostUndecided,
      goesOn: service.isAlive,
      onSent: (sent) => note(sent, counted, run),
    });
  const began = { sample: service.samples.length };
  await send(run.from, warm);
  const warmed = service.samples.length;
  const before = await restOf(run);
  const between = service.samples.length;
  await send(warm, run.from + run.inputs);
  await run.backlog.settled(restMs, service.isAlive);
  const worked = [
    ...service.samples.slice(began.sample, warmed),
    ...service.samples.slice(between + 2),
  ];
  const after = await restOf(run);
  await stillGood(run, token, own);
  const alive = service.isAlive();
  const code = await service.stop();
  if (!alive || code !== 0)
    findings.add(
      "crash",
      `the service ${alive ? `ended with ${code} when it was asked to` : "was gone before it was asked to go"}: ${lastWords(scratch)}`,
    );
  const worst = worstBlock(worked, idle, bystander.samples);
  if (worst !== null && worst.blockMs - worst.baselineMs > allowedBlockMs)
    findings.add(
      "block",
      `the event loop was away ${Math.round(worst.blockMs)} ms, of which it computed ${Math.round(worst.cpuMs)} ms, where ${Math.round(worst.baselineMs)} ms are the machine's; under way then: ${underWay(worst.at, counted, run, make)}`,
    );
  const growth = after.rssMiB - before.rssMiB;
  if (growth > allowedGrowthMiB)
    findings.add(
      "memory",
      `${Math.round(growth)} MiB more after the last four fifths of the inputs than before them`,
    );
  const stored = look(run, counted, own, token);
  say(`${counted.sent} inputs sent, ${stored.stored} deliveries stored`);
  return {
    inputs: counted.sent,
    seed,
    without: run.without,
    byAnswer: sorted(counted.byAnswer),
    byKind: sorted(counted.byKind),
    crashes: findings.count("crash"),
    serverErrors: counted.serverErrors,
    worstBlockMs: round(worst?.blockMs ?? 0),
    baselineBlockMs: round(worst?.baselineMs ?? 0),
    rssMiB: round(after.rssMiB),
    rssGrowthMiB: round(growth),
    openFilesGrowth: after.openFiles - before.openFiles,
    stored: stored.stored,
    decided: stored.stored - stored.undecided,
    violations: findings.list(),
  };
}

/** What has been sent and answered so far. `times`: from and to of each input. */
type Counted = {
  readonly byAnswer: Record<string, number>;
  readonly byKind: Record<string, number>;
  readonly answered: Answered[];
  readonly times: Float64Array;
  sent: number;
  serverErrors: number;
};

/**
 * Item 1 is started and listens, item 3 is armed and nobody starts it. The person who may steer has
 * been seen, so that their id is known.
 */
async function prepareItems(
  { stage, ports, backlog, service }: Attack,
  own: Set<string>,
): Promise<void> {
  const id = (): string => randomBytes(8).toString("hex");
  const sent: readonly Signed[] = [
    issueOpened(stage, items.worked, id()),
    issueOpened(stage, items.armed, id()),
    commented(stage, items.worked, 1_000, "loop start", id()),
  ];
  for (const each of sent) {
    own.add(each.id);
    const status = await post(`http://127.0.0.1:${ports.receiver}/host-webhook`, each);
    if (status !== 202) throw new Error(`the service answered ${status} to a good delivery`);
  }
  await backlog.settled(restMs, service.isAlive);
}

function note(
  { n, input, answer, from, to }: Sent,
  counted: Counted,
  { findings, from: first, say, inputs }: Attack,
): void {
  const { to: whom, kind, what, answers, delivery } = input;
  const name = `${whom} ${answer}`;
  counted.byAnswer[name] = (counted.byAnswer[name] ?? 0) + 1;
  counted.byKind[kind] = (counted.byKind[kind] ?? 0) + 1;
  counted.times.set([from, to], 2 * (n - first));
  if (delivery !== null) counted.answered.push({ ...delivery, answer, n });
  if (++counted.sent % 10_000 === 0)
    say(`${counted.sent} of ${inputs} inputs, ${findings.list().length} findings`);
  const isServerError = answer.startsWith("5") && !answer.startsWith("503 ");
  if (isServerError) counted.serverErrors += 1;
  const known =
    answer === "none" ||
    (whom === "receiver" ? receiverAnswers : serviceAnswers).has(answer) ||
    answers.includes(answer);
  if (isServerError || !known)
    findings.add("answer", `input ${n} got ${answer}, which stands in no table: ${kind}, ${what}`);
  else if (!answers.includes(answer) && !unavailable().includes(answer))
    findings.add(
      "answer",
      `input ${n} got ${answer} and not ${answers.slice(0, 4).join(" or ")}: ${kind}, ${what}`,
    );
}

async function restOf({
  service,
  calmMs = 30_000,
}: Pick<Attack, "service" | "calmMs">): Promise<ReturnType<typeof sizeOfProcess>> {
  if (!service.isAlive()) return { rssMiB: 0, openFiles: 0 };
  await service.rest();
  await sleep(calmMs); // What was released meanwhile goes back to the system.
  return service.rest();
}

/**
 * After all that a good delivery is still accepted and decided, and the control plane says that all
 * is well.
 */
async function stillGood(
  { service, stage, ports, backlog, findings }: Attack,
  token: string,
  own: Set<string>,
): Promise<void> {
  if (!service.isAlive()) return;
  const last = commented(
    stage,
    items.unarmed,
    2_000,
    "a last word",
    randomBytes(8).toString("hex"),
  );
  own.add(last.id);
  const status = await post(`http://127.0.0.1:${ports.receiver}/host-webhook`, last).catch(() => 0);
  if (status !== 202) findings.add("after", `a good delivery got ${status} in the end`);
  if (!(await backlog.settled(restMs, service.isAlive)))
    findings.add("after", "not everything that was stored was decided in five minutes");
  const health = await fetch(`http://127.0.0.1:${ports.service}/api/v1/health`, {
    headers: { authorization: `Bearer ${token}` },
  }).then((response) => response.text(), String);
  if (!health.includes('"status":"ok"'))
    findings.add("after", `the control plane says ${health.slice(0, 200)}`);
}

function look(
  { scratch, findings }: Attack,
  { answered }: Counted,
  own: ReadonlySet<string>,
  token: string,
): ReturnType<typeof inspectStore> {
  const state = join(scratch, ".loop");
  const found = inspectStore(join(state, "loop.db"), answered, own, findings);
  inspectStrangers(
    join(state, "loop.db"),
    join(scratch, "home", ".claude"),
    `host:practice/garden#${items.worked}`,
    findings,
  );
  inspectFiles(
    [join(scratch, "daemon.log"), ...filesOfState(state)],
    [
      ["the webhook's secret", "practice-secret"],
      ["the host's token", "practice-token"],
      ["the control plane's token", token],
    ],
    findings,
  );
  const log = readFileSync(join(scratch, "daemon.log"), "utf8");
  for (const line of log.split("\n"))
    if (/met a fault|[Uu]ncaught|[Uu]nhandled/.test(line))
      findings.add("fault", line.slice(0, 400));
  return found;
}

function lastWords(scratch: string): string {
  return readFileSync(join(scratch, "daemon.log"), "utf8")
    .trim()
    .split("\n")
    .slice(-8)
    .join(" / ")
    .slice(0, 800);
}

function underWay(
  at: number,
  { times }: Counted,
  { from, inputs }: Attack,
  make: (n: number) => Sent["input"],
): string {
  const near = Array.from({ length: inputs }, (_, n) => n).filter(
    (n) => (times[2 * n] ?? 0) <= at && (times[2 * n + 1] ?? 0) >= at - 500,
  );
  const slowest = near
    .toSorted(
      (a, b) =>
        (times[2 * b + 1] ?? 0) -
        (times[2 * b] ?? 0) -
        (times[2 * a + 1] ?? 0) +
        (times[2 * a] ?? 0),
    )
    .slice(0, 5);
  return slowest
    .map((n) => `input ${from + n} (${make(from + n).kind}, ${make(from + n).what.slice(0, 60)})`)
    .join("; ");
}

function sorted(counts: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(counts).toSorted(([, a], [, b]) => b - a));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
