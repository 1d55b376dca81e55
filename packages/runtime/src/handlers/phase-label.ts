import { sameLabel } from "@loopwork/core/ports";
import type { RuntimeParts } from "../parts.ts";
import type { OutboxHandlers } from "./index.ts";
import { hostFailure } from "./host-failure.ts";

/**
 * Shows on the item at which node of the graph it is. Looking first makes it harmless to do again
 * after a crash.
 */
export function createPhaseLabelHandler(parts: RuntimeParts): OutboxHandlers["phase-label"] {
  return async ({ workItem, phase, phases }, entry) => {
    const { autoExecuteLabel } = parts.settings().policy;
    const drop = phases.map(phaseLabel).filter((label) => !sameLabel(label, autoExecuteLabel));
    try {
      await parts.host.relabel(workItem, { put: phaseLabel(phase), drop });
      return {
        kind: "done",
        recorded: { kind: "nothing", why: "label" },
        note: `labelled ${phaseLabel(phase)}`,
        lines: [],
      };
    } catch (error) {
      return hostFailure(error, entry, parts);
    }
  };
}

function phaseLabel(node: string): string {
  return `loop:${node}`;
}
