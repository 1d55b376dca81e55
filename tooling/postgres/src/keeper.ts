import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";

/** A running server process and what ends it. */
export type Kept = {
  readonly pid: number;
  /** Ends the server at once and waits until it is gone. */
  end(): Promise<void>;
};

/**
 * A shell between us and the server: it waits on a pipe that closes however our process ends, and
 * then ends the server and removes its folder. Without it a test run that is killed would leave a
 * server behind.
 */
const script = `
"$@" </dev/null & server=$!
echo "$server"
read -r word
kill -QUIT "$server" 2>/dev/null
wait "$server"
[ "$word" = keep ] || rm -rf "$KEEPER_FOLDER"
`;

/** Starts the server; `log` is the file for what it prints. */
export async function keep(
  argv: readonly string[],
  folder: string,
  log: string,
  account: { readonly uid?: number; readonly gid?: number },
): Promise<Kept> {
  const file = openSync(log, "a");
  const shell = spawn("sh", ["-c", script, "keeper", ...argv], {
    ...account,
    cwd: folder,
    env: { PATH: process.env["PATH"], KEEPER_FOLDER: folder, LC_ALL: "C" },
    detached: true,
    stdio: ["pipe", "pipe", file],
  });
  closeSync(file);
  // Writing to one that ended by itself is no fault.
  shell.stdin?.on("error", () => {});
  const gone = once(shell, "exit");
  return { pid: await firstLine(shell, gone), end: () => ended(shell, gone) };
}

/** A keeper that ends without it would be waited for without an end. */
async function firstLine({ stdout }: ChildProcess, gone: Promise<unknown>): Promise<number> {
  if (stdout === null) throw new Error("the keeper has no output");
  const [chunk]: unknown[] = await Promise.race([
    once(stdout, "data"),
    gone.then(() => refuse("the keeper ended before it named the server's process")),
  ]);
  return Number.parseInt(String(chunk), 10);
}

function refuse(why: string): never {
  throw new Error(why);
}

async function ended({ stdin }: ChildProcess, gone: Promise<unknown>): Promise<void> {
  stdin?.end("keep\n");
  await gone;
}
