/**
 * Terminals of our own in which programs go on between turns, and to which people attach. They
 * outlive the daemon. A terminal that somebody else made is never typed into and never ended,
 * whatever its name.
 */
export interface Terminals {
  /** The terminal of that name; null when there is none. */
  find(name: string): Promise<Terminal | null>;
  /**
   * Starts the program in a new terminal, or in one of ours whose program has ended. Rejects with
   * `LOOP_E_TERMINAL`.
   */
  open(plan: TerminalPlan): Promise<Terminal>;
  /** What the terminal shows now, a line each, with its escape sequences. */
  screen(name: string): Promise<readonly string[]>;
  /**
   * Lets the text appear as pasted, not typed, where the program asked for the difference; sends no
   * key.
   */
  paste(name: string, text: string): Promise<void>;
  press(name: string, key: "Enter" | "Escape"): Promise<void>;
  /**
   * Ends program and terminal: TERM, `graceMs` milliseconds, KILL. False when there is none of
   * ours.
   */
  end(name: string, graceMs?: number): Promise<boolean>;
  /** Ends the program and keeps the terminal, for `open` to use again. */
  stop(name: string, graceMs?: number): Promise<void>;
  /** Program and arguments that put a person in front of it. */
  attachCommand(name: string, readOnly: boolean): readonly [string, ...string[]];
}

export type Terminal = {
  readonly name: string;
  /** Made by us; all else here is only known of those. */
  readonly ours: boolean;
  /** Process of the program, which leads its own process group. */
  readonly pid: number;
  readonly alive: boolean;
  /** Exit code of a program that has ended; null for a signal. */
  readonly exitCode: number | null;
  /** People who are attached and may type. */
  readonly people: number;
};

export type TerminalPlan = {
  /** Letters, digits and dashes, at most 100. */
  readonly name: string;
  /** What people see in the status line. */
  readonly title: string;
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment; values never appear in a list of processes. */
  readonly env: Readonly<Record<string, string>>;
};
