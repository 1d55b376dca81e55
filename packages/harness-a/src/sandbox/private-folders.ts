import path from "node:path";
import type { SandboxOrder } from "@loopwork/core/ports";
import { configDirOf } from "../config-dir.ts";
import type { HarnessAOptions } from "../options.ts";
import { linkedLogins, namedLogins } from "./named-logins.ts";

/**
 * The home, the harness's own folder, which holds its login and every transcript, and logins that
 * variables name, or links in the home lead to, elsewhere.
 */
export async function privateFolders(
  options: Pick<HarnessAOptions, "env" | "passEnv" | "environment" | "home">,
  env: SandboxOrder["env"],
  open: readonly string[] = [],
): Promise<readonly string[]> {
  const all = { ...options.environment, ...env, ...options.env };
  const own = [options.home, all["HOME"] ?? options.home, configDirOf(all, options.home)];
  return [
    ...own.filter((folder) => path.isAbsolute(folder)),
    ...(await namedLogins(all, options.passEnv, open)),
    ...(await linkedLogins(options.home, all, open)),
    ...(await linkedLogins(path.join(options.home, ".config"), all, open)),
  ];
}
