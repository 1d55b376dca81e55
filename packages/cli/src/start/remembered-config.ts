import { lstatSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { configText, findConfigFile } from "./find-config.ts";
import type { LoadedConfig } from "./load-config.ts";
import type { Io } from "./ports.ts";
import { sha256 } from "../runtime/sha256.ts";

/** What looking where work stands needs of a configuration. */
export type LookingConfig = Pick<LoadedConfig, "config" | "paths" | "env">;

type Around = Pick<Io, "env" | "cwd" | "home" | "version">;

const fileName = "remembered-config.json";

/**
 * The configuration as hooks read it at every turn: what its text came to when it was last read whole, as reading YAML and checking keys
 * takes longer than starting Node. It is remembered in the state root, where there is one, by everything that it follows from: its text, its
 * place, the home folder and this version. Whatever does not fit is read whole.
 */
export async function lookingConfig(asked: string | null, io: Around, load: () => Promise<LoadedConfig>): Promise<LookingConfig> {
  const file = findConfigFile(asked, io);
  if (file === null) return load();
  const text = configText(file);
  const key = sha256(JSON.stringify([1, io.version, file, io.home, text]));
  const guessed = likelyStateRoot(file, text);
  const known = guessed === null ? null : remembered(join(guessed, fileName), key);
  if (known !== null) return { ...known, env: io.env };
  const loaded = await load();
  if (loaded.file === file && loaded.text === text) remember(key, loaded, guessed);
  return loaded;
}

/** Where the state root must be if nothing in the text names one in another way than on one line; null where something does. */
function likelyStateRoot(file: string, text: string): string | null {
  const base = dirname(file).endsWith("/.loop") ? dirname(dirname(file)) : dirname(file);
  if (!/\bstate\b|\broot\b.*\.\.|[\\&*]/.test(text)) return join(base, ".loop");
  const root = /^state: ?\{ ?root: ?([A-Za-z0-9_./-]+) ?\}$/m.exec(text)?.[1];
  return root === undefined || root.includes("..") ? null : root.startsWith("/") ? root : join(base, root);
}

function remembered(file: string, key: string): Pick<LookingConfig, "config" | "paths"> | null {
  try {
    const known: { readonly key?: unknown } & Pick<LookingConfig, "config" | "paths"> = JSON.parse(readFileSync(file, "utf8"));
    return known.key === key ? { config: known.config, paths: known.paths } : null;
  } catch {
    return null;
  }
}

/** Only where it is looked for again, and where the environment adds nothing to it; another process may do the same. */
function remember(key: string, { config, paths }: LoadedConfig, guessed: string | null): void {
  if (guessed !== paths.stateRoot || config.env.file !== null || !isFolder(guessed)) return;
  const file = join(guessed, fileName);
  try {
    // A repository may bring a configuration along, and links beside it: a new file follows none, and neither does its renaming.
    const fresh = `${file}.${crypto.randomUUID()}`;
    writeFileSync(fresh, JSON.stringify({ key, config, paths }), { mode: 0o600, flag: "wx" });
    renameSync(fresh, file);
  } catch {
    // A state root that cannot be written to remembers nothing.
  }
}

/** A folder itself, not a link to one. */
function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
