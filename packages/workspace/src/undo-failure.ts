import { GitLost, LoopError, type UndoResult } from "@loopwork/core/ports";

/**
 * A refusal as a result, and a disk that does not do what it is told. Everything else is a bug, or
 * a git of which nobody saw the end, and goes on as it is.
 */
export function failed(error: unknown): Extract<UndoResult, { readonly kind: "failed" }> {
  if (error instanceof Error && "syscall" in error)
    return {
      kind: "failed",
      code: "LOOP_E_WORKSPACE_DISK",
      detail: error.message,
      hint: "Check the rights and the free space of routing.workspace.root and of the state root.",
    };
  if (!(error instanceof LoopError) || error instanceof GitLost) throw error;
  return { kind: "failed", code: error.code, detail: error.message, hint: error.hint };
}
