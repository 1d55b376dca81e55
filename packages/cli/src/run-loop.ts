import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { LoopError } from "@loopwork/core/ports";
import { runHook } from "./run-hook.ts";
import { packageFolder } from "./files/own-package.ts";
import type { Io } from "./io/io.ts";

/** Runs a command line in this process's terminal and environment; resolves to the exit code. */
export async function runLoop(argv: readonly string[]): Promise<number> {
  // A reader that went away (`loop events | head`) ends us quietly.
  process.stdout.on("error", (error: NodeJS.ErrnoException) =>
    process.exit(error.code === "EPIPE" ? 0 : 2),
  );
  const cwd = workingFolder();
  if (cwd === null && argv[0] === "hook") return 0; // A hook never fails a session.
  const io = terminal(cwd ?? homedir());
  if (cwd === null && !asksForHelp(argv))
    return (await import("./output/print-result.ts")).tellError(
      folderGone(),
      argv.includes("--json"),
      io,
    );
  return (await runHook(argv, io)) ?? (await import("./program.ts")).main(argv, io);
}

/**
 * Ends the process with the code. A turn that goes on without us is detached and must not keep us:
 * what is still open a moment later is left.
 */
export function endWith(code: number): void {
  process.exitCode = code;
  setTimeout(() => process.exit(code), 250).unref();
}

/** Null where the folder that this was started in is there no more. */
function workingFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

function asksForHelp(argv: readonly string[]): boolean {
  return (
    argv.length === 0 ||
    argv[0] === "help" ||
    argv.some((word) => ["--help", "-h", "--version", "-V"].includes(word))
  );
}

function folderGone(): LoopError {
  return new LoopError(
    "LOOP_E_NO_FOLDER",
    "The current directory no longer exists",
    "Change to another directory",
  );
}

function terminal(cwd: string): Io {
  return {
    version: ownVersion(),
    cwd,
    home: homedir(),
    env: process.env,
    color: process.stdout.isTTY && !process.env["NO_COLOR"],
    width: process.stdout.columns ?? 100,
    interactive: process.stdin.isTTY === true && process.stdout.isTTY,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    readStdin,
    ask: async (question) => (await import("./io/ask.ts")).ask(question),
  };
}

function ownVersion(): string {
  const { version }: { version?: unknown } = JSON.parse(
    readFileSync(join(packageFolder, "package.json"), "utf8"),
  );
  return typeof version === "string" ? version : "0.0.0";
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}
