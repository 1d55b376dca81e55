import { join } from "node:path";
import type { CodeHostClient, CodeHostOptions, HostSetup, ShownItem } from "@loopwork/codehost";
import {
  type AskGit,
  type Clock,
  type Ids,
  type Lock,
  LoopError,
  type Ref,
  type RunGit,
  type Salvage,
  type Store,
  type Timers,
  type Workspace,
} from "@loopwork/core/ports";
import type { Records } from "@loopwork/store/records";
import { pidfileOf, readLivePidfile } from "../detach/pidfile.ts";
import type { Marks, Redact, RuntimeSettings } from "@loopwork/runtime";
import type { StartedConfig } from "../configuration/load-config.ts";
import { refuseStateInWorkTree } from "../state/state-in-work-tree.ts";
import { ensureStateRoot } from "../state/state-root.ts";
import { isPostgres, loadPostgres, openStoreAt } from "./store-driver.ts";

// Single parts for those who need no more than one: the sibling behind each is loaded when it is
// asked for.

export const systemClock: Clock = { now: () => Date.now() };
export const systemTimers: Timers = {
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
  every(ms, call) {
    const timer = setInterval(call, ms);
    return () => clearInterval(timer);
  },
};
export const systemIds: Ids = { uuid: () => crypto.randomUUID() };

/** `onFlush` is told how long each flush to the disk took, in milliseconds. */
export async function openStoreOf(
  loaded: StartedConfig,
  onFlush: (ms: number) => void = () => {},
): Promise<Store> {
  ensureStateRoot(loaded.paths);
  return openStoreAt(storeUrlOf(loaded), {
    instance: loaded.config.instance.name,
    now: systemClock.now,
    onFlush,
    mayMigrate: () => !runsBeside(loaded),
  });
}

/**
 * Whether this version would change the store, so that none of an older one may run meanwhile
 * (ADR 0007).
 */
export async function isStoreOlder(loaded: StartedConfig): Promise<boolean> {
  ensureStateRoot(loaded.paths);
  try {
    await (
      await openStoreAt(storeUrlOf(loaded), {
        instance: loaded.config.instance.name,
        now: systemClock.now,
        mayMigrate: () => false,
      })
    ).close();
    return false;
  } catch (error) {
    return error instanceof LoopError && error.code === "LOOP_E_STORE_OLDER"; // Anything else whoever starts says in its own words.
  }
}

/**
 * A daemon lives that has the store open. Of this version it cannot be where the store is older.
 */
function runsBeside({ paths }: StartedConfig): boolean {
  return [
    pidfileOf(paths.stateRoot, "service"),
    paths.pidfile,
    pidfileOf(paths.stateRoot, "poller"),
  ].some((file) => readLivePidfile(file, paths.stateRoot) !== null);
}

/** What the service recorded of work items, for what must start fast. */
export async function openRecordsOf(
  loaded: Pick<StartedConfig, "config" | "paths" | "env">,
): Promise<Records> {
  refuseStateInWorkTree(loaded.paths);
  const url = storeUrlOf(loaded);
  const options = { instance: loaded.config.instance.name, now: systemClock.now };
  if (isPostgres(url)) return openStoreAt(url, { ...options, readonly: true });
  const { openRecords } = await import("@loopwork/store/records");
  return openRecords(url, options);
}

/**
 * What the service recorded, for reading: makes no folder and no file, and every write of it
 * rejects.
 */
export async function openReadonlyStoreOf(loaded: StartedConfig): Promise<Store> {
  refuseStateInWorkTree(loaded.paths);
  return openStoreAt(storeUrlOf(loaded), {
    instance: loaded.config.instance.name,
    now: systemClock.now,
    readonly: true,
  });
}

/**
 * The variable's value wins over the file in the state root: rules have seen to it that only one of
 * the two is set.
 */
export function storeUrlOf({
  config,
  paths,
  env,
}: Pick<StartedConfig, "config" | "paths" | "env">): string {
  return config.store.urlEnv === null ? paths.storeUrl : (env[config.store.urlEnv] ?? "");
}

export async function openLocksOf(loaded: StartedConfig): Promise<Lock> {
  ensureStateRoot(loaded.paths);
  const { createLocks } = await import("@loopwork/store");
  const own = createLocks(join(loaded.paths.stateRoot, "locks"));
  return loaded.config.store.urlEnv === null ? own : dispatchingApart(own, storeUrlOf(loaded));
}

/**
 * Who dispatches for an instance is one process of all machines; every other lock is about files of
 * this one.
 */
function dispatchingApart(own: Lock, url: string): Lock {
  return {
    async acquire(name) {
      const held = await own.acquire(name);
      if (held === null || !name.startsWith("dispatcher-")) return held;
      const { createSharedLocks } = await loadPostgres();
      const shared = await createSharedLocks(url)
        .acquire(name)
        .catch(async (error: unknown) => {
          await held.release();
          throw error;
        });
      if (shared === null) await held.release();
      return shared === null
        ? null
        : {
            name,
            release: async () => void (await Promise.all([shared.release(), held.release()])),
          };
    },
  };
}

/** The code host's client, with the token out of the environment only. */
export async function openHostOf(loaded: StartedConfig): Promise<CodeHostClient> {
  const { createCodeHost } = await import("@loopwork/codehost");
  return createCodeHost(hostOptions(loaded));
}

/** What makes labels and webhooks in a repository. */
export async function openHostSetupOf(loaded: StartedConfig): Promise<HostSetup> {
  const { createHostSetup } = await import("@loopwork/codehost");
  return createHostSetup(hostOptions(loaded));
}

/** Reads one item of the host, for what no event has shown. */
export async function openShowItemOf(
  loaded: StartedConfig,
): Promise<(ref: Ref) => Promise<ShownItem | null>> {
  const { createShowItem } = await import("@loopwork/codehost");
  return createShowItem(hostOptions(loaded));
}

/** Where requests to the code host go, with the token. */
export async function apiAddressOf({ config }: Pick<StartedConfig, "config">): Promise<string> {
  const { apiBaseOf } = await import("@loopwork/codehost");
  return apiBaseOf(config.integrations.codeHost);
}

/** Where the code host is and with which token; an empty variable is none. */
export function hostOptions({ config, env }: StartedConfig): CodeHostOptions {
  const { host, apiBaseUrl, tokenEnv, dialect } = config.integrations.codeHost;
  return { host, apiBaseUrl, dialect, token: env[tokenEnv] || null };
}

/**
 * Whatever is posted is signed, so secrets are taken out there; before, because a marker is bound
 * to the words that are posted.
 */
export async function openMarksOf(loaded: StartedConfig, redact: Redact): Promise<Marks> {
  const [{ openMarks }, { sealed }] = await Promise.all([
    import("@loopwork/codehost"),
    import("@loopwork/core/ports"),
  ]);
  ensureStateRoot(loaded.paths);
  const marks = await openMarks(join(loaded.paths.stateRoot, "marker.key"));
  return { ...marks, sign: (text, purpose) => marks.sign(sealed(text, redact), purpose) };
}

/**
 * Who is told what happens to checkouts, and where the keys of `routing.workspace` are read from
 * each time they matter.
 */
export type WorkspaceWiring = {
  readonly settings: () => RuntimeSettings;
  readonly onNote: (note: string) => void;
  readonly onHardened: (clone: string, removed: readonly string[], workItem: Ref) => void;
  /** Who runs git; this process unless said otherwise. */
  readonly runGit?: RunGit;
};

/**
 * A changed configuration is in force for the next checkout; only the root stays until a restart.
 */
export async function openWorkspaceOf(
  loaded: StartedConfig,
  locks: Lock,
  { settings, onNote, onHardened, runGit }: WorkspaceWiring,
): Promise<Workspace & Salvage & AskGit> {
  const [{ createWorkspace, ownBaseOf }, { gitEnvironmentOf }] = await Promise.all([
    import("@loopwork/workspace"),
    import("../configuration/load-config.ts"),
  ]);
  const keys = () => settings().config.routing.workspace;
  return createWorkspace({
    root: loaded.paths.workspaceRoot,
    spawnWorkdir: loaded.paths.spawnWorkdir,
    stateRoot: loaded.paths.stateRoot,
    home: loaded.env["HOME"] ?? "",
    locks,
    get strategy() {
      return keys().strategy;
    },
    get pool() {
      return keys().pool;
    },
    get salvageDays() {
      return keys().salvageDays;
    },
    get keepCheckoutOnClose() {
      return keys().keepCheckoutOnClose;
    },
    ownBase: ownBaseOf(loaded.config.integrations.codeHost.apiBaseUrl),
    env: () => gitEnvironmentOf(settings()),
    onNote,
    onHardened,
    ...(runGit === undefined ? {} : { runGit }),
  });
}
