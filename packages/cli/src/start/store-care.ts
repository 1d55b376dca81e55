import { join, resolve } from "node:path";
import { LoopError } from "@loopwork/core/ports";
import type { LoadedConfig } from "../configuration/load-config.ts";
import type { MaintenanceDriver } from "@loopwork/store/maintenance";
import { storeUrlOf } from "./open.ts";
import { loadPostgres } from "./store-driver.ts";
import type { StoreCare } from "../ports/command-ports.ts";
import type { Io } from "../io/io.ts";

const progressEveryMs = 1_000;

/** Moves, copies and checks a store as a whole; nothing of it opens the store as a service does. */
export async function openStoreCare(
  loaded: LoadedConfig,
  io: Io,
  now: () => number,
): Promise<StoreCare> {
  const { backupStore, checkStore, migrateStore } = await import("@loopwork/store/maintenance");
  const progress = progressOf(io, now);
  const urlOf = (named: string | null): string =>
    named === null ? storeUrlOf(loaded) : readUrl(named, loaded, io);
  return {
    migrate: (from, to, options) =>
      migrateStore(urlOf(from), urlOf(to), { ...options, progress, loadPostgres: maintenance }),
    backup: (from, file) => backupStore(urlOf(from), pathOf(file, io), progress, maintenance),
    check: (url) => checkStore(urlOf(url), maintenance),
  };
}

const maintenance = async (): Promise<MaintenanceDriver> =>
  (await loadPostgres()).postgresMaintenance;

/**
 * `env:NAME` keeps a password out of the list of processes. A path is seen from the working
 * directory.
 */
function readUrl(named: string, { env }: LoadedConfig, io: Io): string {
  if (named.startsWith("sqlite:")) return `sqlite:${pathOf(named.slice("sqlite:".length), io)}`;
  if (!named.startsWith("env:")) return named;
  const name = named.slice("env:".length);
  const value = env[name];
  if (value === undefined || value === "")
    throw new LoopError(
      "LOOP_E_STORE_URL",
      `The variable ${/^\w{1,100}$/.test(name) ? name : "that env: names"} is not set.`,
      "Export the URL of the store under that name, or put it into env.file.",
    );
  return value.startsWith("sqlite:")
    ? `sqlite:${pathOf(value.slice("sqlite:".length), io)}`
    : value;
}

function pathOf(path: string, { cwd, home }: Io): string {
  if (path === "")
    throw new LoopError("LOOP_E_STORE_URL", "A path is missing.", "Write sqlite:<path of a file>.");
  return path.startsWith("~/") ? join(home, path.slice(2)) : resolve(cwd, path);
}

/** For eyes only, and not more often than they follow. */
function progressOf(io: Io, now: () => number): (line: string) => void {
  let told = Number.NEGATIVE_INFINITY;
  return (line) => {
    if (!io.interactive || now() - told < progressEveryMs) return;
    told = now();
    io.err(`${line}\n`);
  };
}
