import { withAbsolutePath } from "@loopwork/core/ports";

/**
 * What a short program prints, waited for; null where it cannot be started or fails. Only then is
 * what starts programs loaded: commands that run after every turn of an agent mostly need none.
 */
export function outputOf(program: "ps" | "/bin/ls", args: readonly string[]): string | null {
  const { execFileSync } = process.getBuiltinModule("node:child_process");
  const env = withAbsolutePath(
    Object.fromEntries(
      needed.flatMap((name) =>
        process.env[name] === undefined ? [] : [[name, process.env[name]]],
      ),
    ),
  );
  try {
    return execFileSync(program, args, {
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch {
    return null;
  }
}

/**
 * All that looking here takes: no secret of ours, and none of what a git hook around us sets. Named
 * here, as nothing else is to be loaded for it.
 */
const needed: readonly string[] = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "LANG",
  "LC_ALL",
  "TZ",
  "TMPDIR",
  "XDG_CONFIG_HOME",
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
];
