import { existsSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { maxOutputBytes, type TurnFiles } from "@loopwork/runtime";
import { linesOfFile } from "../files/follow-file.ts";
import { readPlainFileSync, tailOfPlainFile } from "../files/plain-file.ts";
import { remindersFile } from "./reminders.ts";
import { answerRequests, waitingRequests } from "./requests.ts";

/** The folders of turns on this machine's disk. */
export const turnFiles: TurnFiles = {
  exists: existsSync,
  makeFolder,
  lines: (file) => linesOfFile(file, maxOutputBytes),
  tail: (file) => tailOfPlainFile(file),
  answerRequests,
  waitingRequests,
  reminders: async (turnDir) => (await tailOfPlainFile(remindersFile(turnDir))).length,
  readNote,
  writeNote,
  removeNote: (file) => rmSync(file, { recursive: true, force: true }),
};

/** Bytes of the longest note that is read. */
const longestNote = 4_096;

function readNote(file: string): string | null {
  try {
    return readPlainFileSync(file, longestNote)?.toString("utf8") ?? null;
  } catch {
    return null; // Nothing was left there.
  }
}

function writeNote(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  rmSync(file, { recursive: true, force: true }); // A turn may have put a link or a pipe there.
  writeFileSync(file, text, { mode: 0o600, flag: "wx" });
}

/** A turn may have put a link there, which would lead everything of its next attempt elsewhere. */
function makeFolder(turnDir: string): void {
  const found = lstatSync(turnDir, { throwIfNoEntry: false });
  if (found !== undefined && !found.isDirectory()) {
    renameSync(turnDir, `${turnDir}.${crypto.randomUUID()}.aside`);
  }
  mkdirSync(turnDir, { recursive: true, mode: 0o700 });
}
