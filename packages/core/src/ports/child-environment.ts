import { withAbsolutePath } from "./absolute-path.ts";

/** Variables as a process has them. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Which variables of ours a child may not see, and which names stay all the same (`passEnv`). */
export type Withheld = { readonly secretNames: readonly string[]; readonly passEnv: readonly string[] };

/**
 * The operator's environment as agents, hooks and git get it. Taken out, unless `passEnv` names it:
 *
 *     our secrets                by name, and every other variable that holds the same value
 *     `LOOP_*`                   settings and secrets of the service, and a turn around it; a child is told its own
 *     git, except for transport  where a repository is, who commits, what is configured: a git hook sets them for its own commands
 *     npm, systemd               what they tell the process that they started, and nobody below it
 */
export function operatorEnvironment(env: Variables, { secretNames, passEnv }: Withheld): Record<string, string> {
  const values = new Set(secretNames.map((name) => env[name] ?? "").filter((value) => value !== ""));
  const stays = (name: string, value: string): boolean => {
    if (passEnv.includes(name)) return true;
    if (secretNames.includes(name) || (values.has(value) && !isCommonVariable(name))) return false;
    return !isOfService(name) && !isOfStarter(name) && (!name.startsWith("GIT_") || isGitTransport(name));
  };
  return withAbsolutePath(Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value !== undefined && stays(name, value) ? [[name, value]] : []))));
}

/** Of an environment only what any program needs, and the names that are allowed. */
export function allowedEnvironment(env: Variables, isAllowed: (name: string) => boolean): Record<string, string> {
  return withAbsolutePath(Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value !== undefined && (isCommonVariable(name) || isAllowed(name)) ? [[name, value]] : []))));
}

/** Names of variables, other than `secretNames`, that hold the value of one of them. */
export function copiesOfSecrets(env: Variables, secretNames: readonly string[]): readonly { readonly name: string; readonly of: string }[] {
  const copies = (secret: string): readonly string[] => Object.keys(env).filter((name) => !secretNames.includes(name) && !isCommonVariable(name) && env[name] === env[secret]);
  return secretNames.filter((secret) => env[secret]).flatMap((of) => copies(of).map((name) => ({ name, of })));
}

/** Variables of git that say how a host is reached. All others say where a repository is, who commits, or what to run. */
export function isGitTransport(name: string): boolean {
  return gitTransport.has(name) || name.startsWith("GIT_CONFIG_KEY_") || name.startsWith("GIT_CONFIG_VALUE_");
}

const gitTransport: ReadonlySet<string> = new Set([
  ...["GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_ASKPASS", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_COUNT"],
  ...["GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_SSL_CERT", "GIT_SSL_KEY", "GIT_SSL_NO_VERIFY", "GIT_HTTP_PROXY_AUTHMETHOD", "GIT_HTTP_LOW_SPEED_LIMIT"],
  ...["GIT_HTTP_LOW_SPEED_TIME", "GIT_PROXY_SSL_CAINFO", "GIT_LFS_SKIP_SMUDGE"],
]);

/** What any program needs to find its files, speak its language and reach the network. */
function isCommonVariable(name: string): boolean {
  return commonNames.has(name) || name.startsWith("LC_") || name.startsWith("XDG_");
}

const commonNames: ReadonlySet<string> = new Set([
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TERM", "COLORTERM", "NO_COLOR", "TMPDIR", "TMP", "TEMP", "LOOP_CONFIG"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE"],
]);

/** `LOOP_CONFIG` names a file and stays, for whoever calls `loop` below. */
function isOfService(name: string): boolean {
  return name.startsWith("LOOP_") && name !== "LOOP_CONFIG";
}

function isOfStarter(name: string): boolean {
  return starterNames.has(name) || starterPrefixes.some((prefix) => name.startsWith(prefix));
}

const starterNames: ReadonlySet<string> = new Set(["INIT_CWD", "npm_command", "npm_execpath", "npm_node_execpath", "npm_config_local_prefix", "NOTIFY_SOCKET", "CREDENTIALS_DIRECTORY", "INVOCATION_ID", "JOURNAL_STREAM"]);
const starterPrefixes: readonly string[] = ["npm_lifecycle_", "npm_package_", "LISTEN_", "WATCHDOG_"];
