import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type AttemptTrace, isBrokerLost, type ReceiptEvidence } from "@loopwork/core/ports";
import { judgeApiError } from "../api-error.ts";
import { type Heard, hear } from "../receipt-in-stream.ts";
import { judgeResult } from "../outcome.ts";
import { readPlainFile } from "../plain-file.ts";
import type { MessageTrace } from "../transcript.ts";
import { eventsFile, parseEvents, type TerminalEvent } from "./events.ts";
import { pressedState } from "./lines.ts";
import { terminalFolder, terminalName, type TerminalOptions } from "./plan.ts";
import { watchMessage } from "./watch.ts";

/** Everything that outlives a driver and says something about its attempt. */
export type TerminalTraces = {
  readonly heard: Heard;
  readonly message: MessageTrace;
  readonly sessionExists: boolean;
  /** The harness's own end of the turn is there, by our hook or in its transcript. */
  readonly stopped: boolean;
  /** The driver was about to send the message. */
  readonly pressed: boolean;
  /** The harness still runs in the terminal. */
  readonly alive: boolean;
};

/**
 * The table for an attempt whose driver is gone (ADR 0019). A receipt in a terminal is never typed
 * twice: the driver looks for it first, and waits for its end where it finds it.
 *
 * | traces                                        | evidence    | what the runtime then does                |
 * |-----------------------------------------------|-------------|-------------------------------------------|
 * | an end of turn that names the receipt, or the hook's | done | nothing                                   |
 * | an API error stands last                      | api-error   | a new receipt, by the error               |
 * | on record, stopped by hand or harness gone    | interrupted | a new receipt, "look before you act"      |
 * | on record, and the harness runs               | asked-only  | the same receipt: its driver waits        |
 * | no record, and the key was never pressed      | absent      | the same receipt again                    |
 * | no record, and the key may have been pressed  | unknown     | a person decides                          |
 */
export function judgeTerminal({
  heard,
  message,
  sessionExists,
  stopped,
  pressed,
  alive,
}: TerminalTraces): ReceiptEvidence {
  if (heard.result !== null) {
    const outcome = judgeResult(heard.result, heard);
    return outcome.kind === "done"
      ? { kind: "done", usd: outcome.usd, minutes: outcome.minutes }
      : { kind: "api-error", outcome };
  }
  if (message.apiError !== null)
    return { kind: "api-error", outcome: judgeApiError(message.apiError) };
  if (message.asked && stopped) return { kind: "done", usd: 0, minutes: 0 };
  if (message.asked)
    return alive && !message.interrupted ? { kind: "asked-only" } : { kind: "interrupted" };
  return pressed
    ? {
        kind: "unknown",
        why: "the message was sent to the terminal, and the harness has no record of it",
      }
    : { kind: "absent", sessionExists };
}

/**
 * The harness puts a message on record a moment after the key; only after this long in milliseconds
 * is its absence one.
 */
const recordedWithinMs = 3_000;

/**
 * Collects the traces and judges them; a trace that cannot be read makes the attempt `unknown`;
 * rejects where a broker was lost on the way, as the next look may read it.
 */
export async function terminalEvidence(
  attempt: AttemptTrace,
  {
    configDir,
    terminal,
  }: { readonly configDir: string; readonly terminal: TerminalOptions | null },
): Promise<ReceiptEvidence> {
  const heard = hear(attempt.stdout, attempt.receipt);
  const pressed = attempt.stdout.some(
    (line) => line.includes(`"state":"${pressedState}"`) && line.includes(attempt.receipt),
  );
  try {
    const until = performance.now() + (pressed ? recordedWithinMs : 0);
    const watch = watchMessage(configDir, attempt.sessionId, attempt.receipt);
    for (;;) {
      const { message, sessionExists } = await watch.look();
      if (message.asked || performance.now() >= until) {
        const events =
          terminal === null
            ? []
            : await readEvents(terminalFolder(terminal.folder, attempt.sessionId));
        const found = (await terminal?.terminals.find(terminalName(attempt.sessionId))) ?? null;
        return judgeTerminal({
          heard,
          message,
          sessionExists,
          stopped: message.ended || isStopped(message, events),
          pressed,
          alive: found?.ours === true && found.alive,
        });
      }
      await sleep(100);
    }
  } catch (error) {
    if (isBrokerLost(error)) throw error;
    return {
      kind: "unknown",
      why: `The traces of the attempt cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

/** Whether our hook recorded the end of the message's turn. */
export function isStopped(message: MessageTrace, events: readonly TerminalEvent[]): boolean {
  return events.some((event) => event.event === "stop" && belongs(event, message));
}

/**
 * An event names the message where the harness does; otherwise time tells, because one message runs
 * at a time.
 */
export function belongs(event: TerminalEvent, message: MessageTrace): boolean {
  if (event.promptId !== null && message.promptId !== null)
    return event.promptId === message.promptId;
  return message.askedAt !== null && event.at >= message.askedAt;
}

/** Bytes of the longest record of events that is read: some for each turn of a conversation. */
const longestEvents = 64 * 1024 * 1024;

export async function readEvents(folder: string): Promise<readonly TerminalEvent[]> {
  const bytes = await readPlainFile(path.join(folder, eventsFile), longestEvents);
  return bytes === null ? [] : parseEvents(bytes.toString("utf8"));
}
