import { access, constants, lstat, realpath } from "node:fs/promises";
import path from "node:path";
import type { SandboxFacts } from "@loopwork/core";
import type { SandboxPlace } from "@loopwork/core/ports";
import { installedVersion, type ProbeOptions, runProgram } from "../probe.ts";
import { isWithin } from "./settings.ts";

/** Who the service is: what tests stand in for. */
export type Account = { readonly platform: string; readonly uid: number };

/**
 * Asks the machine and the checkout for everything that the sandbox needs. No more is run than has
 * to be.
 */
export async function factsOf(
  place: SandboxPlace,
  runner: SandboxFacts["runner"],
  { platform, uid }: Account,
  options: ProbeOptions,
): Promise<SandboxFacts> {
  const isRoot = uid === 0;
  const missing = (
    await Promise.all(
      ["bwrap", "socat"].map(async (name) =>
        (await programIn(name, options.environment["PATH"])) === null ? [name] : [],
      ),
    )
  ).flat();
  const canRun = platform === "linux" && !isRoot && missing.length === 0;
  return {
    platform,
    isRoot,
    runner,
    missing,
    probeFailure: canRun ? await probe(options) : null,
    silentVersion: canRun ? silent(await installedVersion(options)) : null,
    hasOwnGitDirectory:
      place.checkout === null
        ? place.strategy === "clone"
        : await hasOwnGitDirectory(place.checkout),
    hidesSystem:
      place.hide.find((folder) =>
        ["/usr", "/bin", "/etc"].some((system) => isWithin(system, folder)),
      ) ?? null,
  };
}

/**
 * The harness's own check misses forbidden user namespaces: its turn then ends as done with every
 * command failed.
 */
async function probe(options: ProbeOptions): Promise<string | null> {
  const asked = await runProgram(options, [
    "bwrap",
    "--unshare-all",
    "--ro-bind",
    "/",
    "/",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    "true",
  ]);
  if (asked?.code === 0) return null;
  return (asked?.stderr ?? "").trim().split("\n")[0]?.slice(0, 200) || "bwrap could not be started";
}

/**
 * The first version that was seen to say in its first row whether the sandbox is on. Null for that
 * one and newer ones, and where there is none.
 */
const saysSince: readonly number[] = [2, 1, 332];

function silent(version: string | null): string | null {
  if (version === null) return null; // It isn't installed: the turn finds that out, and says so.
  const parts = version.split(".").map(Number);
  const at = saysSince.findIndex((part, i) => part !== parts[i]);
  return at === -1 || (parts[at] ?? 0) > (saysSince[at] ?? 0) ? null : version;
}

/**
 * A worktree's `.git` is a file, and a folder that names another one is one of several that share
 * it.
 */
async function hasOwnGitDirectory(checkout: string): Promise<boolean> {
  const git = await lstat(path.join(checkout, ".git")).catch(() => null);
  const shares = await lstat(path.join(checkout, ".git", "commondir")).then(
    () => true,
    () => false,
  );
  return git?.isDirectory() === true && !shares;
}

/** Where a program is, by its name in `PATH` or by its path; null when it is nowhere. */
export async function programIn(name: string, search: string | undefined): Promise<string | null> {
  const candidates = name.includes("/")
    ? [name]
    : (search ?? "")
        .split(path.delimiter)
        .flatMap((folder) => (folder === "" ? [] : [path.join(folder, name)]));
  for (const candidate of candidates) {
    const found = await access(candidate, constants.X_OK).then(
      () => realpath(candidate),
      () => null,
    );
    if (found !== null) return found;
  }
  return null;
}
