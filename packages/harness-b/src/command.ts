import type { TurnPlan, TurnRequest } from "@loopwork/core/ports";
import { programNames } from "./capabilities.ts";
import { withoutParentHarness } from "./environment.ts";
import type { HarnessBOptions } from "./options.ts";

/**
 * What to start for one attempt. The chat was made by `create-chat`, so a first turn resumes as well. `--trust` covers
 * this workspace only and grants no tools; `--worktree` is never passed, since the checkout is ours.
 */
export function planTurn(request: TurnRequest, options: Pick<HarnessBOptions, "command" | "args" | "env" | "passEnv" | "permissions">): TurnPlan {
  return {
    argv: [
      options.command ?? programNames[0],
      ...["-p", "--output-format", "stream-json", "--trust", "--workspace", request.workdir, "--resume", request.sessionId],
      ...(options.permissions === "bypass" ? ["--force"] : []),
      ...options.args,
    ],
    env: { ...withoutParentHarness(request.env, options.passEnv), ...options.env },
    stdin: request.prompt,
    closeInput: "after-write",
  };
}
