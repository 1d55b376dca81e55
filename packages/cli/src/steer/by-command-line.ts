import type { Ports } from "../ports/command-ports.ts";
import { askHead } from "./ask-head.ts";
import type { SteeringPorts } from "./steering-ports.ts";

/** Steering as somebody at a terminal. */
export function byCommandLine(ports: Ports): SteeringPorts {
  return {
    clock: ports.clock,
    ids: ports.ids,
    config: () => ports.config(),
    policy: () => ports.policy(),
    store: () => ports.store(),
    locks: () => ports.locks(),
    wake: () => ports.wake(),
    shownItem: (ref) => ports.shownItem(ref),
    headOf: async (pullRequest) =>
      askHead(pullRequest, await ports.codeHost(), await ports.config()),
    endConversation: async (harness, id) => (await ports.harness(harness)).endConversation(id),
    askForConsolidation: (repository) => ports.askForConsolidation(repository),
    by: "cli",
  };
}
