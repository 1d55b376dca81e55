import type { RuntimeParts } from "../parts.ts";
import type { OutboxHandlers } from "./index.ts";
import { hostFailure } from "./host-failure.ts";

/**
 * Adds a reaction. The host keeps one of a kind per login, so doing it again after a crash shows
 * nothing twice.
 */
export function createReactHandler(parts: RuntimeParts): OutboxHandlers["react"] {
  return async (effect, entry) => {
    try {
      await parts.host.react(effect.on, effect.reaction);
      return {
        kind: "done",
        recorded: { kind: "nothing", why: "reaction" },
        note: `reacted with ${effect.reaction}`,
        lines: [],
      };
    } catch (error) {
      return hostFailure(error, entry, parts);
    }
  };
}
