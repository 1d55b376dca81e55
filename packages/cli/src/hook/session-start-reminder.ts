import { formatRef, type HookCall, type RefText } from "@loopwork/core/ports";
import type { Ports } from "../ports/command-ports.ts";
import { boundItem } from "./bound-item.ts";

/** What a session is told when it begins or goes on; null where loop has nothing to do with it. */
export async function remind(call: HookCall, ports: Ports): Promise<string | null> {
  const item = await boundItem(call, ports);
  const installed = await ports.checkouts.hasChosenLoop(call.cwd ?? ports.io.cwd);
  if (item !== null) return reminder(formatRef(item), installed);
  return installed
    ? "loop: this repository is worked on with loop. To work on an issue or pull request, begin with the skill loop-operating-model."
    : null;
}

/**
 * Short, because it is said at every start; the skill has the rest. `installed`: the repository
 * itself has chosen loop.
 */
export function reminder(workItem: RefText, installed: boolean): string {
  return [
    `loop: this session works on ${workItem}. Begin with the skill loop-operating-model.`,
    "- `loop check` says what the item still lacks. Run it before you end your turn.",
    "- Speak on the thread with `loop comment`, ask with `loop ask`; a question ends your turn, the answer is your next message.",
    "- A pull request that you open is recorded: `loop: recorded …` says so. If it does not appear, run `loop sessions link-pr --pull-request <number>`.",
    ...(installed
      ? []
      : [
          "- This repository has not chosen loop: you are a guest, and leave nothing of loop in it.",
        ]),
  ].join("\n");
}
