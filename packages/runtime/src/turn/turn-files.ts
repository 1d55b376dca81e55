import type { TurnAnswer, TurnRequestBody } from "./requests.ts";

/**
 * What the runtime looks at on disk around an attempt. A port, so that a simulation needs no disk.
 */
export type TurnFiles = {
  exists(path: string): boolean;
  /** Makes the folder of a turn, readable by its owner alone. */
  makeFolder(turnDir: string): void;
  /**
   * Complete lines of a file that nobody writes any more; the last one also without its line end.
   */
  lines(file: string): AsyncIterable<string>;
  /** The end of a file as text; empty when it does not exist. */
  tail(file: string): Promise<string>;
  /**
   * Carries out what processes inside of the turn ask for, each once; resolves to how many were
   * answered.
   */
  answerRequests(
    turnDir: string,
    carryOut: (request: TurnRequestBody, name: string) => Promise<TurnAnswer>,
    /** Told of each that can't be carried out or answered; the others are all the same. */
    failed?: (name: string, error: unknown) => void,
  ): Promise<number>;
  /** How often the stop hook of the harness has reminded in the turn, which it notes there. */
  reminders(turnDir: string): Promise<number>;
  /** Names of those that nobody has answered yet. */
  waitingRequests(turnDir: string): Promise<readonly string[]>;
  /** A short note of ours beside the folders of turns; null where there is none. */
  readNote(file: string): string | null;
  writeNote(file: string, text: string): void;
  removeNote(file: string): void;
};

/** Bytes that one stream of a child may have; one that writes more is stopped. */
export const maxOutputBytes: number = 256 * 1024 * 1024;
