import { isGitTransport, withAbsolutePath } from "@loopwork/core/ports";
import type { Protocol } from "./remote.ts";

/**
 * What a git of ours that talks to a remote is told, whatever any configuration says. Nothing that
 * a repository brings along may run: no hook, no file-system monitor, no pager or editor, no
 * submodule and no transport but the ones allowed.
 */
export function hardenedConfig(protocol: Protocol | null): readonly string[] {
  const allowed = new Set<Protocol>(
    protocol === null ? ["https", "ssh"] : ["https", "ssh", protocol],
  );
  return [
    ...apartConfig,
    "fetch.recurseSubmodules=false",
    // What comes stays one pack, which is moved as a file.
    "fetch.unpackLimit=1",
    "protocol.allow=never",
    ...(["https", "ssh", "http", "file"] as const).map(
      (name) => `protocol.${name}.allow=${allowed.has(name) ? "always" : "never"}`,
    ),
    "protocol.ext.allow=never",
  ];
}

/** What every git of ours is told. */
export const apartConfig: readonly string[] = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  // Git would otherwise start another git, with the configuration of whatever repository has
  // borrowed objects.
  "core.alternateRefsCommand=true",
  // What a session wrote into either would be believed.
  "core.commitGraph=false",
  "core.untrackedCache=false",
  "core.pager=cat",
  "core.editor=false",
  "core.protectHFS=true",
  "core.protectNTFS=true",
  "submodule.recurse=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "commit.gpgSign=false",
  "advice.detachedHead=false",
  "checkout.workers=0",
];

const isKept = (name: string): boolean => !name.startsWith("GIT_") || isGitTransport(name);

/**
 * The user's environment for a git that may need a login: agents and proxies stay, nobody is asked
 * anything, `sshCommand` beats what a repository says.
 */
export function hardenedEnv(
  env: Readonly<Record<string, string | undefined>>,
  sshCommand: string,
  protocol: Protocol | null,
): Readonly<Record<string, string>> {
  const transports = [
    "https",
    "ssh",
    ...(protocol === "http" || protocol === "file" ? [protocol] : []),
  ];
  return {
    ...keptOf(env, isKept),
    ...quiet,
    GIT_ALLOW_PROTOCOL: transports.join(":"),
    GIT_SSH_COMMAND: sshCommand,
  };
}

/**
 * What a git without a transport needs of the user's environment: where its program and the user's
 * own configuration are.
 */
export function apartEnv(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return {
    ...keptOf(
      env,
      (name) => ownPlaces.has(name) || (name.startsWith("GIT_CONFIG_") && isKept(name)),
    ),
    ...quiet,
  };
}

const ownPlaces: ReadonlySet<string> = new Set([
  "PATH",
  "HOME",
  "XDG_CONFIG_HOME",
  "TMPDIR",
  "USERPROFILE",
  "SystemRoot",
]);

/** Complaints come in English, since some are read. */
const quiet = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_EDITOR: "false",
  GIT_PAGER: "cat",
  GCM_INTERACTIVE: "never",
  GIT_DEFAULT_REF_FORMAT: "files",
  LC_ALL: "C",
} as const;

function keptOf(
  env: Readonly<Record<string, string | undefined>>,
  isWanted: (name: string) => boolean,
): Readonly<Record<string, string>> {
  return withAbsolutePath(
    Object.fromEntries(
      Object.entries(env).flatMap(([name, value]) =>
        value !== undefined && isWanted(name) ? [[name, value]] : [],
      ),
    ),
  );
}

/**
 * The ssh program that the user chose: variable, else own configuration, else the older variable,
 * else `ssh`.
 */
export function userSshCommand(
  env: Readonly<Record<string, string | undefined>>,
  configured: string,
): string {
  if (env["GIT_SSH_COMMAND"]) return env["GIT_SSH_COMMAND"];
  if (configured !== "") return configured;
  return env["GIT_SSH"] ? `'${env["GIT_SSH"].replaceAll("'", "'\\''")}'` : "ssh";
}
