/**
 * The real flags, and nothing else: a typing error must fail here as it would fail there. `value`:
 * takes one; `list`: takes all that follow up to the next flag; `optional`: takes one unless a flag
 * follows.
 */
const flags = {
  "--print": "none",
  "--verbose": "none",
  "--replay-user-messages": "none",
  "--include-hook-events": "none",
  "--include-partial-messages": "none",
  "--strict-mcp-config": "none",
  "--dangerously-skip-permissions": "none",
  "--allow-dangerously-skip-permissions": "none",
  "--continue": "none",
  "--fork-session": "none",
  "--restricted": "none",
  "--safe-mode": "none",
  "--bare": "none",
  "--disable-slash-commands": "none",
  "--no-session-persistence": "none",
  "--version": "none",
  "--help": "none",
  "--input-format": "value",
  "--output-format": "value",
  "--session-id": "value",
  "--setting-sources": "value",
  "--settings": "value",
  "--permission-mode": "value",
  "--permission-prompts": "value",
  "--plugin-dir": "value",
  "--append-system-prompt": "value",
  "--system-prompt": "value",
  "--system-prompt-snapshot": "value",
  "--model": "value",
  "--fallback-model": "value",
  "--effort": "value",
  "--name": "value",
  "--agent": "value",
  "--max-budget-usd": "value",
  "--json-schema": "value",
  "--resume": "optional",
  "--debug": "optional",
  "--allowedTools": "list",
  "--disallowedTools": "list",
  "--tools": "list",
  "--add-dir": "list",
  "--mcp-config": "list",
  "--betas": "list",
};
const short = {
  "-p": "--print",
  "-c": "--continue",
  "-r": "--resume",
  "-v": "--version",
  "-h": "--help",
  "-n": "--name",
  "-d": "--debug",
  "--allowed-tools": "--allowedTools",
  "--disallowed-tools": "--disallowedTools",
};
const choices = {
  "--input-format": ["text", "stream-json"],
  "--output-format": ["text", "json", "stream-json"],
  "--permission-mode": ["acceptEdits", "auto", "bypassPermissions", "manual", "dontAsk", "plan"],
  "--permission-prompts": ["host", "none"],
};

/** Parses argv to `{options, prompt}`, or to `{error}` with the real program's words. */
export function parseArgs(argv) {
  const options = { "--plugin-dir": [] };
  const words = [];
  const rest = [...argv];
  while (rest.length > 0) {
    const raw = rest.shift();
    if (raw === "--") {
      words.push(...rest.splice(0));
      break;
    }
    if (!raw.startsWith("-") || raw === "-") {
      words.push(raw);
      continue;
    }
    const [head, ...tail] = raw.startsWith("--") ? raw.split("=") : [raw];
    const name = short[head] ?? head;
    if (!(name in flags)) return { error: `error: unknown option '${raw}'` };
    const inline = tail.length > 0 ? [tail.join("=")] : [];
    const problem = take(options, name, { inline, rest });
    if (problem) return { error: problem };
  }
  return { options, prompt: words.length > 0 ? words.join(" ") : null };
}

function take(options, name, { inline, rest }) {
  const kind = flags[name];
  if (kind === "none") options[name] = true;
  else if (kind === "list") {
    const values = [...inline];
    while (rest.length > 0 && !rest[0].startsWith("-")) values.push(rest.shift());
    options[name] = [...(options[name] ?? []), ...values];
  } else {
    const value = inline[0] ?? (rest.length > 0 && !rest[0].startsWith("-") ? rest.shift() : null);
    if (value === null && kind === "value") return `error: option '${name}' argument missing`;
    if (choices[name] && !choices[name].includes(value))
      return `error: option '${name}' argument '${value}' is invalid. Allowed choices are ${choices[name].join(", ")}.`;
    if (name === "--plugin-dir") options[name].push(value);
    else options[name] = value ?? true;
  }
  return null;
}
