import {
  type ChildProcess,
  type ExecFileException,
  execFile,
  spawn,
  type SpawnOptions,
} from "node:child_process";
import type { ChildEnvironment } from "@loopwork/runtime/child-environment";

// The one place that starts programs, so that each has an environment that was made for its kind
// (child-environment.ts).

export type StartOptions = Omit<SpawnOptions, "env" | "shell"> & { readonly env: ChildEnvironment };

/** Starts a program; its end is whoever's who watches it. */
export function startProgram(
  program: string,
  args: readonly string[],
  { env, ...options }: StartOptions,
): ChildProcess {
  return spawn(program, args, { ...options, env: { ...env.variables } });
}

/** How a short program ended; `error` is null where it exited with 0. */
export type ProgramEnd = {
  readonly error: ExecFileException | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** Waits for a short program, at most `timeout` milliseconds. Never rejects. */
export function runProgram(
  program: string,
  args: readonly string[],
  {
    env,
    ...options
  }: {
    readonly env: ChildEnvironment;
    readonly timeout: number;
    readonly cwd?: string;
    readonly maxBuffer?: number;
  },
): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    execFile(
      program,
      args,
      { ...options, env: { ...env.variables }, encoding: "utf8" },
      (error, stdout, stderr) => resolve({ error, stdout, stderr }),
    );
  });
}
