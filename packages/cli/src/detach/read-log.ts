import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * One line of a daemon's log. What a daemon printed as plain text, such as its last words, has
 * neither time nor level.
 */
export type LogEntry = {
  readonly daemon: string;
  readonly time: string | null;
  readonly level: "debug" | "info" | "warn" | "error" | null;
  readonly text: string;
};

export type DaemonLog = { readonly daemon: string; readonly file: string };

const followEveryMs = 200;
/** More than the lines that a person asks for; the file itself is at most ten times that. */
const tailBytes = 1024 * 1024;

/**
 * The newest `count` lines of all logs together, oldest first, and what is written behind them. A
 * line without a time belongs to the one before it.
 */
export function readLogs(
  logs: readonly DaemonLog[],
  count: number,
): { readonly newest: readonly LogEntry[]; readonly follow: () => AsyncGenerator<LogEntry> } {
  const places = logs.map((log): Place => ({
    ...log,
    older: identityOf(`${log.file}.1`),
    offset: 0,
    rest: empty,
  }));
  const timed = places.flatMap((place) => {
    let time = "";
    return tailOf(place).map((entry) => ({ time: (time = entry.time ?? time), entry }));
  });
  return {
    newest: timed
      .toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
      .slice(-count)
      .map(({ entry }) => entry),
    follow: () => followFrom(places),
  };
}

/**
 * How far a log was read: up to `offset`, of which `rest` is a line that had no end yet; `older` is
 * what lay beside it as `.1` then.
 */
type Place = DaemonLog & { older: string | null; offset: number; rest: Buffer };

const empty: Buffer = Buffer.alloc(0);

/**
 * Of a log that began anew a moment ago, the end of the file before it as well. The first line may
 * be cut, and is left out.
 */
function tailOf(place: Place): readonly LogEntry[] {
  const [size, before] = [sizeOf(place.file), sizeOf(`${place.file}.1`)];
  const wanted = Math.min(before, Math.max(0, tailBytes - size));
  const from = Math.max(0, size - tailBytes);
  place.rest = bytesBetween(`${place.file}.1`, before - wanted, before);
  place.offset = from;
  const entries = takeUpTo(place, size);
  return wanted < before || from > 0 ? entries.slice(1) : entries;
}

/** Until the reader stops. A log that is there only later is read from its beginning. */
async function* followFrom(places: readonly Place[]): AsyncGenerator<LogEntry> {
  for (;;) {
    for (const place of places) yield* takeNew(place);
    await sleep(followEveryMs);
  }
}

/**
 * A log that rotates is copied to `.1` and then emptied (log-file.ts): what was not read of it yet
 * is read there.
 */
function takeNew(place: Place): readonly LogEntry[] {
  const size = sizeOf(place.file);
  const older = identityOf(`${place.file}.1`);
  if (older === place.older) {
    if (size < place.offset) Object.assign(place, { offset: 0, rest: empty }); // Somebody emptied it.
    return takeUpTo(place, size);
  }
  if (sizeOf(`${place.file}.1`) <= size) return []; // It is being copied, and not emptied yet: look again.
  const once = place.older === identityOf(`${place.file}.2`);
  const missed = once
    ? takeUpTo({ ...place, file: `${place.file}.1` }, sizeOf(`${place.file}.1`))
    : [missing(place), ...wholeOf(place, ".2"), ...wholeOf(place, ".1")];
  Object.assign(place, { older, offset: 0, rest: empty });
  return [...missed, ...takeUpTo(place, size)];
}

/** It rotated more than once since the last look: the file that was being read may be gone. */
function missing({ daemon, file }: Place): LogEntry {
  return {
    daemon,
    time: null,
    level: "warn",
    text: `Lines may be missing here: ${file} was written faster than it was read`,
  };
}

function wholeOf(place: Place, age: string): readonly LogEntry[] {
  const file = `${place.file}${age}`;
  return takeUpTo({ ...place, file, offset: 0, rest: empty }, sizeOf(file));
}

function takeUpTo(place: Place, size: number): readonly LogEntry[] {
  const bytes = Buffer.concat([place.rest, bytesBetween(place.file, place.offset, size)]);
  const end = bytes.lastIndexOf(10) + 1; // Whole lines, so that no character is cut.
  Object.assign(place, { offset: size, rest: bytes.subarray(end) });
  return bytes
    .toString("utf8", 0, end)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => parseEntry(place.daemon, line));
}

/** `logging.format` json or pretty, and whatever else stands there. */
function parseEntry(daemon: string, line: string): LogEntry {
  const plain: LogEntry = { daemon, time: null, level: null, text: line };
  if (!line.startsWith('{"time":')) return plain;
  try {
    const value: unknown = JSON.parse(line);
    if (
      typeof value !== "object" ||
      value === null ||
      !("time" in value) ||
      !("level" in value) ||
      !("text" in value)
    )
      return plain;
    const { time, level, text } = value;
    const known = level === "debug" || level === "info" || level === "warn" || level === "error";
    return typeof time === "string" && known && typeof text === "string"
      ? { daemon, time, level, text }
      : plain;
  } catch {
    return plain;
  }
}

function sizeOf(file: string): number {
  return withFile(file, (handle) => fstatSync(handle).size) ?? 0;
}

/** Which file it is; another one of the same name, also of the same number, is another. */
function identityOf(file: string): string | null {
  return withFile(file, (handle) => {
    const { ino, mtimeMs } = fstatSync(handle);
    return `${ino} ${mtimeMs}`;
  });
}

function bytesBetween(file: string, from: number, to: number): Buffer {
  if (to <= from) return empty;
  const buffer = Buffer.alloc(to - from);
  const bytes = withFile(file, (handle) => readSync(handle, buffer, 0, buffer.length, from)) ?? 0;
  return buffer.subarray(0, bytes);
}

function withFile<T>(file: string, read: (handle: number) => T): T | null {
  let handle: number;
  try {
    handle = openSync(file, "r");
  } catch {
    return null;
  }
  try {
    return read(handle);
  } finally {
    closeSync(handle);
  }
}
