import { type HarnessId, LoopError, type OneShotPlace, type OneShots } from "@loopwork/core/ports";
import type { RuntimeSettings } from "../parts.ts";
import type { SmallPrograms } from "../small-programs.ts";

/**
 * Asks with a file of settings that hides from the harness's tools what turns don't see either,
 * gone afterwards. A sentence where not everything can be hidden; without a sandbox by choice the
 * question is asked all the same, as turns run.
 */
export async function withQuestionSettings<T>(
  harness: HarnessId,
  place: Omit<OneShotPlace, "hide">,
  oneShots: OneShots,
  settings: Pick<RuntimeSettings, "config" | "sandbox">,
  programs: Pick<SmallPrograms, "withFile">,
  ask: (settingsFile: string | null) => Promise<T>,
): Promise<T | string> {
  const said = await settingsOf({ ...place, hide: settings.sandbox.hide }, oneShots);
  const isOff = harness === "A" && settings.config.harnesses.A.sandbox === "off";
  if (said instanceof LoopError) return isOff ? ask(null) : `${said.message} ${said.hint}`;
  if (said === null) return ask(null);
  return programs.withFile(said, ask);
}

async function settingsOf(
  place: OneShotPlace,
  oneShots: OneShots,
): Promise<string | null | LoopError> {
  try {
    return (await oneShots.settings?.(place)) ?? null;
  } catch (error) {
    if (error instanceof LoopError) return error;
    throw error;
  }
}
