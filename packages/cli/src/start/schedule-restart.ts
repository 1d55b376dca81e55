import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { succeedsVariable } from "../detach/pidfile.ts";
import { ChildEnvironment } from "@loopwork/runtime/child-environment";
import { startProgram } from "../processes/child-process.ts";
import { rotateLog } from "../detach/log-file.ts";
import type { StartedConfig } from "../configuration/load-config.ts";
import { selfCommand } from "./self.ts";

/** How long one restart counts as under way, milliseconds; it ends this process long before. */
const underWayMs = 60_000;

/**
 * Schedules `loop restart`, perhaps with an upgrade, in a process of its own, which outlives this
 * one and says in its log what it does. Asked again while that is under way it answers the same and
 * starts nothing more.
 */
export function createRestart(
  loaded: StartedConfig,
  env: Readonly<Record<string, string | undefined>>,
  now: () => number,
): (withUpgrade: boolean) => Promise<{ readonly scheduled: boolean; readonly log: string }> {
  const log = join(loaded.paths.stateRoot, "logs", "restart.log");
  let startedAt = -Infinity;
  return async (withUpgrade) => {
    if (now() - startedAt > underWayMs) {
      startedAt = now();
      begin(loaded, env, log, withUpgrade ? ["restart", "--with-upgrade"] : ["restart"]);
    }
    return { scheduled: true, log };
  };
}

function begin(
  { file, paths }: StartedConfig,
  env: Readonly<Record<string, string | undefined>>,
  log: string,
  words: readonly string[],
): void {
  mkdirSync(dirname(log), { recursive: true, mode: 0o700 });
  rotateLog(log);
  const output = openSync(log, "a", 0o600);
  const [program, ...args] = selfCommand();
  const ofThisDaemon = ["LOOP_DAEMON", succeedsVariable];
  const child = startProgram(
    program,
    [...args, ...(file === null ? [] : ["--config", file]), ...words],
    {
      detached: true,
      stdio: ["ignore", output, output],
      cwd: paths.stateRoot,
      env: ChildEnvironment.service(env, {}, ofThisDaemon),
    },
  );
  closeSync(output);
  child.unref();
}
