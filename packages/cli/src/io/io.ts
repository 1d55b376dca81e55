import type { ProcessAbove } from "../processes/process-identity.ts";

/**
 * The world outside of the program: terminal, environment, files of the user. Tests hand in their
 * own.
 */
export type Io = {
  readonly version: string;
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly color: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** A person sits at the terminal and can answer questions. */
  readonly interactive: boolean;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly readStdin: () => Promise<string>;
  /** Asks one question on the terminal; resolves to the answer without blanks at its ends. */
  readonly ask: (question: string) => Promise<string>;
  /** The processes above this one, unless something stands in for them. */
  readonly above?: () => readonly ProcessAbove[];
};
