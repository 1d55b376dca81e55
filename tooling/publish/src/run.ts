import { execFile } from "node:child_process";

export type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string };

/**
 * Runs a program to its end, with a limit of `seconds`, and keeps what it wrote. Never rejects for
 * a failure of the program.
 */
export function run(
  argv: readonly [string, ...string[]],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
  seconds = 240,
): Promise<Ran> {
  const [program, ...args] = argv;
  return new Promise((resolve) => {
    const child = execFile(
      program,
      args,
      { cwd, env, encoding: "utf8", timeout: seconds * 1000, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const failure =
          error === null || typeof error.code === "number" ? "" : `${error.message}\n`;
        resolve({ code: child.exitCode ?? 1, stdout, stderr: `${stderr}${failure}` });
      },
    );
    child.stdin?.end();
  });
}
