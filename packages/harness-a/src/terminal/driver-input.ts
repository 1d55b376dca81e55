import { type PromptText, promptText } from "@loopwork/core/ports";
import { listOf, objectOf, parseObject, textOf } from "../fields.ts";

/** One attempt as the driver of a terminal is told of it: one JSON object on its standard input. */
export type TerminalTurn = {
  readonly receipt: string;
  readonly mode: "start" | "resume";
  readonly sessionId: string;
  readonly prompt: PromptText;
  readonly workdir: string;
  /** Number of the turn, for the agent's commands. */
  readonly turn: string;
  readonly turnDir: string;
  /** Folder of the conversation: its events, and which turn it works for. */
  readonly folder: string;
  readonly configDir: string;
  /** Name of the terminal, and what people see of it. */
  readonly name: string;
  readonly title: string;
  /** Starts the harness in the mode. */
  readonly argv: readonly [string, ...string[]];
};

/** Reads it; null when it is none. */
export function parseTerminalTurn(json: string): TerminalTurn | null {
  const fields = parseObject(json);
  const texts = objectOf(fields?.["terminal"]);
  const [program, ...args] = listOf(texts?.["argv"]).flatMap((arg) => textOf(arg) ?? []);
  const mode = texts?.["mode"];
  if (texts === null || program === undefined || (mode !== "start" && mode !== "resume"))
    return null;
  const text = (name: string): string => textOf(texts[name]) ?? "";
  const turn: TerminalTurn = {
    receipt: text("receipt"),
    mode,
    sessionId: text("sessionId"),
    prompt: promptText(text("prompt")),
    workdir: text("workdir"),
    turn: text("turn"),
    turnDir: text("turnDir"),
    folder: text("folder"),
    configDir: text("configDir"),
    name: text("name"),
    title: text("title"),
    argv: [program, ...args],
  };
  return Object.values(turn).every((value) => value !== "") ? turn : null;
}

export function formatTerminalTurn(turn: TerminalTurn): string {
  return `${JSON.stringify({ terminal: turn })}\n`;
}
