import { closeSync, openSync, readdirSync, readlinkSync, readSync } from "node:fs";
import type { Socket } from "node:net";
import { setImmediate as otherWork } from "node:timers/promises";

/**
 * The process of this machine and account at the other end of a connection; null for one of another
 * machine or account, and where the system does not tell (everywhere but on Linux). A connection
 * has an entry for each end: the peer's is ours with the ports exchanged. A busy machine has tens
 * of thousands of connections and open files: they are gone through a piece at a time, and other
 * work gets its turn in between. None of these looks waits for a disk. `proc`: the folder in which
 * the system tells of processes and connections.
 */
export async function peerOf(
  { localPort, remotePort }: Pick<Socket, "localPort" | "remotePort">,
  proc = "/proc",
): Promise<number | null> {
  if (process.platform !== "linux" || localPort === undefined || remotePort === undefined)
    return null;
  const entry = entryOf(remotePort, localPort);
  const inode =
    (await firstIn(`${proc}/net/tcp`, entry)) ?? (await firstIn(`${proc}/net/tcp6`, entry));
  return inode === null ? null : ownerOf(`socket:[${inode}]`, proc);
}

/**
 * Matches, in a row of `/proc/net/tcp`, the inode of the established connection whose own port is
 * `from` and whose other one is `to`.
 */
function entryOf(from: number, to: number): RegExp {
  const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, "0");
  const [established, between] = ["01", "(?:\\S+ +){5}"];
  return new RegExp(`:${hex(from)} [0-9A-F]+:${hex(to)} ${established} ${between}(\\d+) `);
}

/**
 * What the pattern's group matches in the first line that has it; null where there is none, or no
 * such file.
 */
async function firstIn(path: string, pattern: RegExp): Promise<string | null> {
  const file = orElse(() => openSync(path, "r"), null);
  if (file === null) return null;
  const bytes = Buffer.alloc(pieceBytes);
  try {
    for (let rest = "", n = 1; ; n += 1) {
      const length = readSync(file, bytes, 0, bytes.length, null);
      const text = rest + bytes.toString("latin1", 0, length);
      const found = pattern.exec(text)?.[1];
      if (found !== undefined || length === 0) return found ?? null;
      rest = text.slice(text.lastIndexOf("\n") + 1);
      if (n % piecesInOneGo === 0) await otherWork();
    }
  } finally {
    closeSync(file);
  }
}

/** As much as the system gives at once: 27 rows. */
const pieceBytes = 4_096;
/** Some hundreds of rows, and of open files, take about a millisecond. */
const piecesInOneGo = 16;
const filesInOneGo = 256;

async function ownerOf(socket: string, proc: string): Promise<number | null> {
  let looked = 0;
  for (const pid of namesIn(proc)) {
    if (!/^\d+$/.test(pid)) continue;
    for (const name of namesIn(`${proc}/${pid}/fd`)) {
      if (orElse(() => readlinkSync(`${proc}/${pid}/fd/${name}`), null) === socket)
        return Number(pid);
      if (++looked % filesInOneGo === 0) await otherWork();
    }
  }
  return null;
}

function namesIn(folder: string): readonly string[] {
  return orElse(() => readdirSync(folder), []);
}

/** What ends meanwhile, or is somebody else's, has nothing to show. */
function orElse<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
