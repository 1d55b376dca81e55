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
const endings: readonly string[] = ["_PAT", "_KEY", "_PWD", "_DSN", "_PASS"];

/**
 * Variables that a command in the sandbox does not get, by their names: the harness keeps them for
 * itself. `passEnv` names what commands need.
 */
export function secretNames(
  env: Readonly<Record<string, string>>,
  passEnv: readonly string[],
): readonly string[] {
  return Object.keys(env)
    .filter(
      (name) => !passEnv.includes(name) && isVariable(name) && looksSecret(name.toUpperCase()),
    )
    .toSorted();
}

const looksSecret = (name: string): boolean =>
  parts.some((part) => name.includes(part)) || endings.some((ending) => name.endsWith(ending));

/** A settings file that names anything else is refused by the harness. */
const isVariable = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]{0,199}$/.test(name);
