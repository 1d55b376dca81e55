import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "./alive.ts";
import { findBinaries } from "./binaries.ts";
import { keep, type Kept } from "./keeper.ts";

/**
 * A PostgreSQL server of one's own: on loopback, with a password, in a temporary folder. It ends
 * with `stop`, and when the process that started it ends in any way.
 */
export type PostgresServer = {
  readonly port: number;
  readonly password: string;
  /** URL of the administrator for a database. */
  url(database?: string): string;
  /** SIGKILL to the server, as the kernel does it when memory is short. */
  kill(): Promise<void>;
  /** Starts it again where it was, after `kill`. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

export type ServerOptions = {
  /** Lines for `postgresql.conf`. */
  readonly settings?: readonly string[];
  /** Flushes to the disk, as a server that is in use does; a test run does without. */
  readonly durable?: boolean;
  /** A replica that only answers questions. It follows nobody. */
  readonly standby?: boolean;
  /**
   * The folder in which its own is made; the one for temporary files, which may lie in memory, when
   * absent.
   */
  readonly parent?: string;
};

export const user = "loop";

/** Takes about two seconds. */
export async function startPostgres({
  settings = [],
  durable = false,
  standby = false,
  parent = tmpdir(),
}: ServerOptions = {}): Promise<PostgresServer> {
  const account = unprivileged();
  const folder = mkdtempSync(join(parent, "loop-postgres-"));
  chmodSync(folder, 0o755);
  const password = randomBytes(16).toString("hex");
  const bin = findBinaries(folder);
  giveAway(folder, account);
  const data = initialise(bin, folder, password, account);
  const port = await freePort();
  appendFileSync(
    join(data, "postgresql.conf"),
    [
      ...fixedSettings(port),
      ...(durable ? [] : ["fsync = off", "full_page_writes = off"]),
      ...settings,
      "",
    ].join("\n"),
  );
  if (standby) writeFileSync(join(data, "standby.signal"), "");

  const log = join(folder, "log");
  let kept: Kept | null = null;
  const start = async (): Promise<void> => {
    kept = await keep([join(bin, "postgres"), "-D", data], folder, log, account);
    await untilReady(data, kept.pid, log);
  };
  const end = async (signal: "SIGKILL" | null): Promise<void> => {
    if (signal !== null && kept !== null)
      for (const pid of [kept.pid, ...childrenOf(kept.pid)])
        if (isAlive(pid)) process.kill(pid, signal);
    await kept?.end();
    kept = null;
    rmSync(join(data, "postmaster.pid"), { force: true });
  };
  await start();
  return {
    port,
    password,
    url: (database = "postgres") => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`,
    kill: () => end("SIGKILL"),
    start,
    stop: async () => {
      await end(null);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * A connection has a process of its own, which would answer for some moments more than the server
 * lives.
 */
function childrenOf(pid: number): readonly number[] {
  const { stdout } = spawnSync("pgrep", ["-P", String(pid)], { encoding: "utf8" });
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map(Number);
}

type Account = { readonly uid?: number; readonly gid?: number };

/** PostgreSQL refuses to run as root: then it runs as nobody. */
function unprivileged(): Account {
  return process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
}

/** With all that is in it, so that the keeper may remove it. */
function giveAway(folder: string, { uid, gid }: Account): void {
  if (uid !== undefined) execFileSync("chown", ["-R", `${uid}:${gid}`, folder]);
}

function own(path: string, { uid, gid }: Account): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

function initialise(bin: string, folder: string, password: string, account: Account): string {
  const data = join(folder, "data");
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  own(passwordFile, account);
  mkdirSync(data, { mode: 0o700 });
  own(data, account);
  // Another collation than the one by bytes: what orders by it would be found out.
  execFileSync(
    join(bin, "initdb"),
    [
      "-D",
      data,
      "-U",
      user,
      "-A",
      "scram-sha-256",
      `--pwfile=${passwordFile}`,
      "--no-sync",
      "--no-instructions",
      "--encoding=UTF8",
      "--locale=C.UTF-8",
    ],
    {
      ...account,
      cwd: folder,
      env: { PATH: process.env["PATH"], LC_ALL: "C" },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  rmSync(passwordFile);
  return data;
}

function fixedSettings(port: number): readonly string[] {
  return [
    `port = ${port}`,
    "listen_addresses = '127.0.0.1'",
    "unix_socket_directories = ''",
    "shared_buffers = 32MB",
    "dynamic_shared_memory_type = mmap",
    "max_connections = 200",
    "autovacuum = off",
    "jit = off",
    "logging_collector = off",
  ];
}

/** A busy machine takes its time; a server that ends is noticed at once. */
const startWithinMs = 300_000;

/** The last line of its pid file says when it takes connections. */
async function untilReady(data: string, pid: number, log: string): Promise<void> {
  const file = join(data, "postmaster.pid");
  for (const end = Date.now() + startWithinMs; Date.now() < end; await sleep(20)) {
    if (existsSync(file) && /^(ready|standby)\s*$/m.test(readFileSync(file, "utf8"))) return;
    if (!isAlive(pid)) break;
  }
  throw new Error(`the server did not start:\n${existsSync(log) ? readFileSync(log, "utf8") : ""}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address !== null
          ? resolve(address.port)
          : reject(new Error("no port")),
      );
    });
  });
}
