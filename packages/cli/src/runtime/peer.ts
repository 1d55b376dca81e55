import { readdir, readFile, readlink } from "node:fs/promises";
import type { Socket } from "node:net";

/**
 * The process of this machine and account at the other end of a connection; null for one of another machine or account, and where
 * the system does not tell (everywhere but on Linux). A connection has an entry for each end: the peer's is ours with the ports exchanged.
 */
export async function peerOf({ localPort, remotePort }: Pick<Socket, "localPort" | "remotePort">): Promise<number | null> {
  if (process.platform !== "linux" || localPort === undefined || remotePort === undefined) return null;
  const inode = inodeIn(`${await textOf("/proc/net/tcp")}\n${await textOf("/proc/net/tcp6")}`, remotePort, localPort);
  return inode === null ? null : ownerOf(`socket:[${inode}]`);
}

/** Of the connection whose own port is `from` and whose other one is `to`; the fields are those of `/proc/net/tcp`. */
function inodeIn(table: string, from: number, to: number): string | null {
  const port = (address: string | undefined): number => Number.parseInt(address?.split(":")[1] ?? "", 16);
  const rows = table.split("\n").map((line) => line.trim().split(/ +/));
  return rows.find(([, own, other, state]) => port(own) === from && port(other) === to && state === established)?.[9] ?? null;
}

const established = "01";

async function ownerOf(socket: string): Promise<number | null> {
  const pids = (await namesIn("/proc")).filter((name) => /^\d+$/.test(name));
  const owners = await Promise.all(pids.map(async (pid) => ((await holds(`/proc/${pid}/fd`, socket)) ? Number(pid) : null)));
  return owners.find((pid) => pid !== null) ?? null;
}

async function holds(folder: string, socket: string): Promise<boolean> {
  const links = await Promise.all((await namesIn(folder)).map((name) => readlink(`${folder}/${name}`).catch(() => "")));
  return links.includes(socket);
}

/** What ends meanwhile, or is somebody else's, has nothing to show. */
function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

function textOf(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}
