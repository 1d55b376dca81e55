import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import type { ChildIdentity } from "@loopwork/core";

/** Identity of a living process, or null when there is none. The start time tells a re-used pid apart (decisions.md 4). */
export function identityOf(pid: number): ChildIdentity | null {
  const startTime = process.platform === "linux" ? linuxStartTime(pid) : psStartTime(pid);
  return startTime === null ? null : { pid, startTime };
}

/** True while exactly this process lives; a zombie does not count as living. */
export function isAlive(identity: ChildIdentity): boolean {
  return identityOf(identity.pid)?.startTime === identity.startTime;
}

/** True while the process group has a member that lives; ended ones that nobody has collected yet do not count. */
export function groupExists(groupId: number): boolean {
  try {
    process.kill(-groupId, 0);
  } catch (error) {
    return isErrno(error, "EPERM");
  }
  return process.platform === "linux" ? linuxGroupLives(groupId) : true;
}

function linuxGroupLives(groupId: number): boolean {
  return readdirSync("/proc").some((name) => {
    const fields = /^\d+$/.test(name) ? linuxStat(Number(name)) : null;
    return fields !== null && fields[2] === String(groupId) && fields[0] !== "Z" && fields[0] !== "X";
  });
}

export function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** Field 22 of `/proc/<pid>/stat`. */
function linuxStartTime(pid: number): string | null {
  const fields = linuxStat(pid);
  return fields === null || fields[0] === "Z" || fields[0] === "X" ? null : (fields[19] ?? null);
}

/** The fields from the third on (state, parent, group, …): the command name before them may hold blanks and parentheses. */
function linuxStat(pid: number): readonly string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}

function psStartTime(pid: number): string | null {
  try {
    const text = execFileSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    return text === "" || text.startsWith("Z") ? null : text.slice(text.indexOf(" ") + 1).trim();
  } catch {
    return null;
  }
}
