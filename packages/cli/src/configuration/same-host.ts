import type { Policy } from "@loopwork/core";
import { LoopError } from "@loopwork/core/ports";

/** Refs leave the default host out, so under another one the records would name other things. */
export function requireSameHost(recorded: string, { defaultHost }: Policy): void {
  if (recorded.toLowerCase() === defaultHost) return;
  throw new LoopError(
    "LOOP_E_REPLAY_HOST",
    `the service records what happens on ${recorded}, and this configuration is about ${defaultHost}`,
    "give a configuration with the same `integrations.codeHost.host`",
  );
}
