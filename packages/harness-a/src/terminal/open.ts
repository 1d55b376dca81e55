import { rm } from "node:fs/promises";
import path from "node:path";
import { findTranscripts } from "../transcript.ts";
import { eventsFile } from "./events.ts";
import { readEvents } from "./evidence.ts";
import { busyWords, untrustedWords } from "./lines.ts";
import { writtenOf } from "./message.ts";
import { type DriveParts, lastWords } from "./parts.ts";
import { createDialogWatch, readScreen, type Screen } from "./screen.ts";
import type { TerminalTurn } from "./driver-input.ts";

/**
 * Times in milliseconds: how often is looked, how long a start may take, and how long work of
 * somebody else is waited for.
 */
const lookEveryMs = 100;
const readyWithinMs = 60_000;
const elsewhereMs = 10_000;

/**
 * Lets the harness run in the conversation's terminal until it takes a message; null, or why it
 * does not.
 */
export async function openTerminal(turn: TerminalTurn, parts: DriveParts): Promise<string | null> {
  const found = await parts.terminals.find(turn.name);
  if (found !== null && !found.ours) return `${busyWords} a terminal of that name is not loop's`;
  if (found?.alive === true)
    return (await worksOnElse(parts))
      ? `${busyWords} it works on something else`
      : untilReady(turn, parts, false);
  const argv = await argvFor(turn);
  if (argv === null) return `No conversation found with session ID: ${turn.sessionId}`;
  await rm(path.join(turn.folder, eventsFile), { force: true });
  await parts.terminals.open({
    name: turn.name,
    title: turn.title,
    argv,
    cwd: turn.workdir,
    env: parts.env,
  });
  return untilReady(turn, parts, true);
}

/**
 * A message under another receipt that nobody sent goes with the harness in whose input line it
 * stands, and the conversation is resumed without it. Its attempt is over: one that is under way
 * would hold the session. Null, or why no message is taken.
 */
export async function clearLeftover(turn: TerminalTurn, parts: DriveParts): Promise<string | null> {
  const terminal = await parts.terminals.find(turn.name);
  if (terminal === null || !terminal.alive || terminal.people > 0) return null; // Who writes next looks again, and says so.
  const screen = readScreen(await parts.terminals.screen(turn.name));
  if (screen.kind !== "input" || writtenOf(screen.text, turn.receipt, turn.prompt) !== "left")
    return null;
  await parts.terminals.stop(turn.name);
  return openTerminal(turn, parts);
}

/**
 * What a person began goes on when they leave; a turn that came now would be queued behind it. True
 * while that is so.
 */
async function worksOnElse(parts: DriveParts): Promise<boolean> {
  const until = parts.now() + elsewhereMs;
  while ((await parts.status()) === "busy") {
    if (parts.now() >= until) return true;
    await parts.sleep(lookEveryMs);
  }
  return false;
}

/**
 * A conversation that has a record is resumed, whatever was asked for: the harness refuses to start
 * it a second time.
 */
async function argvFor(turn: TerminalTurn): Promise<TerminalTurn["argv"] | null> {
  const exists = (await findTranscripts(turn.configDir, turn.sessionId)).length > 0;
  if (!exists && turn.mode === "resume") return null;
  const [program, ...args] = turn.argv;
  return [
    program,
    ...args.map((arg, at) =>
      exists && arg === "--session-id" && args[at + 1] === turn.sessionId ? "--resume" : arg,
    ),
  ];
}

/**
 * Ready is a harness that says so by its hook, where it was just started, and shows its input line.
 */
async function untilReady(
  turn: TerminalTurn,
  parts: DriveParts,
  started: boolean,
): Promise<string | null> {
  const until = parts.now() + readyWithinMs;
  const isDialog = createDialogWatch(parts.now);
  for (;;) {
    const terminal = await parts.terminals.find(turn.name);
    if (terminal === null) return `${busyWords} its terminal is gone`;
    if (!terminal.alive) return lastWords(terminal, parts.terminals);
    const screen = readScreen(await parts.terminals.screen(turn.name));
    const said =
      !started || (await readEvents(turn.folder)).some(({ event }) => event === "session-start");
    if (said && screen.kind === "input") return null;
    const stays = isDialog(screen);
    if (screen.kind === "trust" || (said && stays) || parts.now() >= until)
      return giveUp(screen, turn, parts);
    await parts.sleep(lookEveryMs);
  }
}

/**
 * The question about trust is answered elsewhere, so the harness is ended; any other dialog is left
 * for people to see.
 */
async function giveUp(screen: Screen, turn: TerminalTurn, parts: DriveParts): Promise<string> {
  if (screen.kind !== "trust")
    return `${busyWords} ${screen.kind === "other" && screen.words !== "" ? `it shows "${screen.words}"` : "it did not get ready"}`;
  await parts.terminals.stop(turn.name);
  return untrustedWords;
}
