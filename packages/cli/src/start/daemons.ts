import { LoopError } from "@loopwork/core/ports";
import type { Health, Metrics } from "@loopwork/control-plane";
import type { ControlPlane } from "./control-plane.ts";
import { statusOfServices } from "../detach/services.ts";
import { logFileOf, rotateLog } from "../detach/log-file.ts";
import { supervisorVariable } from "../detach/supervisor.ts";
import { type DaemonKind, nextPidfileOf, removePidfile, writePidfile } from "../detach/pidfile.ts";
import { keepNotifying } from "../notifications/notify.ts";
import {
  eventLine,
  observed,
  type Runtime,
  type RuntimeParts,
  stopGraceMs,
} from "@loopwork/runtime";
import { createUnwind, type Unwind } from "@loopwork/runtime/unwind";
import {
  checkedFor,
  type Daemons,
  type LoadedConfig,
  type StartedConfig,
} from "../configuration/load-config.ts";
import { createLog, type Log } from "../output/log.ts";
import type { Io } from "../io/io.ts";
import { redactorOf } from "../configuration/redactor.ts";
import { listensOf, receives, servicePlan } from "./service-plan.ts";
import { writeSelfShim } from "./self.ts";
import { systemClock } from "./open.ts";
import { refuseStateInWorkTree, type StatePaths } from "../state/state-in-work-tree.ts";
import { type Claim, openClaim } from "./succession.ts";
import { startGapAudit } from "./gap-audit.ts";
import { startReceiver } from "./webhooks.ts";
import { openPoller } from "./poller.ts";
import { watchWake } from "./wake.ts";
import { openParts, wire } from "./wire.ts";

/**
 * One daemon in this process, from start to end:
 *
 *     starting ──up──▶ running ──SIGTERM, SIGINT, or --once and drained──▶ stopping ──▶ ended
 *        └──fails: what was opened is closed, the error is shown──▶ ended        └─ a second signal ends at once
 *
 * While it is stopping, turns that run get their grace; deliveries are still taken and stored until
 * that is over, and only then the ports are closed. A successor (restart) is up to its ports by
 * then, and has them a moment later (succession.ts).
 */
export async function runDaemon({
  kind,
  once,
  loaded: asked,
  io,
  decorate = (parts) => parts,
}: DaemonOptions): Promise<0 | 2> {
  const daemons = daemonsOf(kind, asked);
  const loaded = checkedFor(asked, daemons, io);
  const log = logOf(kind, loaded, io);
  const unwind = createUnwind((what, error) =>
    log.say(
      "error",
      `${what} did not close: ${error instanceof Error ? error.message : String(error)}`,
    ),
  );
  const ended = untilSignal();
  try {
    const claim = await openClaim(kind, loaded, io, unwind);
    if (!claim.succeeds) await claim.take();
    for (const warning of loaded.warnings)
      log.say("warn", `${warning.path}: ${warning.message}; ${warning.hint}`);
    writeSelfShim(loaded.paths.stateRoot);
    const metrics = kind === "service" ? await openMetrics(io) : null;
    const opened = decorate(
      await openParts(loaded, daemons, io, log, unwind, (ms) => metrics?.flushed(ms / 1000)),
    );
    const wired = wire(
      metrics === null ? opened : observed(opened, metrics),
      unwind,
      claim.isTaken,
    );
    unwind.defer("wake", watchWake(loaded.paths.stateRoot, wired.dispatcher.poke));
    unwind.defer("listening", wired.parts.store.listen(wired.dispatcher.poke));
    const stored = countdown(once);
    const controlPlane =
      kind === "service" ? await prepareControlPlane(loaded, wired, io, metrics) : null; // Loading it takes a second in which a port would not be answered.
    const receiver = receives(kind, loaded.config)
      ? await startReceiver(loaded, wired, log, unwind, claim, {
          stored: stored.tick,
          refused: (code) => metrics?.refused(code),
        })
      : null;
    const healthUrl =
      controlPlane === null
        ? (receiver?.url ?? null)
        : await controlPlane.serve(claim.listen, unwind);
    const poller = polls(kind, loaded) ? await openPoller(loaded, wired) : null;
    if (claim.succeeds) await claim.take().then(wired.dispatcher.poke);
    const sayStopping = announce(kind, loaded, healthUrl, claim, io);
    unwind.defer("word of the end", sayStopping); // Also of one that nobody asked for.
    log.say(
      "info",
      `${kind} is up${receiver === null ? "" : `, webhooks at ${receiver.url.replace(/\/health$/, loaded.config.webhooks.hostWebhook.path)}`}`,
    );
    unwind.defer(
      "notices",
      keepNotifying(wired.parts, () => wired.dispatcher.progress().phase === "running"),
    );
    if (receiver !== null && !once) await startGapAudit(loaded, wired, unwind);
    if (poller !== null && !(once && kind === "poller")) poller.start(unwind);
    const polled = once && kind === "poller" && poller !== null ? poller.pollOnce() : null;
    await Promise.race([
      ended,
      polled ?? stored.reached,
      untilBroken(wired.parts.store, unwind),
      untilInWorkTree(loaded.paths, unwind),
    ]);
    if (once) await Promise.race([ended, wired.dispatcher.drain()]);
    sayStopping();
    await wired.dispatcher.stop(stopGraceMs);
    await wired.parts.store.events
      .append([eventLine(wired.parts, "daemon.stopped", { fields: { daemon: kind } })])
      .catch((error: unknown) =>
        log.say(
          "warn",
          `the event log does not hear of the end: ${error instanceof Error ? error.message : String(error)}`,
        ),
      );
    return (await polled) === false ? 2 : 0;
  } finally {
    await unwind.run();
  }
}

export type DaemonOptions = {
  readonly kind: DaemonKind;
  readonly once: boolean;
  readonly loaded: LoadedConfig;
  readonly io: Io;
  /** Lets a caller put something in front of a port, as fault runs do. */
  readonly decorate?: (parts: RuntimeParts) => RuntimeParts;
};

/** Loaded late: a daemon without it does not pay for Express and the schemas. */
async function prepareControlPlane(
  loaded: StartedConfig,
  wired: Runtime,
  io: Io,
  metrics: Metrics | null,
): Promise<ControlPlane> {
  const { openControlPlane } = await import("./control-plane.ts");
  return openControlPlane(loaded, wired, io, { health: () => healthOf(loaded, io), metrics });
}

async function openMetrics(io: Io): Promise<Metrics> {
  const { createMetrics } = await import("@loopwork/control-plane");
  return createMetrics(io.version);
}

async function healthOf(loaded: StartedConfig, io: Io): Promise<Health> {
  const services = await statusOfServices(servicePlan(loaded, io));
  const asWanted = services.every((service) => !service.enabled || service.running);
  return {
    status: asWanted ? "ok" : "degraded",
    version: io.version,
    configFile: loaded.file,
    stateRoot: loaded.paths.stateRoot,
    services,
  };
}

/** What runs in this process, whatever the `enabled` keys say. */
function daemonsOf(kind: DaemonKind, loaded: StartedConfig): Daemons {
  return {
    service: kind === "service",
    receiver: receives(kind, loaded.config),
    poller: polls(kind, loaded),
  };
}

function polls(kind: DaemonKind, loaded: StartedConfig): boolean {
  if (kind === "poller") return true;
  return kind === "service" && loaded.config.service.hostIngresses && loaded.config.polling.enabled;
}

/** `auto`: for eyes on a terminal, for machines anywhere else. */
function logOf(kind: DaemonKind, loaded: StartedConfig, io: Io): Log {
  const { format, level } = loaded.config.logging;
  const write = (text: string): void => {
    if (loaded.env["LOOP_DAEMON"] === "1") rotateLog(logFileOf(loaded.paths.stateRoot, kind));
    io.err(text);
  };
  return createLog({
    format: format === "auto" ? (io.interactive ? "pretty" : "json") : format,
    level,
    write,
    redact: redactorOf(loaded),
  });
}

/**
 * Written last: who reads the pidfile may rely on a daemon that is up. What is returned says there
 * that it ends.
 */
function announce(
  kind: DaemonKind,
  loaded: StartedConfig,
  healthUrl: string | null,
  { pidfile, identity }: Claim,
  io: Io,
): () => void {
  if (pidfile === null) return () => {};
  const record = {
    kind,
    identity,
    version: io.version,
    configFile: loaded.file,
    startedAt: systemClock.now(),
    healthUrl,
    listens: listensOf(kind, loaded.config),
    supervisor: io.env[supervisorVariable] ?? null,
  };
  writePidfile(pidfile, { ...record, stopping: false });
  removePidfile(nextPidfileOf(pidfile), identity);
  return () => writePidfile(pidfile, { ...record, stopping: true });
}

/** `--once`: reached after one stored delivery. */
function countdown(once: boolean): { readonly tick: () => void; readonly reached: Promise<void> } {
  let tick = (): void => {};
  const reached = new Promise<void>((resolve) => {
    if (once) tick = resolve;
  });
  return { tick: () => tick(), reached };
}

/**
 * Rejects once the disk has failed under the store: going on would be guessing, and a new start
 * recovers.
 */
function untilBroken(store: RuntimeParts["store"], unwind: Unwind): Promise<never> {
  return new Promise((_resolve, reject) => {
    const look = (): void =>
      void store.lanes.turn(0).catch((error: unknown) => {
        // The cheapest question: a look-up by key.
        if (error instanceof LoopError && error.code === "LOOP_E_STORE_BROKEN") reject(error);
      });
    const timer = setInterval(look, lookAtStoreMs);
    unwind.defer("watch over the store", () => clearInterval(timer));
  });
}

/**
 * Rejects once somebody has made a repository around the state: from then on git can replace what
 * agents' hooks run.
 */
function untilInWorkTree(paths: StatePaths, unwind: Unwind): Promise<never> {
  return new Promise((_resolve, reject) => {
    const look = (): void => {
      try {
        refuseStateInWorkTree(paths);
      } catch (error) {
        reject(error);
      }
    };
    const timer = setInterval(look, lookAtPlaceMs);
    unwind.defer("watch over the place of the state", () => clearInterval(timer));
  });
}

const lookAtStoreMs = 1_000;
const lookAtPlaceMs = 250;

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.once(signal, () => {
        resolve();
        process.once(signal, () => process.exit(130)); // A second signal forces: everything durable is committed already.
      });
    }
  });
}
