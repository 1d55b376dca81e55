import { canaryEvent, type ChildIdentity, LoopError } from "@loopwork/core";
import type { Health, Metrics } from "@loopwork/control-plane";
import type { Receiver } from "@loopwork/receiver";
import { statusOfServices } from "../detach/services.ts";
import { logFileOf, rotateLog } from "../detach/log-file.ts";
import { type DaemonKind, removePidfile, writePidfile } from "../detach/pidfile.ts";
import { observed } from "../runtime/observed.ts";
import type { RuntimeParts } from "../runtime/parts.ts";
import { identityOf } from "../runtime/process-identity.ts";
import { eventLine } from "../runtime/event-line.ts";
import { checkedFor, type Daemons, type LoadedConfig } from "./load-config.ts";
import { createLog, type Log } from "./log.ts";
import type { Io } from "./ports.ts";
import { redactorOf } from "./redactor.ts";
import { createUnwind, type Unwind } from "./unwind.ts";
import { servicePlan } from "./service-plan.ts";
import { writeSelfShim } from "./self.ts";
import { openLocksOf, systemClock } from "./open.ts";
import { startGapAudit } from "./gap-audit.ts";
import { openPoller } from "./poller.ts";
import { watchWake } from "./wake.ts";
import { openParts, wire, type Wired } from "./wire.ts";

/**
 * One daemon in this process, from start to end:
 *
 *     starting ──up──▶ running ──SIGTERM, SIGINT, or --once and drained──▶ stopping ──▶ ended
 *        └──fails: what was opened is closed, the error is shown──▶ ended        └─ a second signal ends at once
 */
export async function runDaemon({ kind, once, loaded: asked, io, decorate = (parts) => parts }: DaemonOptions): Promise<0 | 2> {
  const daemons = daemonsOf(kind, asked);
  const loaded = checkedFor(asked, daemons, io);
  const log = logOf(kind, loaded, io);
  const unwind = createUnwind((what, error) => log.say("error", `${what} did not close: ${error instanceof Error ? error.message : String(error)}`));
  const ended = untilSignal();
  try {
    const claim = await claimKind(kind, loaded, io, unwind);
    for (const warning of loaded.warnings) log.say("warn", `${warning.path}: ${warning.message}; ${warning.hint}`);
    writeSelfShim(loaded.paths.stateRoot);
    const metrics = kind === "service" ? await openMetrics(io) : null;
    const opened = decorate(await openParts(loaded, daemons, io, log, unwind, (ms) => metrics?.flushed(ms / 1000)));
    const wired = wire(metrics === null ? opened : observed(opened, metrics), unwind);
    unwind.defer("wake", watchWake(loaded.paths.stateRoot, wired.dispatcher.poke));
    const stored = countdown(once);
    const receiver = receives(kind, loaded) ? await startReceiver(loaded, wired, log, unwind, { stored: stored.tick, refused: (code) => metrics?.refused(code) }) : null;
    const healthUrl = kind === "service" ? await serveControlPlane(loaded, wired, io, metrics, unwind) : (receiver?.url ?? null);
    const poller = polls(kind, loaded) ? await openPoller(loaded, wired) : null;
    announce(kind, loaded, healthUrl, claim, io, unwind);
    log.say("info", `${kind} is up${receiver === null ? "" : `, webhooks at ${receiver.url.replace(/\/health$/, loaded.config.webhooks.hostWebhook.path)}`}`);
    if (receiver !== null && !once) await startGapAudit(loaded, wired, unwind);
    if (poller !== null && !(once && kind === "poller")) poller.start(unwind);
    const polled = once && kind === "poller" && poller !== null ? poller.pollOnce() : null;
    await Promise.race([ended, polled ?? stored.reached, untilBroken(wired.parts.store, unwind)]);
    if (once) await wired.dispatcher.drain();
    await wired.parts.store.events.append([eventLine(wired.parts, "daemon.stopped", { fields: { daemon: kind } })]);
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
async function serveControlPlane(loaded: LoadedConfig, wired: Wired, io: Io, metrics: Metrics | null, unwind: Unwind): Promise<string> {
  const { startControlPlane } = await import("./control-plane.ts");
  return startControlPlane(loaded, wired, io, { health: () => healthOf(loaded, io), metrics }, unwind);
}

async function openMetrics(io: Io): Promise<Metrics> {
  const { createMetrics } = await import("@loopwork/control-plane");
  return createMetrics(io.version);
}

async function healthOf(loaded: LoadedConfig, io: Io): Promise<Health> {
  const services = await statusOfServices(servicePlan(loaded, io));
  const asWanted = services.every((service) => !service.enabled || service.running);
  return { status: asWanted ? "ok" : "degraded", version: io.version, configFile: loaded.file, stateRoot: loaded.paths.stateRoot, services };
}

/** A pidfile forbids twins of one kind; the lock behind it makes that true (decisions.md 6). Both last until all else is closed. */
async function claimKind(kind: DaemonKind, loaded: LoadedConfig, io: Io, unwind: Unwind): Promise<Claim> {
  const locks = await openLocksOf(loaded);
  const lock = await locks.acquire(`daemon-${kind}`);
  if (lock === null) throw new LoopError("LOOP_E_DAEMON_TWIN", `another ${kind} daemon runs on ${loaded.paths.stateRoot}`, "`loop status` shows it; `loop stop` ends it");
  unwind.defer("daemon lock", () => lock.release());
  const pidfile = servicePlan(loaded, io).kinds.find((each) => each.kind === kind)?.pidfile ?? null;
  const identity = identityOf(process.pid) ?? { pid: process.pid, startTime: "" };
  if (pidfile !== null) unwind.defer("pidfile", () => removePidfile(pidfile, identity));
  return { pidfile, identity };
}

type Claim = { readonly pidfile: string | null; readonly identity: ChildIdentity };

/** What runs in this process, whatever the `enabled` keys say (decisions.md 1). */
function daemonsOf(kind: DaemonKind, loaded: LoadedConfig): Daemons {
  return { service: kind === "service", receiver: receives(kind, loaded), poller: polls(kind, loaded) };
}

function receives(kind: DaemonKind, loaded: LoadedConfig): boolean {
  if (kind === "host-webhook") return true;
  return kind === "service" && loaded.config.service.hostIngresses && loaded.config.webhooks.hostWebhook.enabled;
}

function polls(kind: DaemonKind, loaded: LoadedConfig): boolean {
  if (kind === "poller") return true;
  return kind === "service" && loaded.config.service.hostIngresses && loaded.config.polling.enabled;
}

async function startReceiver(loaded: LoadedConfig, wired: Wired, log: Log, unwind: Unwind, tell: { readonly stored: () => void; readonly refused: (code: string) => void }): Promise<{ readonly receiver: Receiver; readonly url: string }> {
  const { createReceiver } = await import("@loopwork/receiver");
  const options = loaded.config.webhooks.hostWebhook;
  const receiver = createReceiver({
    inbox: wired.parts.store,
    secrets: webhookSecrets(loaded),
    secretName: options.secretEnv,
    path: options.path,
    events: [...options.events, canaryEvent],
    maxBodyBytes: options.maxBodyBytes,
    dedupeBody: options.dedupeBody,
    dialect: loaded.config.integrations.codeHost.dialect,
    allowUnsigned: options.allowUnsigned,
    now: systemClock.now,
    onEvent(event) {
      if (event.kind === "accepted") {
        wired.dispatcher.poke();
        tell.stored();
      } else logReceived(event, wired, log);
      if (event.kind === "refused") tell.refused(event.reason ?? "");
    },
    onFault: (error) => log.say("error", `the receiver met a fault: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
  });
  const { address, warnings } = await receiver.listen(options.port, options.host);
  unwind.defer("receiver", () => receiver.stop());
  for (const warning of warnings) log.say("warn", warning);
  return { receiver, url: `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}/health` };
}

/** Duplicates and refusals are told too: nothing happens silently. */
function logReceived(event: { readonly kind: string; readonly delivery: string | null; readonly event: string | null; readonly reason: string | null }, wired: Wired, log: Log): void {
  if (event.kind === "duplicate" || event.kind === "ignored") {
    const kind = event.kind === "duplicate" ? "delivery.duplicate" : "delivery.ignored";
    const line = eventLine(wired.parts, kind, { delivery: event.delivery, reason: event.reason, fields: { event: event.event } });
    void wired.parts.store.events.append([line]).catch(() => {});
  } else log.say("warn", `a delivery was refused: ${event.reason ?? event.kind}`);
}

/** `auto`: for eyes on a terminal, for machines anywhere else (decisions.md 2). */
function logOf(kind: DaemonKind, loaded: LoadedConfig, io: Io): Log {
  const { format, level } = loaded.config.logging;
  const write = (text: string): void => {
    if (loaded.env["LOOP_DAEMON"] === "1") rotateLog(logFileOf(loaded.paths.stateRoot, kind));
    io.err(text);
  };
  return createLog({ format: format === "auto" ? (io.interactive ? "pretty" : "json") : format, level, write, redact: redactorOf(loaded) });
}

function webhookSecrets(loaded: LoadedConfig): readonly string[] {
  const { secretEnv, previousSecretEnv } = loaded.config.webhooks.hostWebhook;
  return [secretEnv, previousSecretEnv].flatMap((name) => (name === null ? [] : [loaded.env[name] ?? ""])).filter((secret) => secret !== "");
}

/** Written last: who reads the pidfile may rely on a daemon that is up. The first thing that ends it says so there. */
function announce(kind: DaemonKind, loaded: LoadedConfig, healthUrl: string | null, { pidfile, identity }: Claim, io: Io, unwind: Unwind): void {
  if (pidfile === null) return;
  const record = { kind, identity, version: io.version, configFile: loaded.file, startedAt: systemClock.now(), healthUrl };
  writePidfile(pidfile, { ...record, stopping: false });
  unwind.defer("word of the end", () => writePidfile(pidfile, { ...record, stopping: true }));
}

/** `--once`: reached after one stored delivery (decisions.md 1). */
function countdown(once: boolean): { readonly tick: () => void; readonly reached: Promise<void> } {
  let tick = (): void => {};
  const reached = new Promise<void>((resolve) => {
    if (once) tick = resolve;
  });
  return { tick: () => tick(), reached };
}

/** Rejects once the disk has failed under the store: going on would be guessing, and a new start recovers (D02). */
function untilBroken(store: RuntimeParts["store"], unwind: Unwind): Promise<never> {
  return new Promise((_resolve, reject) => {
    const look = (): void => void store.lanes.turn(0).catch((error: unknown) => { // The cheapest question: a look-up by key.
      if (error instanceof LoopError && error.code === "LOOP_E_STORE_BROKEN") reject(error);
    });
    const timer = setInterval(look, lookAtStoreMs);
    unwind.defer("watch over the store", () => clearInterval(timer));
  });
}

const lookAtStoreMs = 1_000;

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
