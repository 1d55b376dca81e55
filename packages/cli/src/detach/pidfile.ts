import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { ChildIdentity } from "@loopwork/core/ports";
import type { Place } from "./ports.ts";
import { holdsLock, isAlive } from "../processes/process-identity.ts";

export type DaemonKind = "service" | "host-webhook" | "poller";

/** What a daemon writes about itself while it lives; times are milliseconds since 1970. */
export type PidRecord = {
  readonly kind: DaemonKind;
  readonly identity: ChildIdentity;
  readonly version: string;
  readonly configFile: string | null;
  readonly startedAt: number;
  /** Address that answers `/health`; null for a daemon without one. */
  readonly healthUrl: string | null;
  /** Where it takes connections; absent where an older version wrote this. */
  readonly listens?: readonly Place[];
  /** It was told to end, takes nothing new and lets turns end. */
  readonly stopping: boolean;
  /** Who starts it again when it ends, as `LOOP_SUPERVISOR` says; null or absent for nobody. */
  readonly supervisor?: string | null;
};

export function pidfileOf(stateRoot: string, kind: DaemonKind): string {
  return join(stateRoot, `${kind}.pid`);
}

/** Set, to its kind, for a daemon that takes over from one that still runs. */
export const succeedsVariable = "LOOP_SUCCEEDS";

/** Where a successor says that it is up to the ports, which its predecessor still has. */
export function nextPidfileOf(pidfile: string): string {
  return `${pidfile}.next`;
}

export function writePidfile(file: string, record: PidRecord): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  rmSync(`${file}.tmp`, { force: true });
  writeFileSync(`${file}.tmp`, `${JSON.stringify(record)}\n`, { mode: 0o600, flag: "wx" });
  renameSync(`${file}.tmp`, file);
}

/**
 * The record of a daemon that lives; null when there is none, or when it isn't to be believed:
 * processes are ended by it. The file is ours alone to write, and the process has the recorded
 * start time and holds the daemon's lock.
 */
export function readLivePidfile(file: string, stateRoot: string = dirname(file)): PidRecord | null {
  const record = readPidfile(file);
  if (record === null || !isAlive(record.identity)) return null;
  return holdsLock(record.identity.pid, join(stateRoot, "locks", `daemon-${record.kind}.lock`))
    ? record
    : null;
}

/**
 * Whether a successor, which doesn't hold the lock yet, says that it is up to its ports. Nothing is
 * ended by it.
 */
export function isNextReady(pidfile: string, pid: number | undefined): boolean {
  return pid !== undefined && readPidfile(nextPidfileOf(pidfile))?.identity.pid === pid;
}

/** Removes the file only while it still names `identity`, so that a successor's file stays. */
export function removePidfile(file: string, identity: ChildIdentity): void {
  const record = readPidfile(file);
  if (
    record !== null &&
    record.identity.pid === identity.pid &&
    record.identity.startTime === identity.startTime
  )
    rmSync(file, { force: true });
}

function readPidfile(file: string): PidRecord | null {
  try {
    const value: unknown = JSON.parse(readOwnFile(file));
    return isPidRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** Throws where the file is no plain one, or where somebody else could have written it. */
function readOwnFile(file: string): string {
  const opened = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(opened);
    const isOwn = process.getuid === undefined || stat.uid === process.getuid();
    if (!stat.isFile() || !isOwn || (stat.mode & 0o022) !== 0 || stat.size > 65_536)
      throw new Error("not our own file");
    return readFileSync(opened, "utf8");
  } finally {
    closeSync(opened);
  }
}

function isPidRecord(value: unknown): value is PidRecord {
  if (typeof value !== "object" || value === null || !("identity" in value) || !("kind" in value))
    return false;
  if (value.kind !== "service" && value.kind !== "host-webhook" && value.kind !== "poller")
    return false;
  if ("listens" in value && !Array.isArray(value.listens)) return false;
  const { identity } = value;
  return (
    typeof identity === "object" &&
    identity !== null &&
    "pid" in identity &&
    typeof identity.pid === "number" &&
    Number.isInteger(identity.pid) &&
    identity.pid > 1 &&
    "startTime" in identity &&
    typeof identity.startTime === "string"
  );
}
