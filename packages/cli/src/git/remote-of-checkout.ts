import { askGit } from "./ask-git.ts";

/**
 * Where a checkout's `origin` lies: the host's domain and `owner/name`. `web` is where its pages
 * lie; null for a name of somebody's ssh configuration.
 */
export type Remote = {
  readonly host: string;
  readonly web: string | null;
  readonly repository: string;
};

/**
 * The remote of the checkout at `cwd`; null when this is none, or its remote is no address of a
 * host.
 */
export function remoteOf(cwd: string): Remote | null {
  const url = askGit(["remote", "get-url", "origin"], cwd);
  return url === null ? null : parseRemote(url.trim());
}

/** `https://host/owner/name.git`, `ssh://git@host/owner/name`, or `git@host:owner/name.git`. */
export function parseRemote(url: string): Remote | null {
  const found =
    /^(?:(?:https?|ssh|git):\/\/)?(?:[^@/\s]{1,100}@)?([A-Za-z0-9.-]{1,253}(?::\d{1,5})?)[/:]([A-Za-z0-9_.-]{1,100}\/[A-Za-z0-9_.-]{1,100})\/?$/.exec(
      url,
    );
  const [, host, path] = found ?? [];
  if (host === undefined || path === undefined) return null;
  return {
    host: host.toLowerCase(),
    web: webOf(url, host.toLowerCase()),
    repository: path.endsWith(".git") ? path.slice(0, -".git".length) : path,
  };
}

/** The port of ssh is none of the pages'. What has neither a dot nor a port is no domain. */
function webOf(url: string, host: string): string | null {
  const web = /^(?:ssh|git):/i.test(url) ? host.replace(/:\d+$/, "") : host;
  return /[.:]/.test(web) ? web : null;
}
