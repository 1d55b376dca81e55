/**
 * Commands that need no approval inside of the working directory; the second set only with
 * acceptEdits.
 */
const harmless = new Set([
  "echo",
  "printf",
  "ls",
  "pwd",
  "cat",
  "head",
  "tail",
  "wc",
  "sleep",
  "true",
  "false",
  "test",
  "[",
]);
const edits = new Set(["touch", "mkdir", "rm", "rmdir", "mv", "cp", "sed"]);
const freeTools = new Set(["Glob", "Grep", "ToolSearch", "Skill", "Task"]);
const editTools = new Set(["Edit", "Write", "NotebookEdit"]);

/** Whether a tool call runs. Nobody answers prompts in print mode, so what would ask is denied. */
export function isAllowed({ tool, input, mode, allowed, folders }) {
  if (mode === "bypassPermissions") return true;
  if (freeTools.has(tool) || allowed.includes(tool)) return true;
  if (tool === "Read") return isInside(String(input.file_path ?? ""), folders);
  if (editTools.has(tool))
    return mode === "acceptEdits" && isInside(String(input.file_path ?? ""), folders);
  if (tool !== "Bash") return false;
  const command = String(input.command ?? "");
  if (command.includes("$(") || command.includes("`")) return false;
  return splitCommands(command).every((part) => isAllowedCommand(part, { mode, allowed, folders }));
}

function isAllowedCommand(command, { mode, allowed, folders }) {
  const words = command.trim().split(/\s+/);
  for (const [at, word] of words.entries()) {
    if (
      /^\d?>>?/.test(word) &&
      !isInside(word.replace(/^\d?>>?/, "") || words[at + 1] || "", folders)
    )
      return false;
  }
  if (allowed.some((pattern) => matches(pattern, command.trim()))) return true;
  const free = harmless.has(words[0]) || (mode === "acceptEdits" && edits.has(words[0]));
  return free && words.slice(1).every((word) => word.startsWith("-") || isInside(word, folders));
}

/**
 * `Bash(git)` is the command alone, `Bash(git *)` and `Bash(git:*)` the command with anything
 * behind it.
 */
function matches(pattern, command) {
  if (!pattern.startsWith("Bash(") || !pattern.endsWith(")")) return false;
  const text = pattern.slice(5, -1);
  const prefix = text.endsWith(":*")
    ? text.slice(0, -2)
    : text.endsWith(" *")
      ? text.slice(0, -2)
      : null;
  return prefix === null
    ? command === text
    : command === prefix || command.startsWith(`${prefix} `);
}

/** `folders` are the working directory and those of `--add-dir`. */
function isInside(word, folders) {
  const text = word.replace(/^['"]|['"]$/g, "");
  return (
    !text.startsWith("..") &&
    !text.startsWith("~") &&
    (!text.startsWith("/") ||
      text === "/dev/null" ||
      folders.some((folder) => text === folder || text.startsWith(`${folder}/`)))
  );
}

/** Splits at `;`, `&&`, `||`, `|` and line ends outside of quotes. */
function splitCommands(command) {
  const parts = [""];
  let quote = null;
  for (const char of command) {
    if (quote !== null) quote = char === quote ? null : quote;
    else if (char === "'" || char === '"') quote = char;
    if (quote === null && ";&|\n".includes(char)) parts.push("");
    else parts[parts.length - 1] += char;
  }
  return parts.filter((part) => part.trim() !== "");
}
