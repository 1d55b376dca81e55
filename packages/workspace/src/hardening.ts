import { isGitTransport } from "@loopwork/core/ports";
import type { Protocol } from "./remote.ts";

/**
 * What every git of ours is told, whatever a repository's own configuration says (decisions.md 9). Nothing that a
 * repository brings along may run: no hook (W03, W04), no file-system monitor (W06), no pager or editor, no submodule and
 * no transport but the ones allowed (W08).
 */
export function hardenedConfig(protocol: Protocol | null): readonly string[] {
  const allowed = new Set<Protocol>(protocol === null ? ["https", "ssh"] : ["https", "ssh", protocol]);
  return [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.pager=cat",
    "core.editor=false",
    "core.protectHFS=true",
    "core.protectNTFS=true",
    "submodule.recurse=false",
    "fetch.recurseSubmodules=false",
    "protocol.allow=never",
    ...(["https", "ssh", "http", "file"] as const).map((name) => `protocol.${name}.allow=${allowed.has(name) ? "always" : "never"}`),
    "protocol.ext.allow=never",
    "gc.auto=0",
    "maintenance.auto=false",
    "commit.gpgSign=false",
    "advice.detachedHead=false",
    "checkout.workers=0",
  ];
}

const isKept = (name: string): boolean => !name.startsWith("GIT_") || isGitTransport(name);

/** The user's environment for git: logins, ssh agent and proxies stay, nobody is asked anything, `sshCommand` beats what a repository says (W07). Complaints come in English, since some are read. */
export function hardenedEnv(env: Readonly<Record<string, string | undefined>>, sshCommand: string, protocol: Protocol | null): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined && isKept(name)) kept[name] = value;
  const transports = ["https", "ssh", ...(protocol === "http" || protocol === "file" ? [protocol] : [])];
  return { ...kept, GIT_ALLOW_PROTOCOL: transports.join(":"), GIT_SSH_COMMAND: sshCommand, GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0", GIT_EDITOR: "false", GIT_PAGER: "cat", GCM_INTERACTIVE: "never", LC_ALL: "C" };
}

/** The ssh program that the user chose: variable, else own configuration, else the older variable, else `ssh`. */
export function userSshCommand(env: Readonly<Record<string, string | undefined>>, configured: string): string {
  if (env["GIT_SSH_COMMAND"]) return env["GIT_SSH_COMMAND"];
  if (configured !== "") return configured;
  return env["GIT_SSH"] ? `'${env["GIT_SSH"].replaceAll("'", "'\\''")}'` : "ssh";
}
