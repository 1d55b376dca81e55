import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** One line of a daemon's log. What a daemon printed as plain text, such as its last words, has neither time nor level. */
export type LogEntry = { readonly daemon: string; readonly time: string | null; readonly level: "debug" | "info" | "warn" | "error" | null; readonly text: string };

export type DaemonLog = { readonly daemon: string; readonly file: string };

const followEveryMs = 200;
/** More than the lines that a person asks for; the file itself is at most ten times that. */
const tailBytes = 1024 * 1024;

/**
 * The newest `count` lines of all logs together, oldest first, and what is written behind them. A line without a time belongs to the
 * one before it.
 */
export function readLogs(logs: readonly DaemonLog[], count: number): { readonly newest: readonly LogEntry[]; readonly follow: () => AsyncGenerator<LogEntry> } {
  const places = logs.map((log): Place => ({ ...log, offset: Math.max(0, sizeOf(log.file) - tailBytes), rest: "" }));
  const timed = places.flatMap((place) => {
    let time = "";
    return takeNew(place).map((entry) => ({ time: (time = entry.time ?? time), entry }));
  });
  return { newest: timed.toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0)).slice(-count).map(({ entry }) => entry), follow: () => followFrom(places) };
}

/** How far a log was read: up to `offset`, of which `rest` is a line that had no end yet. */
type Place = DaemonLog & { offset: number; rest: string };

/** Until the reader stops. A log that starts anew, or is there only later, is read from its beginning. */
async function* followFrom(places: readonly Place[]): AsyncGenerator<LogEntry> {
  for (;;) {
    for (const place of places) yield* takeNew(place);
    await sleep(followEveryMs);
  }
}

function takeNew(place: Place): readonly LogEntry[] {
  const size = sizeOf(place.file);
  if (size < place.offset) Object.assign(place, { offset: 0, rest: "" });
  if (size === place.offset) return [];
  const lines = (place.rest + textBetween(place.file, place.offset, size)).split("\n");
  Object.assign(place, { offset: size, rest: lines.pop() ?? "" });
  return lines.filter((line) => line !== "").map((line) => parseEntry(place.daemon, line));
}

/** `logging.format` json or pretty, and whatever else stands there. */
function parseEntry(daemon: string, line: string): LogEntry {
  const plain: LogEntry = { daemon, time: null, level: null, text: line };
  if (!line.startsWith('{"time":')) return plain;
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null || !("time" in value) || !("level" in value) || !("text" in value)) return plain;
    const { time, level, text } = value;
    const known = level === "debug" || level === "info" || level === "warn" || level === "error";
    return typeof time === "string" && known && typeof text === "string" ? { daemon, time, level, text } : plain;
  } catch {
    return plain;
  }
}

function sizeOf(file: string): number {
  return withFile(file, (handle) => fstatSync(handle).size) ?? 0;
}

function textBetween(file: string, from: number, to: number): string {
  const buffer = Buffer.alloc(to - from);
  const bytes = withFile(file, (handle) => readSync(handle, buffer, 0, buffer.length, from)) ?? 0;
  return buffer.toString("utf8", 0, bytes);
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
