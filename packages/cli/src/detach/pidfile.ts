import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ChildIdentity } from "@loopwork/core";
import type { Place } from "./ports.ts";
import { isAlive } from "../runtime/process-identity.ts";

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
  writeFileSync(`${file}.tmp`, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(`${file}.tmp`, file);
}

/** The record of a daemon that lives; null when there is none, when it cannot be read, or when its process is gone. */
export function readLivePidfile(file: string): PidRecord | null {
  const record = readPidfile(file);
  return record !== null && isAlive(record.identity) ? record : null;
}

/** Removes the file only while it still names `identity`, so that a successor's file stays. */
export function removePidfile(file: string, identity: ChildIdentity): void {
  const record = readPidfile(file);
  if (record !== null && record.identity.pid === identity.pid && record.identity.startTime === identity.startTime) rmSync(file, { force: true });
}

function readPidfile(file: string): PidRecord | null {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isPidRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function isPidRecord(value: unknown): value is PidRecord {
  if (typeof value !== "object" || value === null || !("identity" in value) || !("kind" in value)) return false;
  if ("listens" in value && !Array.isArray(value.listens)) return false;
  const { identity } = value;
  return typeof identity === "object" && identity !== null && "pid" in identity && Number.isInteger(identity.pid) && "startTime" in identity && typeof identity.startTime === "string";
}
