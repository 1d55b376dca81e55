import { lstatSync, readdirSync, readFileSync } from "node:fs";
import type { ChildIdentity } from "@loopwork/core/ports";
import { outputOf } from "./output-of.ts";

/**
 * Identity of a living process, or null when there is none. The start time tells a re-used pid
 * apart. On Linux it is `<clock ticks since boot>@<boot id>`, as ticks alone come again after the
 * next boot.
 */
export function identityOf(pid: number): ChildIdentity | null {
  const startTime = process.platform === "linux" ? linuxStartTime(pid) : psStartTime(pid);
  return startTime === null ? null : { pid, startTime };
}

/** True while exactly this process lives; a zombie does not count as living. */
export function isAlive(identity: ChildIdentity): boolean {
  const living = identityOf(identity.pid);
  return living !== null && isSameProcess(living, identity);
}

/**
 * Whether a recorded identity is that of a living process. Records of before version 0.1 hold the
 * ticks without the boot.
 */
export function isSameProcess(living: ChildIdentity, recorded: ChildIdentity): boolean {
  if (living.pid !== recorded.pid || recorded.startTime === "") return false;
  return (
    living.startTime === recorded.startTime || living.startTime.startsWith(`${recorded.startTime}@`)
  );
}

/**
 * Whether a process holds a lock on a file. Only Linux says who holds one; elsewhere, and where the
 * file can't be asked about, the answer is yes. The file is not opened: closing it would drop this
 * process's own lock on it.
 */
export function holdsLock(pid: number, file: string): boolean {
  const held = process.platform === "linux" ? heldLocks() : null;
  if (held === null) return true;
  const inode = lstatSync(file, { throwIfNoEntry: false })?.ino;
  return inode !== undefined && held.some((lock) => lock.pid === pid && lock.inode === inode);
}

/** Rows like `1: POSIX  ADVISORY  WRITE 2409 fe:00:2228200 1073741824 1073742335`. */
function heldLocks(): readonly { readonly pid: number; readonly inode: number }[] | null {
  try {
    return readFileSync("/proc/locks", "latin1")
      .split("\n")
      .flatMap((row) => {
        const [, pid, inode] = / WRITE +(\d+) [0-9a-f]+:[0-9a-f]+:(\d+) /.exec(row) ?? [];
        return pid === undefined ? [] : [{ pid: Number(pid), inode: Number(inode) }];
      });
  } catch {
    return null;
  }
}

/**
 * The processes above this one, nearest first, as far as they can be seen: children of the same
 * turn share them.
 */
export function ancestorsOf(pid: number): readonly ChildIdentity[] {
  const found: ChildIdentity[] = [];
  for (let at = parentOf(pid); at !== null && at > 1 && found.length < deepest; at = parentOf(at)) {
    const identity = identityOf(at);
    if (identity === null) break;
    found.push(identity);
  }
  return found;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The variables that the processes above this one were begun with, nearest first; none where the
 * system does not tell.
 */
export function environmentsAbove(pid: number): readonly Environment[] {
  return process.platform === "linux"
    ? ancestorsOf(pid).map((above) => environmentOf(above.pid))
    : [];
}

/** The same with the process's own first. */
export function environmentsAt(pid: number): readonly Environment[] {
  return process.platform === "linux" ? [environmentOf(pid), ...environmentsAbove(pid)] : [];
}

/** A process above one, by what it was begun with and the name that the system shows of it. */
export type ProcessAbove = { readonly env: Environment; readonly name: string };

/** The processes above one, nearest first; none where the system does not tell. */
export function processesAbove(pid: number): readonly ProcessAbove[] {
  if (process.platform !== "linux") return [];
  return ancestorsOf(pid).map(({ pid: at }) => ({ env: environmentOf(at), name: nameOf(at) }));
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trimEnd();
  } catch {
    return "";
  }
}

function environmentOf(pid: number): Environment {
  try {
    const entries = readFileSync(`/proc/${pid}/environ`, "utf8")
      .split("\0")
      .filter((entry) => entry.includes("="));
    return Object.fromEntries(
      entries.map((entry) => [
        entry.slice(0, entry.indexOf("=")),
        entry.slice(entry.indexOf("=") + 1),
      ]),
    );
  } catch {
    return {};
  }
}

/** No tree of processes is deeper; a parent that changes while it is read must not keep us here. */
const deepest = 64;

/**
 * True while the process group has a member that lives; ended ones that nobody has collected yet do
 * not count.
 */
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
    return (
      fields !== null && fields[2] === String(groupId) && fields[0] !== "Z" && fields[0] !== "X"
    );
  });
}

export function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** Field 22 of `/proc/<pid>/stat`. */
function linuxStartTime(pid: number): string | null {
  const fields = linuxStat(pid);
  const ticks = fields === null || fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
  return ticks === undefined ? null : `${ticks}@${bootId()}`;
}

let boot: string | null = null;

/** The kernel's name for this boot. */
function bootId(): string {
  boot ??= readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  return boot;
}

/**
 * The fields from the third on (state, parent, group, …): the command name before them may hold
 * blanks and parentheses.
 */
function linuxStat(pid: number): readonly string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}

function parentOf(pid: number): number | null {
  const text = process.platform === "linux" ? linuxStat(pid)?.[1] : psParent(pid);
  const parent = Number(text);
  return text !== undefined && Number.isInteger(parent) && parent > 0 ? parent : null;
}

function psParent(pid: number): string | undefined {
  return outputOf("ps", ["-o", "ppid=", "-p", String(pid)])?.trim();
}

function psStartTime(pid: number): string | null {
  const text = outputOf("ps", ["-o", "stat=,lstart=", "-p", String(pid)])?.trim() ?? "";
  return text === "" || text.startsWith("Z") ? null : text.slice(text.indexOf(" ") + 1).trim();
}
