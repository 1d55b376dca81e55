import type { Terminal, Terminals } from "@loopwork/core/ports";

/** What driving a terminal needs of the world. */
export type DriveParts = {
  readonly terminals: Terminals;
  /** Environment of the harness. */
  readonly env: Readonly<Record<string, string>>;
  readonly now: () => number;
  /**
   * Resolves after that many milliseconds, or rejects with `Stopped` when the attempt was told to
   * end.
   */
  readonly sleep: (ms: number) => Promise<void>;
  /** One line of output; it is on disk when the call returns. */
  readonly print: (line: string) => void;
  /**
   * What the harness's own register says of the conversation: idle, busy, waiting; null when it
   * says nothing.
   */
  readonly status: () => Promise<string | null>;
};

/** The attempt was told to end. */
export class Stopped extends Error {}

/** What a terminal whose program has ended says of it. */
export async function lastWords(terminal: Terminal, terminals: Terminals): Promise<string> {
  const words = (await terminals.screen(terminal.name))
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("Pane is dead"))
    .join(" ")
    .slice(-500);
  return `The harness ended with code ${terminal.exitCode ?? "unknown"} in its terminal. ${words}`;
}
