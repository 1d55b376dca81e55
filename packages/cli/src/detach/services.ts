import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LoopError } from "@loopwork/core/errors";
import { isAlive } from "../runtime/process-identity.ts";
import { logFileOf } from "./log-file.ts";
import { type DaemonKind, nextPidfileOf, type PidRecord, readLivePidfile, succeedsVariable } from "./pidfile.ts";
import { requirePorts, type Place } from "./ports.ts";
import { parseSupervisor, type Supervisor, supervisorVariable, tellSupervisor } from "./supervisor.ts";
import { tailOf } from "../runtime/turn/output-window.ts";

/** What one service is doing, truthfully: its process, its answer, its progress. Times are milliseconds since 1970. */
export type ServiceReport = {
  readonly name: DaemonKind;
  readonly enabled: boolean;
  readonly running: boolean;
  /** It answers on its health address; null for a daemon without one, or one that does not run. */
  readonly answers: boolean | null;
  readonly pid: number | null;
  readonly startedAt: number | null;
  readonly version: string | null;
  readonly url: string | null;
  /** One sentence. */
  readonly detail: string;
};

export type ServicePlan = {
  readonly kinds: readonly { readonly kind: DaemonKind; readonly enabled: boolean; readonly pidfile: string; readonly listens: readonly Place[]; /** Who starts it, where that was installed. */ readonly unit: Supervisor | null }[];
  readonly stateRoot: string;
  readonly configFile: string | null;
  /** Program and leading arguments that run this very `loop`. */
  readonly self: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string | undefined>>;
};

const startWithinMs = 20_000;
const stopWithinMs = 30_000;
const killedWithinMs = 5_000;
const answerWithinMs = 2_000;

export async function startServices(plan: ServicePlan): Promise<readonly ServiceReport[]> {
  const started: ServiceReport[] = [];
  for (const each of plan.kinds) {
    if (!each.enabled) continue;
    const stopping = readLivePidfile(each.pidfile);
    if (stopping?.stopping) await untilGone(stopping, stopWithinMs);
    if (readLivePidfile(each.pidfile) !== null) continue;
    if (each.unit === null) await startOne(each.kind, each.pidfile, plan);
    else await letSupervisor("start", each.kind, each.pidfile, each.unit, plan); // Beside it, its own would be a twin that is refused.
  }
  for (const each of plan.kinds) started.push(await reportOf(each));
  return started;
}

/** Starts a daemon and waits until it says that it is up; when it ends instead, its last words are the error. */
async function startOne(kind: DaemonKind, pidfile: string, plan: ServicePlan): Promise<void> {
  const child = spawnDaemon(kind, plan, {});
  await untilSaid(child, startWithinMs, () => readLivePidfile(pidfile) !== null);
}

/**
 * Lets a new process take over from each daemon that runs: it comes up as far as its ports first, and only then the old one is told to
 * end. One that does not come up changes nothing: what runs goes on. Where other daemons are wanted than run, all is stopped first,
 * because ports change hands between kinds, and where the new version changes the store (`allAtOnce`), which an older one must not have
 * open meanwhile. Nothing is ended for a port that somebody else has.
 */
export async function restartServices(plan: ServicePlan, allAtOnce: boolean): Promise<readonly ServiceReport[]> {
  const running = plan.kinds.map((each) => ({ ...each, record: readLivePidfile(each.pidfile) }));
  await requireWantedPorts(running);
  if (running.some(({ enabled, record }) => record !== null && (allAtOnce || !enabled || record.stopping))) {
    await stopServices(plan);
    return startServices(plan);
  }
  for (const { kind, pidfile, record } of running) {
    const supervisor = parseSupervisor(record?.supervisor);
    if (supervisor !== null) await letSupervisor("restart", kind, pidfile, supervisor, plan);
    else if (record !== null) await succeedOne(kind, pidfile, record, plan);
  }
  return startServices(plan);
}

/** What a daemon of an older version listens on it does not say; then a taken port is taken for its own. */
async function requireWantedPorts(running: readonly (ServicePlan["kinds"][number] & { readonly record: PidRecord | null })[]): Promise<void> {
  const records = running.flatMap(({ record }) => (record === null ? [] : [record]));
  if (records.length === 0 || records.some(({ listens }) => listens === undefined)) return;
  await requirePorts(running.flatMap(({ enabled, listens }) => (enabled ? listens : [])), records.flatMap(({ listens }) => listens ?? []));
}

async function succeedOne(kind: DaemonKind, pidfile: string, predecessor: PidRecord, plan: ServicePlan): Promise<void> {
  const child = spawnDaemon(kind, plan, { [succeedsVariable]: kind });
  await untilSaid(child, startWithinMs, () => readLivePidfile(nextPidfileOf(pidfile))?.identity.pid === child.pid);
  await endOne(predecessor);
  try {
    await untilSaid(child, startWithinMs, () => readLivePidfile(pidfile)?.identity.pid === child.pid);
  } catch {
    await startOne(kind, pidfile, plan); // The predecessor is gone: one more try, and what it says counts.
  }
}

/** A successor of ours would be a stranger to the supervisor, which starts its own. */
async function letSupervisor(verb: "start" | "restart", kind: DaemonKind, pidfile: string, supervisor: Supervisor, plan: ServicePlan): Promise<void> {
  const before = readLivePidfile(pidfile)?.identity.pid;
  await tellSupervisor(supervisor, verb, plan.env);
  const until = performance.now() + startWithinMs;
  for (let record = readLivePidfile(pidfile); record === null || record.identity.pid === before; record = readLivePidfile(pidfile)) {
    if (performance.now() > until) throw new LoopError("LOOP_E_DAEMON_START", `${supervisor.by} did not bring up the ${kind} daemon within ${startWithinMs / 1000} s`, `its log is ${logFileOf(plan.stateRoot, kind)}`);
    await sleep(50);
  }
}

type Child = { readonly kind: DaemonKind; readonly pid: number | undefined; readonly logFile: string; readonly hasEnded: () => boolean; readonly end: () => void };

function spawnDaemon(kind: DaemonKind, plan: ServicePlan, env: Readonly<Record<string, string>>): Child {
  const logFile = logFileOf(plan.stateRoot, kind);
  mkdirSync(dirname(logFile), { recursive: true, mode: 0o700 });
  const log = openSync(logFile, "a", 0o600);
  const [program, ...args] = plan.self;
  const config = plan.configFile === null ? [] : ["--config", plan.configFile];
  const child = spawn(program, [...args, ...config, "daemon", kind], { detached: true, stdio: ["ignore", log, log], cwd: plan.stateRoot, env: { ...plan.env, LOOP_DAEMON: "1", [supervisorVariable]: undefined, ...env } });
  closeSync(log);
  let ended = false;
  child.once("exit", () => (ended = true));
  child.once("error", () => (ended = true));
  child.unref();
  return { kind, pid: child.pid, logFile, hasEnded: () => ended, end: () => void child.kill("SIGKILL") };
}

/** One that does not say so in time is killed: it must not wake up later beside another. */
async function untilSaid({ kind, logFile, hasEnded, end }: Child, withinMs: number, said: () => boolean): Promise<void> {
  const until = performance.now() + withinMs;
  while (performance.now() < until) {
    if (said()) return;
    if (hasEnded()) throw new LoopError("LOOP_E_DAEMON_START", `the ${kind} daemon ended at once: ${lastWords(logFile)}`, `its log is ${logFile}`);
    await sleep(50);
  }
  end();
  throw new LoopError("LOOP_E_DAEMON_START", `the ${kind} daemon did not come up within ${withinMs / 1000} s`, `its log is ${logFile}`);
}

/** The error that ended it stands at the end, in words for people; lines of its log before that say other things. */
function lastWords(logFile: string): string {
  const lines = tailOf(logFile, 4096).trim().split("\n").filter((line) => line !== "" && !/^ {4}at |^Node\.js v/.test(line)); // Without the traces of a program that broke.
  const words = lines.slice(lines.findLastIndex((line) => /^(?:\{"time":|\d\d:\d\d:\d\d )/.test(line)) + 1);
  return (words.length === 0 ? lines.slice(-1) : words.slice(-6)).join(" ").trim() || "it said nothing";
}

/** Asks every running daemon to end and waits until it has; one that does not is killed, which loses nothing that was acknowledged. */
export async function stopServices(plan: ServicePlan): Promise<readonly ServiceReport[]> {
  await Promise.all(plan.kinds.map(({ pidfile }) => stopOne(pidfile, plan)));
  return Promise.all(plan.kinds.map(reportOf));
}

async function stopOne(pidfile: string, plan: ServicePlan): Promise<void> {
  const record = readLivePidfile(pidfile);
  const supervisor = parseSupervisor(record?.supervisor);
  if (supervisor !== null) await tellSupervisor(supervisor, "stop", plan.env);
  if (record !== null && isAlive(record.identity)) await endOne(record);
}

async function endOne(record: PidRecord): Promise<void> {
  if (!record.stopping) process.kill(record.identity.pid, "SIGTERM"); // A second signal would cut short what it is ending.
  if (await untilGone(record, stopWithinMs)) return;
  process.kill(record.identity.pid, "SIGKILL");
  await untilGone(record, killedWithinMs);
}

async function untilGone({ identity }: PidRecord, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  while (isAlive(identity) && performance.now() < until) await sleep(50);
  return !isAlive(identity);
}

export async function statusOfServices(plan: ServicePlan): Promise<readonly ServiceReport[]> {
  return Promise.all(plan.kinds.map(reportOf));
}

async function reportOf({ kind, enabled, pidfile }: ServicePlan["kinds"][number]): Promise<ServiceReport> {
  const record = readLivePidfile(pidfile);
  const answers = record?.healthUrl ? await answersOk(record.healthUrl) : null;
  return {
    name: kind,
    enabled,
    running: record !== null,
    answers,
    pid: record?.identity.pid ?? null,
    startedAt: record?.startedAt ?? null,
    version: record?.version ?? null,
    url: record?.healthUrl ?? null,
    detail: detailOf(enabled, record, answers),
  };
}

function detailOf(enabled: boolean, record: PidRecord | null, answers: boolean | null): string {
  if (record === null) return enabled ? "enabled, but not running: `loop start` starts it" : "not enabled";
  if (record.stopping) return "stopping: it begins nothing new and lets turns end";
  if (answers === false) return "its process lives, but it does not answer";
  return enabled ? "running" : "running, although it is not enabled any more: `loop restart` ends it";
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(answerWithinMs) });
    return response.status === 200 && (await response.text()).trim() === "ok";
  } catch {
    return false;
  }
}

