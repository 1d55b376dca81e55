import { LoopError } from "@loopwork/core/ports";
import type { InsideTurn } from "../ports/command-ports.ts";
import type { Io } from "../io/io.ts";

/** Set by Claude Code in every command that it runs in its sandbox (seen with 2.1.332). */
const sandboxVariable = "SANDBOX_RUNTIME";

export function isSandboxed(env: Io["env"], turn: () => InsideTurn | null): boolean {
  return Boolean(env[sandboxVariable]) && turn() !== null;
}

/**
 * In the sandbox the configuration looks absent, and an answer from the defaults would be wrong.
 * Throws `LOOP_E_SANDBOXED`.
 */
export function refuseSandboxed(env: Io["env"], turn: () => InsideTurn | null): void {
  if (!isSandboxed(env, turn)) return;
  throw new LoopError(
    "LOOP_E_SANDBOXED",
    "The sandbox hides loop's configuration and records from this turn.",
    "Use `loop check`, `loop comment`, `loop ask` or `loop sessions link-pr`: they ask the service. For anything else, ask a person with `loop ask`.",
  );
}
