import { setTimeout as sleep } from "node:timers/promises";
import { type ChildIdentity, type HeldLock, LoopError } from "@loopwork/core/ports";
import {
  type DaemonKind,
  nextPidfileOf,
  removePidfile,
  succeedsVariable,
  writePidfile,
} from "../detach/pidfile.ts";
import { identityOf } from "../processes/process-identity.ts";
import type { StartedConfig } from "../configuration/load-config.ts";
import { openLocksOf, systemClock } from "./open.ts";
import type { Io } from "../io/io.ts";
import { servicePlan } from "./service-plan.ts";
import type { Unwind } from "@loopwork/runtime/unwind";

/** Takes a port; a successor waits for one that its predecessor still has. */
export type Listen = <T>(listen: () => Promise<T>) => Promise<T>;

/**
 * The right to be the one daemon of a kind:
 *
 *     first      take ─▶ listen ─▶ announce
 *     successor  listen ──port taken──▶ says so (pidfile.next) ──predecessor told to end, closes its ports──▶ listen ─▶ take ─▶ announce
 *
 * A pidfile forbids twins; the lock behind it makes that true. Both last until all else is closed.
 * A successor opens everything else before: store and inbox take several processes, and who
 * dispatches has a lock of its own.
 */
export type Claim = {
  readonly succeeds: boolean;
  readonly pidfile: string | null;
  readonly identity: ChildIdentity;
  readonly listen: Listen;
  /** Rejects with `LOOP_E_DAEMON_TWIN` when another daemon keeps the place. */
  take(): Promise<void>;
  /**
   * Two processes that decide and accept would wait for each other's transactions, so a successor
   * dispatches only from then on.
   */
  readonly isTaken: () => boolean;
};

/** Longer than a predecessor may take to end before it is killed. */
const patienceMs = 60_000;
/** So long nobody has the port between the two. */
const lookAgainMs = 15;

export async function openClaim(
  kind: DaemonKind,
  loaded: StartedConfig,
  io: Io,
  unwind: Unwind,
): Promise<Claim> {
  const locks = await openLocksOf(loaded);
  const pidfile = servicePlan(loaded, io).kinds.find((each) => each.kind === kind)?.pidfile ?? null;
  const identity = identityOf(process.pid) ?? { pid: process.pid, startTime: "" };
  const succeeds = io.env[succeedsVariable] === kind && pidfile !== null;
  const until = performance.now() + patienceMs;
  let lock: HeldLock | null = null;
  unwind.defer("daemon lock", async () => lock?.release());
  if (pidfile !== null)
    unwind.defer("pidfile", () =>
      [pidfile, nextPidfileOf(pidfile)].forEach((file) => removePidfile(file, identity)),
    );

  const sayReady = (): void => {
    if (pidfile !== null)
      writePidfile(nextPidfileOf(pidfile), {
        kind,
        identity,
        version: io.version,
        configFile: loaded.file,
        startedAt: systemClock.now(),
        healthUrl: null,
        stopping: false,
      });
  };
  return {
    succeeds,
    pidfile,
    identity,
    isTaken: () => lock !== null,
    listen: succeeds ? patiently(until, sayReady) : (listen) => listen(),
    async take() {
      if (succeeds) sayReady();
      for (;;) {
        lock = await locks.acquire(`daemon-${kind}`);
        if (lock !== null) return;
        if (!succeeds || performance.now() > until)
          throw new LoopError(
            "LOOP_E_DAEMON_TWIN",
            `another ${kind} daemon runs on ${loaded.paths.stateRoot}`,
            "`loop status` shows it; `loop stop` ends it",
          );
        await sleep(lookAgainMs);
      }
    },
  };
}

/** What another error says is said at once: the predecessor still runs, and goes on. */
function patiently(until: number, sayReady: () => void): Listen {
  return async (listen) => {
    for (let first = true; ; first = false) {
      try {
        return await listen();
      } catch (error) {
        if (!isTaken(error) || performance.now() > until) throw error;
      }
      if (first) sayReady();
      await sleep(lookAgainMs);
    }
  };
}

/** Both servers tell a taken port as `LOOP_E_LISTEN` with the system's words. */
function isTaken(error: unknown): boolean {
  return (
    error instanceof LoopError &&
    error.code === "LOOP_E_LISTEN" &&
    error.message.includes("EADDRINUSE")
  );
}
