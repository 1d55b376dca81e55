import { parseObject, textOf } from "./fields.ts";
import { type HookLine, hookLine } from "./hook-line.ts";

/**
 * The tool ledger: one JSON line for every tool call that is about to run, written by our pre-tool
 * hook into the folder of the turn before the tool runs. After a crash it tells whether a message
 * that has no reply on record has done anything.
 *
 *     {"sessionId":"…","tool":"Bash","toolUseId":"…","receipt":"…","at":1795245762201}
 *
 * `at` is milliseconds since 1970. This file imports next to nothing, so that the hook starts fast.
 */
export type ToolUse = {
  readonly sessionId: string;
  readonly tool: string;
  readonly toolUseId: string | null;
  readonly receipt: string | null;
  readonly at: number;
};

export const ledgerFile = "tools.jsonl";
export const turnDirVariable = "LOOP_TURN_DIR";
export const receiptVariable = "LOOP_RECEIPT";

/** Variables by which the hook finds the ledger of the attempt. */
export function ledgerVariables(turn: {
  readonly turnDir: string;
  readonly receipt: string;
}): Record<string, string> {
  return { [turnDirVariable]: turn.turnDir, [receiptVariable]: turn.receipt };
}

/**
 * What the hook appends, and where; null when it runs outside of a turn of ours or was handed
 * something else. The caller appends `line` to `file` in one write.
 */
export function recordToolUse(
  stdin: string,
  env: Readonly<Record<string, string | undefined>>,
  at: number,
): HookLine | null {
  const receipt = env[receiptVariable] ?? null;
  return hookLine(stdin, env[turnDirVariable], ledgerFile, (call, sessionId): ToolUse => ({
    sessionId,
    tool: textOf(call["tool_name"]) ?? "unknown",
    toolUseId: textOf(call["tool_use_id"]),
    receipt,
    at,
  }));
}

/**
 * Whether the ledger has a tool call of the attempt. A line that does not parse was being written
 * when everything died, so it counts; so does a line without a receipt. Only a line of another
 * attempt or session does not.
 */
export function ledgerHasToolUse(
  ledger: string,
  attempt: { readonly sessionId: string; readonly receipt: string },
): boolean {
  return ledger.split("\n").some((line) => {
    if (line.trim() === "") return false;
    const use = parseObject(line);
    if (use === null) return true;
    const sessionId = textOf(use["sessionId"]);
    const receipt = textOf(use["receipt"]);
    return (
      (sessionId === null || sessionId.toLowerCase() === attempt.sessionId.toLowerCase()) &&
      (receipt === null || receipt === attempt.receipt)
    );
  });
}
