import { existsSync, type Stats } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { readPlainFile } from "../plain-file.ts";
import { isWithin } from "./is-within.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Files and folders that variables name outside of the home, which is hidden as a whole. A variable
 * that nobody listed is taken for one of a login; `open` lists what stays readable all the same, and
 * `passEnv` names what commands need.
 */
export async function namedLogins(
  env: Variables,
  passEnv: readonly string[],
  open: readonly string[] = [],
): Promise<readonly string[]> {
  const search = placesIn(env["PATH"] ?? "");
  const found = new Set(loginsBesideTools(env));
  for (const [name, value] of Object.entries(env)) {
    if (passEnv.includes(name) || isHarmless(name)) continue;
    for (const place of placesIn(value ?? ""))
      if (known.has(name) || (await mayHoldLogins(place, search))) found.add(place);
  }
  return [...found].filter(
    (place) => existsSync(place) && !open.some((each) => isWithin(place, each)),
  );
}

/**
 * Where links in a folder lead outside of it, and logins may lie: whoever moved `~/.ssh` moved what
 * is in it.
 */
export async function linkedLogins(
  folder: string,
  env: Variables,
  open: readonly string[],
): Promise<readonly string[]> {
  const names = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const links = names.filter((entry) => entry.isSymbolicLink());
  const places = await Promise.all(
    links.map(({ name }) => realpath(path.join(folder, name)).catch(() => null)),
  );
  const search = placesIn(env["PATH"] ?? "");
  const found: string[] = [];
  for (const place of places) {
    if (place === null || path.dirname(place) === "/" || isWithin(place, folder)) continue;
    if (open.some((each) => isWithin(place, each))) continue;
    if (await mayHoldLogins(place, search)) found.push(place);
  }
  return found;
}

/** Hidden wherever they are, also where what they name is a program or the system's. */
const known: ReadonlySet<string> = new Set([
  "ANSIBLE_VAULT_PASSWORD_FILE",
  "AWS_CONFIG_FILE",
  "AWS_SHARED_CREDENTIALS_FILE",
  "AWS_WEB_IDENTITY_TOKEN_FILE",
  "AZURE_CONFIG_DIR",
  "CLOUDSDK_CONFIG",
  "DOCKER_CONFIG",
  "GLAB_CONFIG_DIR",
  "GNUPGHOME",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "KRB5CCNAME",
  "KUBECONFIG",
  "MYSQL_TEST_LOGIN_FILE",
  "NETRC",
  "NPM_CONFIG_USERCONFIG",
  "PGPASSFILE",
  "PIP_CONFIG_FILE",
  "RCLONE_CONFIG",
  "REGISTRY_AUTH_FILE",
  "SOPS_AGE_KEY_FILE",
  "TF_CLI_CONFIG_FILE",
  "XDG_CONFIG_HOME",
  "npm_config_userconfig",
]);

/** Where a shell is, where tools and their libraries are, and what is public by its purpose. */
const harmless: ReadonlySet<string> = new Set([
  ...["PATH", "PWD", "OLDPWD", "HOME", "SHELL", "TMPDIR", "TMP", "TEMP", "XDG_RUNTIME_DIR"],
  ...["MANPATH", "INFOPATH", "CDPATH", "FPATH", "TERMINFO", "TERMINFO_DIRS"],
  ...["XDG_DATA_DIRS", "XDG_CONFIG_DIRS", "SSL_CERT_DIR", "GIT_SSL_CAPATH"],
  ...[
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "LIBRARY_PATH",
    "CPATH",
    "PKG_CONFIG_PATH",
    "CMAKE_PREFIX_PATH",
  ],
  ...[
    "NODE_PATH",
    "PYTHONPATH",
    "PYTHONHOME",
    "CLASSPATH",
    "PERL5LIB",
    "RUBYLIB",
    "GEM_HOME",
    "GEM_PATH",
  ],
  ...[
    "NVM_DIR",
    "NVM_BIN",
    "NVM_INC",
    "FNM_DIR",
    "VOLTA_HOME",
    "PNPM_HOME",
    "BUN_INSTALL",
    "DENO_DIR",
  ],
  ...["CARGO_HOME", "RUSTUP_HOME", "GOPATH", "GOROOT", "JAVA_HOME", "SDKMAN_DIR", "RBENV_ROOT"],
  ...["PYENV_ROOT", "VIRTUAL_ENV", "CONDA_PREFIX", "ASDF_DIR", "ASDF_DATA_DIR", "MISE_DATA_DIR"],
  ...[
    "ANDROID_HOME",
    "ANDROID_SDK_ROOT",
    "ANDROID_NDK_HOME",
    "DOTNET_ROOT",
    "NIX_PATH",
    "NIX_PROFILES",
  ],
]);

const isHarmless = (name: string): boolean =>
  harmless.has(name) || name.startsWith("LOOP_") || name.toUpperCase().includes("CACHE");

/**
 * Absolute paths in a value: one, a list, or one behind a word as in `FILE:/run/ticket`. Never a
 * whole disk, or a folder right below the root.
 */
function placesIn(value: string): readonly string[] {
  return value
    .split(path.delimiter)
    .filter((each) => path.isAbsolute(each))
    .map((each) => path.resolve("/", each.replace(/^\/+/, "")))
    .filter((place) => path.dirname(place) !== "/");
}

async function mayHoldLogins(place: string, search: readonly string[]): Promise<boolean> {
  const found = await stat(place).catch(() => null); // What we can't reach no command can.
  if (found === null || isPublic(place, found)) return false;
  if (found.isDirectory()) return !isOfTools(place, search);
  return found.isFile() && (found.mode & 0o111) === 0 && !(await isCertificate(place));
}

/** The system's own folders, for what every account may read in them. */
function isPublic(place: string, { mode }: Stats): boolean {
  return (mode & 0o004) !== 0 && system.some((folder) => isWithin(place, folder));
}

const system: readonly string[] = [
  ...["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt", "/nix", "/snap"],
  ...["/dev", "/proc", "/sys"],
];

function isOfTools(folder: string, search: readonly string[]): boolean {
  return (
    existsSync(path.join(folder, "bin")) ||
    search.some((each) => each === folder || path.dirname(each) === folder)
  );
}

/** Bytes of the largest file that is looked into; bundles of all authorities are below 1 MB. */
const largestBundle = 8 * 1024 * 1024;

/** Certificates are public; a file with a key beside them isn't. */
async function isCertificate(file: string): Promise<boolean> {
  const bytes = await readPlainFile(await realpath(file), largestBundle).catch(() => null);
  const text = bytes?.toString("latin1") ?? "";
  return /-----BEGIN (?:TRUSTED )?CERTIFICATE-----/.test(text) && !text.includes("PRIVATE KEY");
}

/** Logins in folders of which the rest is needed. */
function loginsBesideTools(env: Variables): readonly string[] {
  const cargo = ["credentials.toml", "credentials"].map((file) => ["CARGO_HOME", file] as const);
  return [...cargo, ["XDG_RUNTIME_DIR", "containers"] as const].flatMap(([name, file]) => {
    const folder = env[name] ?? "";
    return path.isAbsolute(folder) ? [path.join(folder, file)] : [];
  });
}

/** Where git and the host's command line keep theirs, if not in the home: pushing needs them. */
export function movedLogins(env: Variables): readonly string[] {
  const config = env["XDG_CONFIG_HOME"] ?? "";
  const needed = ["git/config", "git/ignore", "git/attributes", "gh"];
  return [
    ...needed.map((name) => path.join(config, name)),
    env["GH_CONFIG_DIR"] ?? "",
    env["GIT_CONFIG_GLOBAL"] ?? "",
  ].filter((file) => path.isAbsolute(file) && path.dirname(file) !== "/" && existsSync(file));
}
