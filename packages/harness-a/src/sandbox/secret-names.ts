import { redactedShape } from "@loopwork/core";

/** Parts of names under which people keep secrets in variables. */
const parts: readonly string[] = [
  "TOKEN",
  "SECRET",
  "PASSWORD",
  "PASSWD",
  "PASSPHRASE",
  "CREDENTIAL",
  "API_KEY",
  "APIKEY",
  "ACCESS_KEY",
  "PRIVATE_KEY",
  "ACCOUNT_KEY",
  "CONNECTION_STRING",
  "AUTH",
  "COOKIE",
  "DATABASE_URL",
  "WEBHOOK_URL",
];
const endings: readonly string[] = ["_PAT", "_KEY", "_PWD", "_DSN", "_PASS", "SSHPASS"];

/** What secrets look like that logs may show: passwords without a shape, and rarer tokens. */
const shapes: readonly RegExp[] = [
  /:\/\/[^\s/?#@:]{20,}@/,
  /(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|sqlserver):\/\/[^\s@]*:[^\s@]+@/,
  /^[^\s/@:]+:[^\s@]+@(?:tcp|unix)?\(/,
  /(?:^|[;&?\s])(?:password|passwd|pwd|pass|sig|secret|token|accountkey|sharedaccesskey|api_?key|access_token)\s?=\s?[^;&\s]/i,
  /\b(?:gl[a-z]{1,6}-|npm_|hf_|dop_v1_|shpat_|dckr_pat_|pypi-|hvs\.|AIza|[rs]k_(?:live|test)_)[A-Za-z0-9_-]{16,}/,
  /\bAGE-SECRET-KEY-1[A-Z0-9]{20,}/,
];

/** Without these no command runs at all. */
const needed: ReadonlySet<string> = new Set(["PATH", "HOME", "PWD", "SHELL", "TMPDIR"]);

/**
 * Variables that a command in the sandbox does not get, by their names or by what is in them: the
 * harness keeps them for itself. `passEnv` names what commands need. Git fails where one of the
 * settings is missing that it is told the number of, so that goes as well.
 */
export function secretNames(
  env: Readonly<Record<string, string>>,
  passEnv: readonly string[],
): readonly string[] {
  const names = Object.entries(env)
    .filter(
      ([name, value]) =>
        !passEnv.includes(name) &&
        !needed.has(name) &&
        isVariable(name) &&
        (looksSecret(name.toUpperCase()) || holdsSecret(value)),
    )
    .map(([name]) => name);
  const isCounted = names.some((name) => /^GIT_CONFIG_(?:KEY|VALUE)_\d+$/.test(name));
  return [...names, ...(isCounted ? ["GIT_CONFIG_COUNT"] : [])].toSorted();
}

const looksSecret = (name: string): boolean =>
  parts.some((part) => name.includes(part)) || endings.some((ending) => name.endsWith(ending));

const holdsSecret = (value: string): boolean =>
  redactedShape(value) || shapes.some((shape) => shape.test(value));

/** A settings file that names anything else is refused by the harness. */
const isVariable = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]{0,199}$/.test(name);
