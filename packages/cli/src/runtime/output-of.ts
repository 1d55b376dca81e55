import { ChildEnvironment } from "./child-environment.ts";

/**
 * What a short program prints, waited for; null where it cannot be started or fails. Only then is what starts programs loaded: commands
 * that run after every turn of an agent mostly need none.
 */
export function outputOf(program: "git" | "ps", args: readonly string[], cwd?: string): string | null {
  const { variables } = ChildEnvironment.tool(process.env);
  const { execFileSync } = process.getBuiltinModule("node:child_process");
  try {
    return execFileSync(program, args, { ...(cwd === undefined ? {} : { cwd }), env: { ...variables }, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], maxBuffer: 64 * 1024 * 1024 });
  } catch {
    return null;
  }
}
