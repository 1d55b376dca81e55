import path from "node:path";
import type { OneShotPlace } from "@loopwork/core/ports";
import { configDirOf } from "./config-dir.ts";
import type { HarnessAOptions } from "./options.ts";
import { denyRules } from "./sandbox/deny-rules.ts";
import { namedLogins } from "./sandbox/named-logins.ts";
import { hiddenBy } from "./sandbox/settings.ts";

export type OneShotSurroundings = Pick<HarnessAOptions, "env" | "passEnv" | "environment" | "home">;

/**
 * The settings of one question: the rules by which the file tools of turns stay out of the home,
 * the harness's own logins and everything else that is hidden. A question runs no commands, so that
 * there is no sandbox around them.
 */
export async function oneShotSettings(
  place: OneShotPlace,
  options: OneShotSurroundings,
): Promise<string> {
  const all = { ...options.environment, ...place.env, ...options.env };
  const homes = [options.home, all["HOME"] ?? options.home, configDirOf(all, options.home)];
  const hide = [
    ...homes.filter((folder) => path.isAbsolute(folder)),
    ...namedLogins(all, options.passEnv),
  ];
  const open = [place.workdir, ...place.alsoIn];
  return JSON.stringify({
    permissions: { deny: await denyRules(hiddenBy(place, { hide }), open) },
  });
}
