import { heartbeatMs, type InstanceScope } from "@loopwork/core/ports";
import type { RuntimeParts } from "./parts.ts";

/**
 * The life of an instance in this process, from the right to dispatch to its end: others see in the
 * store that it goes on.
 *
 *     none ──begin──▶ present ──another process of the same name began one──▶ over
 *                        └────────────────────────end────────────────────────▶ none
 *
 * A process that was stopped for a while may have lost the right to dispatch without noticing. It
 * hears so at its next beat; until then the store gives it no lane.
 */
export type PresentLife = {
  /** Rejects when the store cannot be written. */
  begin(): Promise<void>;
  isOver(): boolean;
  end(): Promise<void>;
};

/** `onOver` is called once another life has taken the place of this one. */
export function createPresentLife(
  parts: Pick<RuntimeParts, "store" | "ids" | "timers" | "settings" | "log" | "machine">,
  onOver: () => void,
): PresentLife {
  let over = false;
  let stop = (): void => {};
  const beat = async (): Promise<void> => {
    const goesOn = await parts.store.instances.beat(scopeOf(parts)).catch(() => true); // A store that is away is told by whoever needs it.
    if (goesOn || over) return;
    over = true;
    stop();
    parts.log(
      "warn",
      "another process dispatches for this instance now; this one waits until that ends",
    );
    onOver();
  };
  return {
    async begin() {
      over = false;
      await parts.store.instances.enter({
        incarnation: parts.ids.uuid(),
        machine: parts.machine,
        scope: scopeOf(parts),
      });
      stop = parts.timers.every(heartbeatMs, () => void beat());
    },
    isOver: () => over,
    async end() {
      stop();
      await parts.store.instances
        .leave()
        .catch((error: unknown) =>
          parts.log(
            "warn",
            `others do not hear of this instance's end: ${error instanceof Error ? error.message : String(error)}`,
          ),
        );
    },
  };
}

function scopeOf({ settings }: Pick<RuntimeParts, "settings">): InstanceScope {
  const { scope, workItems } = settings().policy.instance;
  return { mode: scope, workItems: [...workItems] };
}
