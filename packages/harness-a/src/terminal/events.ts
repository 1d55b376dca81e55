import path from "node:path";

/**
 * The events of a conversation in a terminal: one JSON line for each, written by our hooks into the conversation's folder,
 * which the variable names. They tell when the harness is ready and when a turn has ended.
 *
 *     {"event":"stop","sessionId":"…","promptId":"…","tool":null,"input":null,"at":1795245762201}
 *
 * `at` is milliseconds since 1970. This file imports nothing but paths, so that the hook starts fast.
 */
export type TerminalEvent = { readonly event: EventName; readonly sessionId: string; readonly promptId: string | null; readonly tool: string | null; readonly input: unknown; readonly at: number };

export const eventNames = ["session-start", "stop", "stop-failure", "session-end", "permission"] as const;
export type EventName = (typeof eventNames)[number];

export const terminalVariable = "LOOP_TERMINAL";
export const eventsFile = "events.jsonl";
/** Says which turn the conversation works for; there is none between turns. */
export const turnFile = "turn.json";

/** The turn that a conversation works for, as its hooks and commands find it. */
export type CurrentTurn = { readonly turn: string; readonly turnDir: string; readonly receipt: string };

/** What a hook appends, and where; null outside of a terminal of ours. The caller appends `line` to `file` in one write. */
export function recordEvent(event: EventName, stdin: string, env: Readonly<Record<string, string | undefined>>, at: number): { readonly file: string; readonly line: string } | null {
  const folder = env[terminalVariable];
  const call = parse(stdin);
  const sessionId = text(call?.["session_id"]);
  if (folder === undefined || !path.isAbsolute(folder) || call === null || sessionId === null) return null;
  const recorded: TerminalEvent = { event, sessionId, promptId: text(call["prompt_id"]), tool: text(call["tool_name"]), input: event === "permission" ? (call["tool_input"] ?? null) : null, at };
  return { file: path.join(folder, eventsFile), line: `${JSON.stringify(recorded)}\n` };
}

/** The events of a file's text; a line that is none, such as one that is being written, is left out. */
export function parseEvents(file: string): readonly TerminalEvent[] {
  return file.split("\n").flatMap((line): readonly TerminalEvent[] => {
    const fields = parse(line);
    const event = eventNames.find((name) => name === fields?.["event"]);
    const sessionId = text(fields?.["sessionId"]);
    if (fields === null || event === undefined || sessionId === null) return [];
    return [{ event, sessionId, promptId: text(fields["promptId"]), tool: text(fields["tool"]), input: fields["input"] ?? null, at: typeof fields["at"] === "number" ? fields["at"] : 0 }];
  });
}

/** Reads `turnFile`; null for anything else. */
export function parseCurrentTurn(file: string): CurrentTurn | null {
  const fields = parse(file);
  const [turn, turnDir, receipt] = [text(fields?.["turn"]), text(fields?.["turnDir"]), text(fields?.["receipt"])];
  return turn === null || turnDir === null || receipt === null ? null : { turn, turnDir, receipt };
}

/**
 * What the harness reads when it asks for a permission during a turn of ours: nobody could answer its dialog. Between turns
 * it gets no answer, so that a person who is attached sees the dialog.
 */
export const refusal: string = JSON.stringify({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "deny", message: "This needs an approval, and nobody is here to give it." } } });

function parse(json: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(json);
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
