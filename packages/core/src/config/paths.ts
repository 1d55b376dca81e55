import type { Config } from "./schema.ts";

/** Absolute paths of everything that the configuration names; null where nothing is named. */
export type Paths = {
  /** Folder that relative paths are resolved against. */
  readonly base: string;
  readonly stateRoot: string;
  /** `sqlite:<absolute path>`; not used while `store.urlEnv` is set. */
  readonly storeUrl: string;
  readonly pidfile: string;
  readonly tokenFile: string;
  readonly envFile: string | null;
  readonly workspaceRoot: string | null;
  readonly spawnWorkdir: string;
  /** Of the operator's own graphs; null for the bundled ones. */
  readonly graphFile: string | null;
  /** Of artifacts of repositories that did not choose loop. */
  readonly artifactsDir: string;
  /** `harnesses.A.sandboxRead` and `sandboxWrite`. */
  readonly sandboxRead: readonly string[];
  readonly sandboxWrite: readonly string[];
};

/**
 * Where the configuration comes from: `configDir` is the absolute folder of its file, null when
 * there is none; `home` is absolute. `defaultStateRoot` stands for a `state.root` of `.loop` where
 * git could write that folder; null or absent where it can't.
 */
export type PathOrigin = {
  readonly configDir: string | null;
  readonly home: string;
  readonly defaultStateRoot?: string | null;
};

/**
 * Resolves against the configuration's folder, or its parent when that is named `.loop`; never
 * against the working directory (docs/specification.md#configuration-search-order). Without a file
 * the home folder is the base, so that the state root is `~/.loop`.
 */
export function resolvePaths(config: Config, origin: PathOrigin): Paths {
  const base = baseOf(origin);
  const at = (path: string): string => resolveAgainst(base, path, origin.home);
  const isDefault = config.state.root === "" || config.state.root === ".loop";
  const stateRoot =
    (isDefault ? origin.defaultStateRoot : null) ?? at(config.state.root || ".loop");
  const url = config.store.url;
  return {
    base,
    stateRoot,
    storeUrl: `sqlite:${url === null ? resolveAgainst(stateRoot, "loop.db", origin.home) : at(url.slice("sqlite:".length))}`,
    pidfile:
      config.webhooks.hostWebhook.pidfile === null
        ? resolveAgainst(stateRoot, "host-webhook.pid", origin.home)
        : at(config.webhooks.hostWebhook.pidfile),
    tokenFile:
      config.service.tokenFile === null
        ? resolveAgainst(stateRoot, "control-plane.token", origin.home)
        : at(config.service.tokenFile),
    envFile: config.env.file === null ? null : at(config.env.file),
    workspaceRoot: config.routing.workspace.root === "" ? null : at(config.routing.workspace.root),
    spawnWorkdir: at(config.routing.spawnWorkdir),
    graphFile:
      config.routing.graph.definition === null ? null : at(config.routing.graph.definition),
    artifactsDir: resolveAgainst(stateRoot, "artifacts", origin.home),
    sandboxRead: config.harnesses.A.sandboxRead.map(at),
    sandboxWrite: config.harnesses.A.sandboxWrite.map(at),
  };
}

function baseOf({ configDir, home }: PathOrigin): string {
  if (configDir === null) return normal(home);
  const dir = normal(configDir);
  return dir.endsWith("/.loop") ? normal(`${dir}/..`) : dir;
}

/** One path against a folder; `~` and `~/…` mean the home folder. */
export function resolveAgainst(base: string, path: string, home: string): string {
  if (path === "~") return normal(home);
  if (path.startsWith("~/")) return normal(`${home}/${path.slice(2)}`);
  return normal(path.startsWith("/") ? path : `${base}/${path}`);
}

/** An absolute path without `.`, `..`, doubled or closing slashes. */
function normal(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    else parts.push(part);
  }
  return `/${parts.join("/")}`;
}
