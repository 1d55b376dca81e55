import type { OneShotPlace } from "@loopwork/core/ports";
import type { HarnessAOptions } from "./options.ts";
import { denyRules } from "./sandbox/deny-rules.ts";
import { hiddenPaths } from "./sandbox/hidden-paths.ts";
import { privateFolders } from "./sandbox/private-folders.ts";

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
  const open = [place.workdir, ...place.alsoIn];
  const around = await privateFolders(options, place.env, open);
  const hidden = hiddenPaths({ own: place.hide, around }, open);
  return JSON.stringify({ permissions: { deny: await denyRules(hidden, open) } });
}
