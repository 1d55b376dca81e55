/**
 * Set by the terminal itself; what the service's own terminal had for them would be wrong inside.
 */
const ofTheTerminal: ReadonlySet<string> = new Set([
  "TERM",
  "TERM_PROGRAM",
  "TERM_PROGRAM_VERSION",
  "TMUX",
  "TMUX_PANE",
  "COLUMNS",
  "LINES",
  "PWD",
  "OLDPWD",
  "SHLVL",
  "_",
]);

/**
 * The shell script that becomes the program: it removes itself, sets the environment, and is
 * replaced by the program. The values stand in a file that only its owner reads and that is gone at
 * once, never among arguments, which every user of the machine may list. A name that no shell can
 * export (such as those of exported functions) is left out. Where the folder is gone nothing is
 * started: the terminal would begin in another one.
 */
export function launchScript(
  argv: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  cwd: string,
): string {
  const exports = Object.entries(env).filter(
    ([name, value]) => isShellName(name) && !ofTheTerminal.has(name) && !value.includes("\0"),
  );
  return [
    "#!/bin/sh",
    'rm -f -- "$0"',
    `cd ${quoted(cwd)} || exit 1`,
    "unset HOME LANG LC_ALL",
    ...exports.map(([name, value]) => `export ${name}=${quoted(value)}`),
    `exec ${argv.map(quoted).join(" ")}`,
    "",
  ].join("\n");
}

/** One word of a shell, whatever it holds. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function isShellName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}
