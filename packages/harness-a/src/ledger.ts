import path from "node:path";

/**
 * The tool ledger: one JSON line for every tool call that is about to run, written by our pre-tool hook into the
 * folder of the turn before the tool runs. After a crash it tells whether a message that has no reply on record has
 * done anything (decisions.md 4).
 *
 *     {"sessionId":"…","tool":"Bash","toolUseId":"…","receipt":"…","at":1795245762201}
 *
 * `at` is milliseconds since 1970. This file imports nothing but paths, so that the hook starts fast.
 */
export type ToolUse = { readonly sessionId: string; readonly tool: string; readonly toolUseId: string | null; readonly receipt: string | null; readonly at: number };

export const ledgerFile = "tools.jsonl";
export const turnDirVariable = "LOOP_TURN_DIR";
export const receiptVariable = "LOOP_RECEIPT";

/** Variables by which the hook finds the ledger of the attempt. */
export function ledgerVariables(turn: { readonly turnDir: string; readonly receipt: string }): Record<string, string> {
  return { [turnDirVariable]: turn.turnDir, [receiptVariable]: turn.receipt };
}

/**
 * What the hook appends, and where; null when it runs outside of a turn of ours or was handed something else. The
 * caller appends `line` to `file` in one write.
 */
export function recordToolUse(stdin: string, env: Readonly<Record<string, string | undefined>>, at: number): { readonly file: string; readonly line: string } | null {
  const turnDir = env[turnDirVariable];
  if (turnDir === undefined || !path.isAbsolute(turnDir)) return null;
  const call = parse(stdin);
  const sessionId = text(call?.["session_id"]);
  if (call === null || sessionId === null) return null;
  const use: ToolUse = { sessionId, tool: text(call["tool_name"]) ?? "unknown", toolUseId: text(call["tool_use_id"]), receipt: env[receiptVariable] ?? null, at };
  return { file: path.join(turnDir, ledgerFile), line: `${JSON.stringify(use)}\n` };
}

/**
 * Whether the ledger has a tool call of the attempt. A line that does not parse was being written when everything
 * died, so it counts; so does a line without a receipt. Only a line of another attempt or session does not.
 */
export function ledgerHasToolUse(ledger: string, attempt: { readonly sessionId: string; readonly receipt: string }): boolean {
  return ledger.split("\n").some((line) => {
    if (line.trim() === "") return false;
    const use = parse(line);
    if (use === null) return true;
    const sessionId = text(use["sessionId"]);
    const receipt = text(use["receipt"]);
    return (sessionId === null || sessionId.toLowerCase() === attempt.sessionId.toLowerCase()) && (receipt === null || receipt === attempt.receipt);
  });
}

function parse(json: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(json.startsWith("\uFEFF") ? json.slice(1) : json);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
