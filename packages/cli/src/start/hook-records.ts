import { existsSync } from "node:fs";
import { join } from "node:path";
import { recordToolUse } from "@loopwork/harness-a/ledger";
import { appendToPlainFile, readPlainFileSync } from "../files/plain-file.ts";
import {
  type CurrentTurn,
  type EventName,
  parseCurrentTurn,
  recordEvent,
  refusal,
  terminalVariable,
  turnFile,
} from "@loopwork/harness-a/terminal-events";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Adds a tool call to the ledger of the turn that it belongs to; outside of a turn there is none,
 * and nothing is written.
 */
export function appendToolUse(stdin: string, env: Variables, at: number): void {
  append(recordToolUse(stdin, ofTurn(env), at), "the tool ledger");
}

/** Adds an event of a conversation in a terminal; resolves to what the harness is answered. */
export function appendEvent(event: EventName, stdin: string, env: Variables, at: number): string {
  append(recordEvent(event, stdin, env, at), "the event");
  return event === "permission" && turnInTerminal(env) !== null ? refusal : "";
}

/**
 * The turn that the conversation in this terminal works for; null outside of a terminal of ours,
 * and between turns.
 */
export function turnInTerminal(env: Variables): CurrentTurn | null {
  const folder = env[terminalVariable];
  const file = folder === undefined ? "" : join(folder, turnFile);
  if (folder === undefined || !existsSync(file)) return null;
  return parseCurrentTurn(readPlainFileSync(file, longestTurnFile)?.toString("utf8") ?? "");
}

const longestTurnFile = 64 * 1024;

/** The variables of the turn; in a terminal, whose process outlives turns, they stand in a file. */
function ofTurn(env: Variables): Variables {
  if (env[terminalVariable] === undefined) return env;
  const current = turnInTerminal(env);
  return { ...env, LOOP_TURN_DIR: current?.turnDir, LOOP_RECEIPT: current?.receipt };
}

function append(
  entry: { readonly file: string; readonly line: string } | null,
  what: string,
): void {
  if (entry === null) return;
  try {
    appendToPlainFile(entry.file, entry.line);
  } catch (error) {
    // A record that cannot be written must not stop a session; a crash is then judged as uncertain.
    process.stderr.write(
      `loop: ${what} could not be written: ${error instanceof Error ? error.message : String(error)}\n`,
    );
  }
}
