import { existsSync } from "node:fs";
import path from "node:path";

/** Variables that name a file or folder with logins, wherever it is. */
const names: readonly string[] = [
  "AWS_CONFIG_FILE",
  "AWS_SHARED_CREDENTIALS_FILE",
  "AZURE_CONFIG_DIR",
  "CLOUDSDK_CONFIG",
  "DOCKER_CONFIG",
  "GNUPGHOME",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "KUBECONFIG",
  "MYSQL_TEST_LOGIN_FILE",
  "NETRC",
  "NPM_CONFIG_USERCONFIG",
  "PGPASSFILE",
  "PIP_CONFIG_FILE",
  "XDG_CONFIG_HOME",
  "npm_config_userconfig",
];

/**
 * The home is hidden as a whole; what variables name outside of it has to be hidden by itself.
 * `passEnv` names what commands need.
 */
export function namedLogins(
  env: Readonly<Record<string, string | undefined>>,
  passEnv: readonly string[],
): readonly string[] {
  const hidden = names.filter((name) => !passEnv.includes(name));
  const named = hidden.flatMap((name) => (env[name] ?? "").split(path.delimiter));
  // Its programs are needed.
  const cargo = env["CARGO_HOME"] ?? "";
  const files = cargo === "" ? [] : ["credentials.toml", "credentials"];
  const all = [...named, ...files.map((file) => path.join(cargo, file))];
  return all.filter((file) => path.isAbsolute(file) && file !== "/" && existsSync(file));
}

/** Where git and the host's command line keep theirs, if not in the home: pushing needs them. */
export function movedLogins(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const config = env["XDG_CONFIG_HOME"] ?? "";
  if (!path.isAbsolute(config)) return [];
  const needed = ["git/config", "git/ignore", "git/attributes", "gh"];
  return needed.map((name) => path.join(config, name)).filter((file) => existsSync(file));
}
