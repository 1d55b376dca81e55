import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("../real", import.meta.url));

/** The one version whose behaviour the contract proves; it stands in real/package.json. */
export function pinnedVersion(): string {
  const manifest: { dependencies: Record<string, string> } = JSON.parse(readFileSync(path.join(source, "package.json"), "utf8"));
  const version = manifest.dependencies["@anthropic-ai/claude-code"];
  if (version === undefined) throw new Error("real/package.json pins no version of the harness");
  return version;
}

/**
 * Installs the real harness from the package registry into a cache folder, once, and answers with the path of its
 * native program. Its install script only links that program, so no script runs. Throws with npm's words.
 */
export function installReal(): string {
  const folder = path.join(cacheDir(), `harness-a-${pinnedVersion()}`);
  if (!existsSync(path.join(folder, "done"))) install(folder);
  const program = programIn(folder);
  if (program === null) throw new Error(`there is no build of the harness for ${process.platform} ${process.arch}`);
  return program;
}

/** Into a folder beside the real one first, so that a broken installation is never taken for a whole one. */
function install(folder: string): void {
  const temporary = `${folder}.${process.pid}`;
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) cpSync(path.join(source, file), path.join(temporary, file));
  const npm = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: temporary, encoding: "utf8", env: npmEnvironment() });
  if (npm.status !== 0) {
    rmSync(temporary, { recursive: true, force: true });
    throw new Error(`npm could not install the harness: ${npm.error?.message ?? npm.stderr.trim()}`);
  }
  cpSync(path.join(temporary, "package.json"), path.join(temporary, "done"));
  rmSync(folder, { recursive: true, force: true });
  renameSync(temporary, folder);
}

/** What a surrounding npm or pnpm tells its scripts would make this one act in the wrong folder. */
function npmEnvironment(): Record<string, string | undefined> {
  const kept = new Set(["npm_config_registry", "npm_config_cache", "npm_config_userconfig"]);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.toLowerCase().startsWith("npm_") || kept.has(name.toLowerCase())));
}

function cacheDir(): string {
  const chosen = process.env["XDG_CACHE_HOME"];
  return chosen === undefined || chosen === "" ? fileURLToPath(new URL("../../../node_modules/.cache/loop-contract", import.meta.url)) : path.join(chosen, "loop-contract");
}

/** The platform package's own program; on Linux there is one for each of the two C libraries. */
function programIn(folder: string): string | null {
  const base = `claude-code-${process.platform}-${process.arch}`;
  const candidates = [base, `${base}-musl`].map((name) => path.join(folder, "node_modules/@anthropic-ai", name, "claude"));
  return candidates.find((candidate) => existsSync(candidate) && runs(candidate)) ?? null;
}

function runs(program: string): boolean {
  return spawnSync(program, ["--version"], { env: { PATH: "/usr/bin:/bin", HOME: "/nonexistent", DISABLE_AUTOUPDATER: "1" } }).status === 0;
}
