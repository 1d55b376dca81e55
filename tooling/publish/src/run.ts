import { spawnSync } from "node:child_process";

export type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** Runs a program to its end, with a limit of `seconds`, and keeps what it wrote. Never throws for a failure of the program. */
export function run(argv: readonly [string, ...string[]], cwd: string, env: NodeJS.ProcessEnv = process.env, seconds = 240): Ran {
  const [program, ...args] = argv;
  const done = spawnSync(program, args, { cwd, env, encoding: "utf8", timeout: seconds * 1000, maxBuffer: 64 * 1024 * 1024, stdio: ["ignore", "pipe", "pipe"] });
  const failure = done.error === undefined ? "" : `${done.error.message}\n`;
  return { code: done.status ?? 1, stdout: done.stdout ?? "", stderr: `${done.stderr ?? ""}${failure}` };
}
