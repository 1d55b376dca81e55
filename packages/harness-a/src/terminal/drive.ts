import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { type CurrentTurn, turnFile } from "./events.ts";
import { followTurn } from "./follow.ts";
import { lines } from "./lines.ts";
import { clearLeftover, openTerminal } from "./open.ts";
import { type DriveParts, Stopped } from "./parts.ts";
import type { TerminalTurn } from "./driver-input.ts";
import { watchMessage } from "./watch.ts";
import { writeMessage } from "./write.ts";

/**
 * One attempt of a turn in a terminal, from the message to the end of its turn; resolves to an exit
 * code. What it prints is what the harness would print without a terminal (lines.ts), so that the
 * runtime judges both alike.
 *
 *     looking ──on record──────────────────────────────┐
 *        └─▶ opening ─▶ ready ─▶ writing ─▶ pressed ─▶ working ──end of turn──▶ done
 *               │  ▲      │         │          └──no record──▶ nothing said: a person decides
 *               │  └──a message of ours that was never sent
 *               └─────────┴─────────┴──dialog, text, a person──▶ refused: nothing was sent
 *     any ──told to end──▶ the harness is ended, its conversation stays
 *
 * It may begin anywhere: an attempt whose driver died is taken up by the next driver where it
 * stands, because the message is known by its receipt in the input line and in the transcript. So
 * no message is ever typed twice.
 */
export async function driveTurn(turn: TerminalTurn, parts: DriveParts): Promise<number> {
  try {
    await rememberTurn(turn);
    return await attempt(turn, parts);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    await parts.terminals.stop(turn.name);
    return 143;
  } finally {
    await rm(path.join(turn.folder, turnFile), { force: true });
  }
}

async function attempt(turn: TerminalTurn, parts: DriveParts): Promise<number> {
  const watch = watchMessage(turn.configDir, turn.sessionId, turn.receipt);
  if (!(await watch.look()).message.asked) {
    const refused =
      (await openTerminal(turn, parts)) ??
      (await clearLeftover(turn, parts)) ??
      (await writeMessage(turn, watch, parts));
    if (refused === "") return 0; // Sent, as far as the driver can tell, and nothing is known: no refusal, which would send it again.
    if (refused !== null) {
      parts.print(lines.refused(refused));
      return 1;
    }
  }
  return followTurn(turn, watch, parts);
}

/** From now on hooks and commands inside of the terminal work for this turn. */
async function rememberTurn(turn: TerminalTurn): Promise<void> {
  const current: CurrentTurn = { turn: turn.turn, turnDir: turn.turnDir, receipt: turn.receipt };
  const file = path.join(turn.folder, turnFile);
  await mkdir(turn.folder, { recursive: true, mode: 0o700 });
  // Only where nothing is: what a session put there would be written through.
  const next = `${file}.${randomUUID()}.tmp`;
  await writeFile(next, JSON.stringify(current), { mode: 0o600, flag: "wx" });
  await rename(next, file);
}
