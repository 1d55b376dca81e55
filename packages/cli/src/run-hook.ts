import type { Call } from "./io/call.ts";
import { commandTable } from "./commands/table.ts";
import { tellError } from "./output/print-result.ts";
import { runCommand } from "./run-command.ts";
import type { Io } from "./io/io.ts";

/**
 * Runs what hooks run, at every turn and beside every tool, without the parser of command lines,
 * which takes longer to load than most of them take: exactly `loop hook <event>`, `loop check` and
 * `loop check --json`. Null for every other command line.
 */
export async function runHook(argv: readonly string[], io: Io): Promise<number | null> {
  const [name, ...rest] = argv;
  const call = name === "hook" ? hookCall(rest) : name === "check" ? checkCall(rest) : null;
  const row = commandTable.find((each) => each.name === name);
  if (call === null || row === undefined) return null;
  try {
    return await runCommand(row, call, io);
  } catch (error) {
    return tellError(error, call.options["json"] === true, io);
  }
}

function hookCall(words: readonly string[]): Call | null {
  return words.length === 1 && /^[a-z]/.test(words[0] ?? "") ? { args: words, options: {} } : null;
}

function checkCall(words: readonly string[]): Call | null {
  if (words.length === 0) return { args: [], options: {} };
  return words.length === 1 && words[0] === "--json" ? { args: [], options: { json: true } } : null;
}
