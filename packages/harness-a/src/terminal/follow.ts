import type { MessageTrace } from "../transcript.ts";
import { belongs, isStopped, readEvents } from "./evidence.ts";
import type { TerminalEvent } from "./events.ts";
import { lines } from "./lines.ts";
import type { DriveParts } from "./parts.ts";
import type { TerminalTurn } from "./driver-input.ts";
import type { MessageWatch } from "./watch.ts";

/** Times in milliseconds. */
const lookEveryMs = 500;
/** A harness that is idle this long has ended the turn, also when our hook could not say so. */
const hookLateMs = 5_000;
/**
 * A dialog in a turn that nobody sits in front of is called off after this long; our hook answers
 * those it can.
 */
const dialogMs = 15_000;

/** What is seen of the message at one look. */
type Seen = {
  readonly message: MessageTrace;
  readonly events: readonly TerminalEvent[];
  readonly status: string | null;
  readonly alive: boolean;
  readonly people: number;
};

/**
 * Waits for the end of the turn of a message that is on record, and prints it; resolves to the exit
 * code.
 */
export async function followTurn(
  turn: TerminalTurn,
  watch: MessageWatch,
  parts: DriveParts,
): Promise<number> {
  parts.print(lines.started(turn.receipt));
  parts.print(lines.init(turn.sessionId, null));
  parts.print(lines.echo(turn.receipt));
  let said = false;
  let quietSince: number | null = null;
  let dialogSince: number | null = null;
  for (;;) {
    const seen = await look(turn, watch, parts);
    const idle = seen.status !== "busy" && seen.status !== "waiting";
    quietSince = idle ? (quietSince ?? parts.now()) : null;
    dialogSince =
      seen.status === "waiting" && seen.people === 0 ? (dialogSince ?? parts.now()) : null;
    if (seen.message.replied && !said) parts.print(lines.reply());
    said ||= seen.message.replied;
    const end = endOf(seen, quietSince === null ? 0 : parts.now() - quietSince, turn, parts.now());
    if (end !== null) return say(end, turn, parts);
    if (dialogSince !== null && parts.now() - dialogSince >= dialogMs) {
      await parts.terminals.press(turn.name, "Escape");
      dialogSince = null;
    }
    await parts.sleep(lookEveryMs);
  }
}

async function look(turn: TerminalTurn, watch: MessageWatch, parts: DriveParts): Promise<Seen> {
  // In this order: an end that comes in between is seen with everything before it.
  const terminal = await parts.terminals.find(turn.name);
  const status = await parts.status();
  const events = await readEvents(turn.folder);
  const { message } = await watch.look();
  return {
    message,
    events,
    status,
    alive: terminal?.alive === true,
    people: terminal?.people ?? 0,
  };
}

/**
 * `clear`: the harness has taken the message back into its input line, and has to go so that
 * nothing of it is left there.
 */
type End = { readonly code: number; readonly lines: readonly string[]; readonly clear?: boolean };

/** The end of the turn as it is to be told; null while it goes on. */
function endOf(
  { message, events, alive, status }: Seen,
  quietMs: number,
  turn: TerminalTurn,
  now: number,
): End | null {
  const durationMs = message.askedAt === null ? 0 : Math.max(0, now - message.askedAt);
  const mine = events.filter((event) => belongs(event, message));
  const idle = status !== "busy" && status !== "waiting";
  const { apiError } = message;
  if (
    apiError !== null &&
    (!alive || mine.some(({ event }) => event === "stop-failure") || quietMs >= hookLateMs)
  ) {
    return {
      code: 1,
      lines: [
        ...(apiError.name === null ? [] : [lines.limit(apiError)]),
        lines.failed(turn.receipt, durationMs, apiError),
      ],
    };
  }
  if (
    (isStopped(message, events) && (idle || !alive)) ||
    (message.ended && (quietMs >= hookLateMs || !alive))
  ) {
    return {
      code: 0,
      lines: [
        lines.done(
          turn.receipt,
          durationMs,
          mine.filter(({ event }) => event === "permission"),
        ),
      ],
    };
  }
  // Nothing more comes: what the transcript has of it is for the evidence to judge.
  if (!alive || (message.interrupted && idle)) return { code: 1, lines: [] };
  return status === "idle" && quietMs >= hookLateMs ? { code: 1, lines: [], clear: true } : null;
}

async function say(
  { code, lines, clear = false }: End,
  turn: TerminalTurn,
  { print, terminals }: DriveParts,
): Promise<number> {
  for (const line of lines) print(line);
  if (clear) await terminals.stop(turn.name);
  return code;
}
