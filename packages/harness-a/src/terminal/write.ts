import { busyWords, lines } from "./lines.ts";
import { leadOf, type Written, writtenOf } from "./message.ts";
import { type DriveParts, lastWords } from "./parts.ts";
import { createDialogWatch, readScreen } from "./screen.ts";
import type { TerminalTurn } from "./driver-input.ts";
import type { MessageWatch } from "./watch.ts";

/** Times in milliseconds. */
const lookEveryMs = 100;
const appearsWithinMs = 20_000;
const recordedWithinMs = 60_000;
/**
 * A key that was lost leaves the message in the input line this long; then it is pressed once more.
 */
const lostAfterMs = 2_000;

/**
 * Puts the message into the input line and sends it: our own words, then the message as a paste,
 * then one key. After each step the screen must show it before the next one. Null once the harness
 * has it on record; else why nothing was sent, or "" when the key was pressed and no record came.
 */
export async function writeMessage(
  turn: TerminalTurn,
  watch: MessageWatch,
  parts: DriveParts,
): Promise<string | null> {
  for (;;) {
    const seen = await look(turn, parts);
    if (typeof seen !== "object") return seen;
    switch (seen.written) {
      case "left":
        return `${busyWords} an older message of loop stands in its input line`;
      case "foreign":
        return `${busyWords} somebody's text stands in its input line`;
      case "whole":
        return send(turn, watch, parts);
      case "nothing":
        await parts.terminals.paste(turn.name, leadOf(turn.receipt));
        break;
      case "lead":
        await parts.terminals.paste(turn.name, turn.prompt);
    }
    const stuck = await untilChanged(seen.written, turn, parts);
    if (stuck !== null) return stuck;
  }
}

/** What stands in the input line, once it is shown; a text when nothing may be typed now. */
async function look(
  turn: TerminalTurn,
  parts: DriveParts,
): Promise<{ readonly written: Written } | string> {
  const until = parts.now() + appearsWithinMs;
  const isDialog = createDialogWatch(parts.now);
  for (;;) {
    const terminal = await parts.terminals.find(turn.name);
    if (terminal === null) return `${busyWords} its terminal is gone`;
    if (!terminal.alive) return lastWords(terminal, parts.terminals);
    if (terminal.people > 0) return `${busyWords} somebody is attached to it`;
    const screen = readScreen(await parts.terminals.screen(turn.name));
    if (screen.kind === "input")
      return { written: writtenOf(screen.text, turn.receipt, turn.prompt) };
    if (isDialog(screen) || screen.kind === "trust" || parts.now() >= until)
      return `${busyWords} it shows "${screen.kind === "other" ? screen.words : screen.kind}"`;
    await parts.sleep(lookEveryMs);
  }
}

/** A paste is shown a moment later, and a long one in pieces. */
async function untilChanged(
  before: Written,
  turn: TerminalTurn,
  parts: DriveParts,
): Promise<string | null> {
  const until = parts.now() + appearsWithinMs;
  for (;;) {
    await parts.sleep(lookEveryMs);
    const seen = await look(turn, parts);
    if (typeof seen === "string") return seen;
    if (seen.written !== before && (seen.written !== "foreign" || parts.now() >= until))
      return null;
    if (parts.now() >= until) return `${busyWords} a paste does not show in its input line`;
  }
}

/**
 * That the key is about to be pressed is on record before it is: from then on only the transcript
 * tells what became of it.
 */
async function send(
  turn: TerminalTurn,
  watch: MessageWatch,
  parts: DriveParts,
): Promise<string | null> {
  parts.print(lines.pressed(turn.receipt));
  await parts.terminals.press(turn.name, "Enter");
  const pressedAt = parts.now();
  let again = false;
  while (parts.now() < pressedAt + recordedWithinMs) {
    if ((await watch.look()).message.asked) return null;
    if (!again && parts.now() >= pressedAt + lostAfterMs) {
      again = true;
      const seen = await look(turn, parts);
      if (typeof seen === "object" && seen.written === "whole")
        await parts.terminals.press(turn.name, "Enter");
    }
    await parts.sleep(lookEveryMs);
  }
  return "";
}
