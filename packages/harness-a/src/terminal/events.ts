import { parseObject, textOf } from "../fields.ts";
import { type HookLine, hookLine } from "../hook-line.ts";

/**
 * The events of a conversation in a terminal: one JSON line for each, written by our hooks into the
 * conversation's folder, which the variable names. They tell when the harness is ready and when a
 * turn has ended.
 *
 *     {"event":"stop","sessionId":"…","promptId":"…","tool":null,"input":null,"at":1795245762201}
 *
 * `at` is milliseconds since 1970. This file imports next to nothing, so that the hook starts fast.
 */
export type TerminalEvent = {
  readonly event: EventName;
  readonly sessionId: string;
  readonly promptId: string | null;
  readonly tool: string | null;
  readonly input: unknown;
  readonly at: number;
};

export const eventNames = [
  "session-start",
  "stop",
  "stop-failure",
  "session-end",
  "permission",
] as const;
export type EventName = (typeof eventNames)[number];

export const terminalVariable = "LOOP_TERMINAL";
export const eventsFile = "events.jsonl";
/** Says which turn the conversation works for; there is none between turns. */
export const turnFile = "turn.json";

/** The turn that a conversation works for, as its hooks and commands find it. */
export type CurrentTurn = {
  readonly turn: string;
  readonly turnDir: string;
  readonly receipt: string;
};

/**
 * What a hook appends, and where; null outside of a terminal of ours. The caller appends `line` to
 * `file` in one write.
 */
export function recordEvent(
  event: EventName,
  stdin: string,
  env: Readonly<Record<string, string | undefined>>,
  at: number,
): HookLine | null {
  return hookLine(stdin, env[terminalVariable], eventsFile, (call, sessionId): TerminalEvent => ({
    event,
    sessionId,
    promptId: textOf(call["prompt_id"]),
    tool: textOf(call["tool_name"]),
    input: event === "permission" ? (call["tool_input"] ?? null) : null,
    at,
  }));
}

/**
 * The events of a file's text; a line that is none, such as one that is being written, is left out.
 */
export function parseEvents(file: string): readonly TerminalEvent[] {
  return file.split("\n").flatMap((line): readonly TerminalEvent[] => {
    const fields = parseObject(line);
    const event = eventNames.find((name) => name === fields?.["event"]);
    const sessionId = textOf(fields?.["sessionId"]);
    if (fields === null || event === undefined || sessionId === null) return [];
    return [
      {
        event,
        sessionId,
        promptId: textOf(fields["promptId"]),
        tool: textOf(fields["tool"]),
        input: fields["input"] ?? null,
        at: typeof fields["at"] === "number" ? fields["at"] : 0,
      },
    ];
  });
}

/** Reads `turnFile`; null for anything else. */
export function parseCurrentTurn(file: string): CurrentTurn | null {
  const fields = parseObject(file);
  const [turn, turnDir, receipt] = [
    textOf(fields?.["turn"]),
    textOf(fields?.["turnDir"]),
    textOf(fields?.["receipt"]),
  ];
  return turn === null || turnDir === null || receipt === null ? null : { turn, turnDir, receipt };
}

/**
 * What the harness reads when it asks for a permission during a turn of ours: nobody could answer
 * its dialog. Between turns it gets no answer, so that a person who is attached sees the dialog.
 */
export const refusal: string = JSON.stringify({
  hookSpecificOutput: {
    hookEventName: "PermissionRequest",
    decision: {
      behavior: "deny",
      message: "This needs an approval, and nobody is here to give it.",
    },
  },
});
