import { withAbsolutePath } from "./absolute-path.ts";

/** Variables as a process has them. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Which variables of ours a child may not see, and which names stay all the same (`passEnv`). */
export type Withheld = {
  readonly secretNames: readonly string[];
  readonly passEnv: readonly string[];
};

/**
 * The operator's environment as agents, hooks and git get it. Taken out, unless `passEnv` names it:
 *
 *     our secrets                by name, and every other variable whose value holds one
 *     `LOOP_*`                   settings and secrets of the service, and a turn around it; a child is told its own
 *     git, except for transport  where a repository is, who commits, what is configured: a git hook
 *     sets them for its own commands
 *     npm, systemd               what they tell the process that they started, and nobody below it
 */
export function operatorEnvironment(
  env: Variables,
  { secretNames, passEnv }: Withheld,
): Record<string, string> {
  const copies = new Set(
    copiesOfSecrets(env, secretNames).flatMap(({ name }) => (passEnv.includes(name) ? [] : [name])),
  );
  const stays = (name: string): boolean => {
    if (passEnv.includes(name)) return true;
    if (secretNames.includes(name) || copies.has(name)) return false;
    return (
      !isOfService(name) && !isOfStarter(name) && (!name.startsWith("GIT_") || isGitTransport(name))
    );
  };
  const kept = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && stays(name) ? [[name, value]] : [],
    ),
  );
  return withAbsolutePath({ ...kept, ...voidSettings(copies) });
}

/** Git fails where one of the settings is missing that `GIT_CONFIG_COUNT` counts. */
function voidSettings(names: ReadonlySet<string>): Readonly<Record<string, string>> {
  const numbers = [...names].flatMap(
    (name) => /^GIT_CONFIG_(?:KEY|VALUE)_(\d{1,9})$/.exec(name)?.[1] ?? [],
  );
  return Object.fromEntries(
    numbers.flatMap((number) => [
      [`GIT_CONFIG_KEY_${number}`, "loop.withheld"],
      [`GIT_CONFIG_VALUE_${number}`, ""],
    ]),
  );
}

/** Of an environment only what any program needs, and the names that are allowed. */
export function allowedEnvironment(
  env: Variables,
  isAllowed: (name: string) => boolean,
): Record<string, string> {
  return withAbsolutePath(
    Object.fromEntries(
      Object.entries(env).flatMap(([name, value]) =>
        value !== undefined && (isCommonVariable(name) || isAllowed(name)) ? [[name, value]] : [],
      ),
    ),
  );
}

/** Names of variables, other than `secretNames`, whose values hold that of one of them. */
export function copiesOfSecrets(
  env: Variables,
  secretNames: readonly string[],
): readonly { readonly name: string; readonly of: string }[] {
  const others = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || secretNames.includes(name) ? [] : [{ name, value }],
  );
  return secretNames.flatMap((of) => {
    const isCopy = copyOf(env[of]?.trim() ?? "");
    return others.flatMap(({ name, value }) => (isCopy(name, value) ? [{ name, of }] : []));
  });
}

/** Shorter secrets may stand in a value by chance, so they count only as the whole of it. */
const shortestInside = 16;

function copyOf(secret: string): (name: string, value: string) => boolean {
  if (secret === "") return () => false;
  if (secret.length < shortestInside)
    return (name, value) => value.trim() === secret && !isCommonVariable(name);
  const encoded = insideBase64(secret);
  return (_name, value) => {
    if (value.includes(secret)) return true;
    const standard = value.replaceAll("-", "+").replaceAll("_", "/");
    return encoded.some((text) => standard.includes(text));
  };
}

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/**
 * What base64 of any text with this one in it holds: it depends on where the text begins in a group
 * of three bytes.
 */
function insideBase64(text: string): readonly string[] {
  const bits = Array.from(text, (each) => each.charCodeAt(0).toString(2).padStart(8, "0")).join("");
  return [0, 4, 2].map((skipped) => {
    const sextets = Array.from({ length: Math.floor((bits.length - skipped) / 6) }, (_, at) =>
      bits.slice(skipped + at * 6, skipped + at * 6 + 6),
    );
    return sextets.map((sextet) => base64Digits.charAt(Number.parseInt(sextet, 2))).join("");
  });
}

/**
 * Variables of git that say how a host is reached. All others say where a repository is, who
 * commits, or what to run.
 */
export function isGitTransport(name: string): boolean {
  return (
    gitTransport.has(name) ||
    name.startsWith("GIT_CONFIG_KEY_") ||
    name.startsWith("GIT_CONFIG_VALUE_")
  );
}

const gitTransport: ReadonlySet<string> = new Set([
  ...[
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_SSH_VARIANT",
    "GIT_ASKPASS",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_COUNT",
  ],
  ...[
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "GIT_SSL_CERT",
    "GIT_SSL_KEY",
    "GIT_SSL_NO_VERIFY",
    "GIT_HTTP_PROXY_AUTHMETHOD",
    "GIT_HTTP_LOW_SPEED_LIMIT",
  ],
  ...["GIT_HTTP_LOW_SPEED_TIME", "GIT_PROXY_SSL_CAINFO", "GIT_LFS_SKIP_SMUDGE"],
]);

/** What any program needs to find its files, speak its language and reach the network. */
function isCommonVariable(name: string): boolean {
  return commonNames.has(name) || name.startsWith("LC_") || name.startsWith("XDG_");
}

const commonNames: ReadonlySet<string> = new Set([
  ...[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TERM",
    "COLORTERM",
    "NO_COLOR",
    "TMPDIR",
    "TMP",
    "TEMP",
    "LOOP_CONFIG",
  ],
  ...[
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "ALL_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "all_proxy",
  ],
  ...[
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "CURL_CA_BUNDLE",
    "REQUESTS_CA_BUNDLE",
  ],
]);

/** `LOOP_CONFIG` names a file and stays, for whoever calls `loop` below. */
function isOfService(name: string): boolean {
  return name.startsWith("LOOP_") && name !== "LOOP_CONFIG";
}

function isOfStarter(name: string): boolean {
  return starterNames.has(name) || starterPrefixes.some((prefix) => name.startsWith(prefix));
}

const starterNames: ReadonlySet<string> = new Set([
  "INIT_CWD",
  "npm_command",
  "npm_execpath",
  "npm_node_execpath",
  "npm_config_local_prefix",
  "NOTIFY_SOCKET",
  "CREDENTIALS_DIRECTORY",
  "INVOCATION_ID",
  "JOURNAL_STREAM",
]);
const starterPrefixes: readonly string[] = [
  "npm_lifecycle_",
  "npm_package_",
  "LISTEN_",
  "WATCHDOG_",
];
