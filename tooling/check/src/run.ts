import { spawn } from "node:child_process";

export type Ran = { readonly code: number; readonly output: string };

/**
 * Runs a program to its end. Quiet: its output is collected; else it goes to our standard error as
 * it comes. A program that cannot be started, or that a signal ended, counts as failed.
 */
export function run(
  [program, ...args]: readonly [string, ...string[]],
  cwd: string,
  quiet: boolean,
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      stdio: ["ignore", quiet ? "pipe" : 2, quiet ? "pipe" : 2],
    });
    let output = "";
    const keep = (chunk: Buffer): void => void (output += chunk.toString());
    child.stdout?.on("data", keep);
    child.stderr?.on("data", keep);
    child.on("error", (error) =>
      resolve({ code: 1, output: `${output}${program} could not be started: ${error.message}` }),
    );
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}
