import type { Salvage } from "@loopwork/core/ports";
import type { RuntimeParts } from "./parts.ts";

const dayMs = 86_400_000;
const lookEveryMs = 3_600_000;

/**
 * Drops bodies and event lines that are older than the configuration keeps them; ids, digests and
 * decisions stay.
 */
export async function forgetOld(
  parts: Pick<RuntimeParts, "store" | "clock" | "settings">,
): Promise<{ readonly bodies: number; readonly events: number }> {
  const { bodiesDays, eventsDays } = parts.settings().config.retention;
  const now = parts.clock.now();
  return {
    bodies: await parts.store.log.forgetBodies(now - bodiesDays * dayMs),
    events: await parts.store.events.forget(now - eventsDays * dayMs),
  };
}

/**
 * Forgets at once and then hourly; the result stops it. A failure is told and tried again at the
 * next hour.
 */
export function keepForgetting(
  parts: Pick<RuntimeParts, "store" | "clock" | "settings" | "log" | "timers">,
): () => void {
  return hourly(() => forgetOld(parts), parts);
}

/** The same for work that releases of checkouts saved; each folder that goes is told. */
export function keepForgettingSaved(
  salvage: Pick<Salvage, "forgetSaved">,
  parts: Pick<RuntimeParts, "log" | "timers">,
): () => void {
  return hourly(async () => {
    for (const folder of await salvage.forgetSaved())
      parts.log("info", `${folder} is older than routing.workspace.salvageDays and was removed`);
  }, parts);
}

function hourly(
  forget: () => Promise<unknown>,
  parts: Pick<RuntimeParts, "log" | "timers">,
): () => void {
  let isOver = false;
  const look = (): void => {
    // What is not forgotten when the service ends is forgotten after the next start.
    forget().catch(
      (error: unknown) =>
        isOver ||
        parts.log(
          "warn",
          `what is too old could not be dropped: ${error instanceof Error ? error.message : String(error)}`,
        ),
    );
  };
  look();
  const stop = parts.timers.every(lookEveryMs, look);
  return () => {
    isOver = true;
    stop();
  };
}
