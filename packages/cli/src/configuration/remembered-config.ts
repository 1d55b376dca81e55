import { mkdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { LoadedConfig } from "./load-config.ts";
import type { TrustedConfig } from "./open-config.ts";
import type { Io } from "../io/io.ts";
import { readSafeFile } from "../file-ownership/safe-file.ts";
import { originOf } from "../state/state-place.ts";
import { sha256 } from "@loopwork/runtime/sha256";

/** What looking where work stands needs of a configuration. */
export type LookingConfig = Pick<LoadedConfig, "config" | "paths" | "env">;

type Around = Pick<Io, "env" | "home" | "version">;

/** A configuration has at most 10,000 values. */
const longest = 4 * 1024 * 1024;

/**
 * The configuration as hooks read it at every turn: what its text came to when it was last read
 * whole, as reading YAML and checking keys takes longer than starting Node. It is remembered in the
 * home folder, where no repository can have put it, by everything that it follows from: its text,
 * its place, the home folder, where state lies by default, and this version. Whatever does not fit is read whole.
 */
export async function lookingConfig(
  source: TrustedConfig | null,
  io: Around,
  load: () => Promise<LoadedConfig>,
): Promise<LookingConfig> {
  if (source === null || !isAbsolute(io.home)) return load();
  const folder = join(io.home, ".loop", "remembered-configs");
  const file = join(folder, `${sha256(source.file)}.json`);
  const key = sha256(JSON.stringify([2, io.version, originOf(source.file, io.home), source.text]));
  const known = remembered(file, key);
  if (known !== null) return { ...known, env: io.env };
  const loaded = await load();
  if (loaded.source?.text === source.text) remember(folder, file, key, loaded);
  return loaded;
}

function remembered(file: string, key: string): Pick<LookingConfig, "config" | "paths"> | null {
  const read = readSafeFile(file, longest);
  if (read.kind !== "text") return null;
  try {
    const known: { readonly key?: unknown } & Pick<LookingConfig, "config" | "paths"> = JSON.parse(
      read.text,
    );
    return known.key === key ? { config: known.config, paths: known.paths } : null;
  } catch {
    return null;
  }
}

/**
 * Only where the service has run, and where the environment adds nothing to it; another process may
 * do the same.
 */
function remember(
  folder: string,
  file: string,
  key: string,
  { config, paths }: LoadedConfig,
): void {
  if (
    config.env.file !== null ||
    statSync(paths.stateRoot, { throwIfNoEntry: false })?.isDirectory() !== true
  )
    return;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // A new file follows no link, and neither does its renaming.
    const fresh = `${file}.${crypto.randomUUID()}`;
    writeFileSync(fresh, JSON.stringify({ key, config, paths }), { mode: 0o600, flag: "wx" });
    renameSync(fresh, file);
  } catch {
    // A home folder that cannot be written to remembers nothing.
  }
}
