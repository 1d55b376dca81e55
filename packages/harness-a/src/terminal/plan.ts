import path from "node:path";
import type { Terminals, TurnPlan, TurnRequest } from "@loopwork/core/ports";
import { type CommandOptions, planTurn } from "../command.ts";
import { terminalVariable } from "./events.ts";
import { formatTerminalTurn, type TerminalTurn } from "./driver-input.ts";

/** What turns in terminals need beside the options of the adapter. */
export type TerminalOptions = {
  readonly terminals: Terminals;
  /** Absolute folder with one folder a conversation. */
  readonly folder: string;
  /**
   * Program and arguments of the driver (`driveTurn`), which takes one attempt on its standard
   * input.
   */
  readonly driver: readonly [string, ...string[]];
  /** Turns run there; false where only attempts of earlier times are looked for. */
  readonly runsTurns: boolean;
};

/** Name of a conversation's terminal. Its id is its own, so no two conversations share one. */
export function terminalName(sessionId: string): string {
  return `loop-${sessionId.toLowerCase()}`;
}

/** Folder of a conversation in a terminal. */
export function terminalFolder(folder: string, sessionId: string): string {
  return path.join(folder, sessionId.toLowerCase());
}

/**
 * The attempt as a child that drives the terminal: to the runtime it looks like the harness itself,
 * which is what lets deadlines, stops, adoption after a crash and judging be the same for both
 * runners (ADR 0019).
 */
export function planTerminalTurn(
  request: TurnRequest,
  options: CommandOptions,
  terminal: TerminalOptions,
  configDir: string,
): TurnPlan {
  const headless = planTurn(request, options);
  const folder = terminalFolder(terminal.folder, request.sessionId);
  const turn: TerminalTurn = {
    receipt: request.receipt,
    mode: request.mode,
    sessionId: request.sessionId.toLowerCase(),
    prompt: request.prompt,
    workdir: request.workdir,
    turn: request.env["LOOP_TURN"] ?? path.basename(request.turnDir),
    turnDir: request.turnDir,
    folder,
    configDir,
    name: terminalName(request.sessionId),
    title: request.env["LOOP_WORK_ITEM"] ?? "loop",
    argv: interactive(headless.argv),
  };
  return {
    argv: terminal.driver,
    env: environment(headless.env, folder),
    stdin: formatTerminalTurn(turn),
    closeInput: "after-result",
  };
}

/** What only makes sense without a terminal, with how many words each takes. */
const headlessFlags: ReadonlyMap<string, number> = new Map([
  ["-p", 1],
  ["--input-format", 2],
  ["--output-format", 2],
  ["--verbose", 1],
  ["--replay-user-messages", 1],
  ["--permission-prompts", 2],
]);

/** Tools that ask whoever sits at the terminal. Nobody does: questions go through `loop ask`. */
const askingTools: readonly string[] = ["AskUserQuestion", "EnterPlanMode", "ExitPlanMode"];

/**
 * The headless command line as one for a terminal; what the operator added stays as it is, at the
 * end.
 */
function interactive([program, ...args]: TurnPlan["argv"]): TurnPlan["argv"] {
  const kept: string[] = [];
  for (let at = 0; at < args.length;) {
    const words = headlessFlags.get(args[at] ?? "") ?? 0;
    if (words === 0) kept.push(args[at] ?? "");
    at += Math.max(1, words);
  }
  const pluginAt = kept.indexOf("--plugin-dir");
  return [
    program,
    ...kept.slice(0, pluginAt),
    "--disallowedTools",
    ...askingTools,
    ...kept.slice(pluginAt),
  ];
}

/**
 * Whoever sits down at the terminal may mention files and set the effort; our prompts hold nothing
 * of the kind. The process outlives the turn, so it learns the turn from the conversation's folder; proposals
 * would stand in the input line.
 */
function environment(env: TurnPlan["env"], folder: string): Record<string, string> {
  const {
    LOOP_TURN: _turn,
    LOOP_TURN_DIR: _dir,
    LOOP_RECEIPT: _receipt,
    CLAUDE_CODE_DISABLE_FILE_MENTIONS: _mentions,
    CLAUDE_CODE_DISABLE_ULTRATHINK: _effort,
    ...rest
  } = env;
  return { ...rest, [terminalVariable]: folder, CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: "false" };
}
