import { spawn } from "node:child_process";

export type CommandEnd = { readonly kind: "ended"; readonly code: number; readonly stdout: string; readonly tail: string } | { readonly kind: "failed"; readonly why: string };

export type CommandPlan = { readonly argv: readonly string[]; readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>>; readonly input: string; readonly deadlineMs: number };

/** What a command may print; more ends it. */
const mostBytes = 1024 * 1024;
/** Kept of its standard error, for people. */
const tailChars = 400;

/**
 * Runs an operator's program in a checkout: argv and no shell, in a process group of its own that is stopped whole at the deadline
 * (TERM, then KILL after two seconds). Never rejects.
 */
export function runCommand({ argv, cwd, env, input, deadlineMs }: CommandPlan): Promise<CommandEnd> {
  const [program = "", ...args] = argv;
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    const chunks: Buffer[] = [];
    let size = 0;
    let tail = "";
    let stopped: string | null = null;
    const signal = (name: NodeJS.Signals): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, name);
      } catch {
        // The group is gone already.
      }
    };
    const stop = (why: string): void => {
      if (stopped !== null) return;
      stopped = why;
      signal("SIGTERM");
      setTimeout(() => signal("SIGKILL"), 2_000).unref();
    };
    const deadline = setTimeout(() => stop(`it ran longer than ${deadlineMs / 1000} s`), deadlineMs);
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > mostBytes) stop(`it printed more than ${mostBytes} bytes`);
      else chunks.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => (tail = (tail + chunk.toString("utf8")).slice(-tailChars)));
    child.stdin.on("error", () => {}); // Whoever reads nothing of it may end without doing so.
    child.stdin.end(input);
    child.on("error", (error) => {
      clearTimeout(deadline);
      resolve({ kind: "failed", why: `${program} could not be run: ${error.message}` });
    });
    child.on("close", (code, name) => {
      clearTimeout(deadline);
      if (stopped !== null) resolve({ kind: "failed", why: stopped });
      else if (code === null) resolve({ kind: "failed", why: `it was ended by ${name ?? "a signal"}` });
      else resolve({ kind: "ended", code, stdout: Buffer.concat(chunks).toString("utf8"), tail: tail.trim() });
    });
  });
}
