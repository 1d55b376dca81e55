import { setTimeout as sleep } from "node:timers/promises";
import { LoopError } from "@loopwork/core/ports";
import { isAlive } from "../processes/process-identity.ts";
import { logFileOf } from "./log-file.ts";
import {
  type DaemonKind,
  isNextReady,
  type PidRecord,
  readLivePidfile,
  succeedsVariable,
} from "./pidfile.ts";
import { requirePorts, type Place } from "./ports.ts";
import { reportOf, type ServiceReport } from "./service-report.ts";
import { spawnDaemon, untilSaid } from "./spawned-daemon.ts";
import { parseSupervisor, type Supervisor, tellSupervisor } from "./supervisor.ts";

export type ServicePlan = {
  readonly kinds: readonly {
    readonly kind: DaemonKind;
    readonly enabled: boolean;
    readonly pidfile: string;
    readonly listens: readonly Place[];
    /** Who starts it, where that was installed. */ readonly unit: Supervisor | null;
  }[];
  readonly stateRoot: string;
  readonly configFile: string | null;
  /** Program and leading arguments that run this very `loop`. */
  readonly self: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string | undefined>>;
};

const startWithinMs = 20_000;
const stopWithinMs = 30_000;
const killedWithinMs = 5_000;

export async function startServices(plan: ServicePlan): Promise<readonly ServiceReport[]> {
  const started: ServiceReport[] = [];
  for (const each of plan.kinds) {
    if (!each.enabled) continue;
    const stopping = readLivePidfile(each.pidfile, plan.stateRoot);
    if (stopping?.stopping) await untilGone(stopping, stopWithinMs);
    if (readLivePidfile(each.pidfile, plan.stateRoot) !== null) continue;
    if (each.unit === null) await startOne(each.kind, each.pidfile, plan);
    else await letSupervisor("start", each.kind, each.pidfile, each.unit, plan); // Beside it, its own would be a twin that is refused.
  }
  for (const each of plan.kinds) started.push(await reportOf(each, plan.stateRoot));
  return started;
}

/**
 * Starts a daemon and waits until it says that it is up; when it ends instead, its last words are
 * the error.
 */
async function startOne(kind: DaemonKind, pidfile: string, plan: ServicePlan): Promise<void> {
  const child = spawnDaemon(kind, plan, {});
  await untilSaid(child, startWithinMs, () => readLivePidfile(pidfile, plan.stateRoot) !== null);
}

/**
 * Lets a new process take over from each daemon that runs: it comes up as far as its ports first,
 * and only then the old one is told to end. One that does not come up changes nothing: what runs
 * goes on. Where other daemons are wanted than run, all is stopped first, because ports change
 * hands between kinds, and where the new version changes the store (`allAtOnce`), which an older
 * one must not have open meanwhile. Nothing is ended for a port that somebody else has.
 */
export async function restartServices(
  plan: ServicePlan,
  allAtOnce: boolean,
): Promise<readonly ServiceReport[]> {
  const running = plan.kinds.map((each) => ({
    ...each,
    record: readLivePidfile(each.pidfile, plan.stateRoot),
  }));
  await requireWantedPorts(running);
  if (
    running.some(
      ({ enabled, record }) => record !== null && (allAtOnce || !enabled || record.stopping),
    )
  ) {
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

/**
 * What a daemon of an older version listens on it does not say; then a taken port is taken for its
 * own.
 */
async function requireWantedPorts(
  running: readonly (ServicePlan["kinds"][number] & { readonly record: PidRecord | null })[],
): Promise<void> {
  const records = running.flatMap(({ record }) => (record === null ? [] : [record]));
  if (records.length === 0 || records.some(({ listens }) => listens === undefined)) return;
  await requirePorts(
    running.flatMap(({ enabled, listens }) => (enabled ? listens : [])),
    records.flatMap(({ listens }) => listens ?? []),
  );
}

async function succeedOne(
  kind: DaemonKind,
  pidfile: string,
  predecessor: PidRecord,
  plan: ServicePlan,
): Promise<void> {
  const child = spawnDaemon(kind, plan, { [succeedsVariable]: kind });
  await untilSaid(child, startWithinMs, () => isNextReady(pidfile, child.pid));
  await endOne(predecessor);
  try {
    await untilSaid(
      child,
      startWithinMs,
      () => readLivePidfile(pidfile, plan.stateRoot)?.identity.pid === child.pid,
    );
  } catch {
    await startOne(kind, pidfile, plan); // The predecessor is gone: one more try, and what it says counts.
  }
}

/** A successor of ours would be a stranger to the supervisor, which starts its own. */
async function letSupervisor(
  verb: "start" | "restart",
  kind: DaemonKind,
  pidfile: string,
  supervisor: Supervisor,
  plan: ServicePlan,
): Promise<void> {
  const before = readLivePidfile(pidfile, plan.stateRoot)?.identity.pid;
  await tellSupervisor(supervisor, verb, plan.env);
  const until = performance.now() + startWithinMs;
  for (
    let record = readLivePidfile(pidfile, plan.stateRoot);
    record === null || record.identity.pid === before;
    record = readLivePidfile(pidfile, plan.stateRoot)
  ) {
    if (performance.now() > until)
      throw new LoopError(
        "LOOP_E_DAEMON_START",
        `The ${kind} daemon didn't start under ${supervisor.by} within ${startWithinMs / 1000} s`,
        `See its log: ${logFileOf(plan.stateRoot, kind)}`,
      );
    await sleep(50);
  }
}

/**
 * Asks every running daemon to end and waits until it has; one that does not is killed, which loses
 * nothing that was acknowledged.
 */
export async function stopServices(plan: ServicePlan): Promise<readonly ServiceReport[]> {
  await Promise.all(plan.kinds.map(({ pidfile }) => stopOne(pidfile, plan)));
  return Promise.all(plan.kinds.map((each) => reportOf(each, plan.stateRoot)));
}

async function stopOne(pidfile: string, plan: ServicePlan): Promise<void> {
  const record = readLivePidfile(pidfile, plan.stateRoot);
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
  return Promise.all(plan.kinds.map((each) => reportOf(each, plan.stateRoot)));
}
