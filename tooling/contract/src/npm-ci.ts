import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Installs what the lockfile in `source` pins into a cache folder of this name, once, and answers
 * with the folder. No install script runs. Throws with npm's words.
 */
export function installPinned(source: string, name: string): string {
  const folder = path.join(cacheDir(), name);
  if (!existsSync(path.join(folder, "done"))) install(source, folder);
  return folder;
}

/**
 * Into a folder beside the real one first, so that a broken installation is never taken for a whole
 * one.
 */
function install(source: string, folder: string): void {
  const temporary = `${folder}.${process.pid}`;
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true });
  for (const file of ["package.json", "package-lock.json"])
    cpSync(path.join(source, file), path.join(temporary, file));
  const npm = spawnSync(
    "npm",
    ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
    { cwd: temporary, encoding: "utf8", env: npmEnvironment() },
  );
  if (npm.status !== 0) {
    rmSync(temporary, { recursive: true, force: true });
    throw new Error(
      `npm could not install ${path.basename(folder)}: ${npm.error?.message ?? npm.stderr.trim()}`,
    );
  }
  cpSync(path.join(temporary, "package.json"), path.join(temporary, "done"));
  rmSync(folder, { recursive: true, force: true });
  renameSync(temporary, folder);
}

/** What a surrounding npm or pnpm tells its scripts would make this one act in the wrong folder. */
function npmEnvironment(): Record<string, string | undefined> {
  const kept = new Set(["npm_config_registry", "npm_config_cache", "npm_config_userconfig"]);
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !name.toLowerCase().startsWith("npm_") || kept.has(name.toLowerCase()),
    ),
  );
}

function cacheDir(): string {
  const chosen = process.env["XDG_CACHE_HOME"];
  return chosen === undefined || chosen === ""
    ? fileURLToPath(new URL("../../../node_modules/.cache/loop-contract", import.meta.url))
    : path.join(chosen, "loop-contract");
}
