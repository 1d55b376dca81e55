import { join } from "node:path";
import type { CodeHostOptions, HostSetup } from "@loopwork/codehost";
import type { Clock, CodeHost, Ids, Lock, Store } from "@loopwork/core/ports";
import type { Marks } from "../runtime/parts.ts";
import type { LoadedConfig } from "./load-config.ts";
import { ensureStateRoot } from "./state-root.ts";

// Single parts for those who need no more than one: the sibling behind each is loaded when it is asked for.

export const systemClock: Clock = { now: () => Date.now() };
export const systemIds: Ids = { uuid: () => crypto.randomUUID() };

export async function openStoreOf(loaded: LoadedConfig): Promise<Store> {
  ensureStateRoot(loaded.paths.stateRoot);
  const { openStore } = await import("@loopwork/store");
  return openStore(loaded.paths.storeUrl, { instance: loaded.config.instance.name, now: systemClock.now });
}

export async function openLocksOf(loaded: LoadedConfig): Promise<Lock> {
  ensureStateRoot(loaded.paths.stateRoot);
  const { createLocks } = await import("@loopwork/store");
  return createLocks(join(loaded.paths.stateRoot, "locks"));
}

/** The code host's client, with the token out of the environment only. */
export async function openHostOf(loaded: LoadedConfig): Promise<CodeHost> {
  const { createCodeHost } = await import("@loopwork/codehost");
  return createCodeHost(hostOptions(loaded));
}

/** What makes labels and webhooks in a repository. */
export async function openHostSetupOf(loaded: LoadedConfig): Promise<HostSetup> {
  const { createHostSetup } = await import("@loopwork/codehost");
  return createHostSetup(hostOptions(loaded));
}

function hostOptions({ config, env }: LoadedConfig): CodeHostOptions {
  const { host, apiBaseUrl, tokenEnv, dialect } = config.integrations.codeHost;
  return { host, apiBaseUrl, dialect, token: env[tokenEnv] || null };
}

export async function openMarksOf(loaded: LoadedConfig): Promise<Marks> {
  const { openMarks } = await import("@loopwork/codehost");
  return openMarks(join(loaded.paths.stateRoot, "marker.key"));
}
