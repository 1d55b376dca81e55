import type { HarnessAOptions } from "./options.ts";

/**
 * Commands of ours that an agent needs inside of its turn; everything else of `loop` is not an
 * agent's business.
 */
const ownCommands: readonly string[] = [
  "loop comment",
  "loop ask",
  "loop check",
  "loop why",
  "loop sessions link-pr",
];

/**
 * Flags that decide which tools run. `guarded` accepts edits and runs the listed commands; whatever
 * would ask is denied, since nobody could answer. It guards against accidents and is no sandbox.
 */
export function permissionFlags(
  options: Pick<HarnessAOptions, "permissions" | "allowedTools" | "hostCommands">,
): readonly string[] {
  if (options.permissions === "bypass") return ["--dangerously-skip-permissions"];
  const allowed = ["git", ...options.hostCommands, ...ownCommands, ...options.allowedTools].flatMap(
    patternsOf,
  );
  return ["--permission-mode", "acceptEdits", "--allowedTools", ...new Set(allowed)];
}

/**
 * A command stands for itself alone and with any arguments; the harness's own patterns go through
 * as they are.
 */
export function patternsOf(entry: string): readonly string[] {
  const text = entry.trim();
  if (text === "") return [];
  return isToolPattern(text) ? [text] : [`Bash(${text})`, `Bash(${text} *)`];
}

/** Whether arguments already ask for bypass; only then is its disclaimer accepted. */
export function requestsBypass(options: Pick<HarnessAOptions, "permissions" | "args">): boolean {
  if (options.permissions === "bypass" || options.args.includes("--dangerously-skip-permissions"))
    return true;
  return options.args.some(
    (arg, at) =>
      arg === "--permission-mode=bypassPermissions" ||
      (arg === "--permission-mode" && options.args[at + 1] === "bypassPermissions"),
  );
}

/**
 * Tools of the harness begin with a capital letter, those of servers with `mcp__`; commands do
 * neither.
 */
function isToolPattern(text: string): boolean {
  return /^[A-Z][A-Za-z]*(\(|$)/.test(text) || text.startsWith("mcp__");
}
