import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { runHook } from "./run-hook.ts";
import type { Io } from "./start/ports.ts";

/** Runs a command line in this process's terminal and environment; resolves to the exit code. */
export async function runLoop(argv: readonly string[]): Promise<number> {
  // A reader that went away (`loop events | head`) ends us quietly.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 2));
  const io = terminal();
  return (await runHook(argv, io)) ?? (await import("./program.ts")).main(argv, io);
}

/** Ends the process with the code. A turn that goes on without us is detached and must not keep us: what is still open a moment later is left. */
export function endWith(code: number): void {
  process.exitCode = code;
  setTimeout(() => process.exit(code), 250).unref();
}

function terminal(): Io {
  return {
    version: ownVersion(),
    cwd: process.cwd(),
    home: homedir(),
    env: process.env,
    color: process.stdout.isTTY && !process.env["NO_COLOR"],
    width: process.stdout.columns ?? 100,
    interactive: process.stdin.isTTY === true && process.stdout.isTTY,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    readStdin,
    ask,
  };
}

function ownVersion(): string {
  const { version }: { version?: unknown } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return typeof version === "string" ? version : "0.0.0";
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

async function ask(question: string): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await asking.question(question)).trim();
  } finally {
    asking.close();
  }
}
