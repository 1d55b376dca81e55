import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { plainTextIfAny } from "./plain-file.ts";
import { numberOf, parseObject, textOf } from "./fields.ts";

/** A process of the harness that holds a session, as the harness's own register says. */
export type LiveSession = {
  readonly pid: number;
  readonly status: string | null;
  readonly cwd: string | null;
};

/** Bytes of the longest entry of the harness's register that is read. */
const longestRecord = 1024 * 1024;

/**
 * Processes that hold the session right now, for example an operator's own terminal. Two writers
 * fork a conversation without a warning, so this is asked before a spawn. It is a hint and not
 * atomic: our own lock stays the truth. Files that a killed process left behind are told apart by
 * the start time of the process (field 22 of its `stat`).
 */
export async function findLiveSessions(
  configDir: string,
  sessionId: string,
  procDir = "/proc",
): Promise<readonly LiveSession[]> {
  const folder = path.join(configDir, "sessions");
  const files = (await readdir(folder).catch(() => [])).filter((name) =>
    /^\d{1,10}\.json$/.test(name),
  );
  const live: LiveSession[] = [];
  for (const name of files) {
    const entry = parseObject(await plainTextIfAny(path.join(folder, name), longestRecord));
    const pid = numberOf(entry?.["pid"]);
    if (
      entry === null ||
      pid === null ||
      textOf(entry["sessionId"])?.toLowerCase() !== sessionId.toLowerCase()
    )
      continue;
    if (await isSameProcess(procDir, pid, startOf(entry)))
      live.push({ pid, status: textOf(entry["status"]), cwd: textOf(entry["cwd"]) });
  }
  return live;
}

function startOf(entry: Readonly<Record<string, unknown>>): string | null {
  return textOf(entry["procStart"]) ?? numberOf(entry["procStart"])?.toString() ?? null;
}

/**
 * Without a start time on record, or without `/proc`, a process that answers counts as the same.
 */
async function isSameProcess(procDir: string, pid: number, start: string | null): Promise<boolean> {
  const stat = await readFile(path.join(procDir, String(pid), "stat"), "utf8").catch(() => null);
  if (stat !== null) return !hasEnded(stat) && (start === null || startTimeOf(stat) === start);
  const hasProc = await readFile(path.join(procDir, "self", "stat"), "utf8").then(
    () => true,
    () => false,
  );
  return !hasProc && answers(pid);
}

/**
 * Field 22 of a `/proc/<pid>/stat` line; the name in field 2 stands in brackets and may hold blanks
 * and brackets.
 */
export function startTimeOf(stat: string): string | null {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}

/**
 * A process that was killed keeps its entry until its parent collects it, which can take any time;
 * it writes nothing more.
 */
function hasEnded(stat: string): boolean {
  const state = stat[stat.lastIndexOf(")") + 2];
  return state === "Z" || state === "X";
}

function answers(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
