import { existsSync, mkdirSync } from "node:fs";
import { followLines } from "../follow-file.ts";
import { tailOf } from "./output-window.ts";
import { answerRequests, type TurnAnswer, type TurnRequestBody, waitingRequests } from "./requests.ts";

/** What the runtime looks at on disk around an attempt. A port, so that a simulation needs no disk. */
export type TurnFiles = {
  exists(path: string): boolean;
  /** Makes the folder of a turn, readable by its owner alone. */
  makeFolder(turnDir: string): void;
  /** Complete lines of a file that nobody writes any more; the last one also without its line end. */
  lines(file: string): AsyncIterable<string>;
  /** The end of a file as text; empty when it does not exist. */
  tail(file: string): string;
  /** Carries out what processes inside of the turn ask for, each once; resolves to how many were answered. */
  answerRequests(turnDir: string, carryOut: (request: TurnRequestBody, name: string) => Promise<TurnAnswer>): Promise<number>;
  /** Names of those that nobody has answered yet. */
  waitingRequests(turnDir: string): Promise<readonly string[]>;
};

export const turnFiles: TurnFiles = {
  exists: existsSync,
  makeFolder: (turnDir) => void mkdirSync(turnDir, { recursive: true, mode: 0o700 }),
  lines: (file) => followLines(file, () => true),
  tail: (file) => tailOf(file),
  answerRequests,
  waitingRequests,
};
