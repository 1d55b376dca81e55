import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { lstat, mkdir, readdir, realpath, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { LoopError } from "@loopwork/core/ports";
import { workTreeOn } from "../files/work-tree.ts";
import { identityOf } from "./process-identity.ts";
import { sha256 } from "@loopwork/runtime/sha256";

/**
 * Gives work a folder of its own below one that the sandbox hides, and takes it away after it. What
 * a process that is gone left there goes as well. `others`: for a harness that takes orders from
 * every repository around it, where to look for a place in none. Rejects with `LOOP_E_SANDBOX`.
 */
export async function inScratch<T>(
  scratchDir: string,
  work: (folder: string) => Promise<T>,
  others: readonly string[] | null = null,
): Promise<T> {
  const stands = existsSync(dirname(scratchDir)); // Nobody makes a state root by the way.
  const below =
    others !== null
      ? inNoRepository(stands ? [scratchDir, ...others] : others)
      : stands
        ? scratchDir
        : besideAttempts(tmpdir());
  for (const each of below === scratchDir ? [below] : [dirname(below), below])
    await makePrivate(each);
  await removeLeft(below);
  const folder = join(below, `${ownerOf(process.pid)}-${randomUUID()}`);
  await mkdir(folder, { mode: 0o700 });
  try {
    return await work(await realpath(folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Places beside the state root, which lies in a repository in some setups. */
export function elsewhere(): readonly string[] {
  const home = join(homedir(), ".loop");
  return [
    ...[tmpdir(), "/tmp", "/var/tmp"].map(besideAttempts),
    ...(existsSync(home) ? [join(home, "scratch")] : []),
  ];
}

/** Where the sandbox keeps the temporary folders of attempts, and hides those of others. */
function besideAttempts(base: string): string {
  return join(base, `loop-${process.getuid?.() ?? 0}`, "scratch");
}

function inNoRepository(places: readonly string[]): string {
  const found = places.find(
    (place) => existsSync(dirname(dirname(place))) && workTreeOn(place) === null,
  );
  if (found !== undefined) return found;
  throw new LoopError(
    "LOOP_E_SANDBOX",
    `No folder for a copy of the checkout lies outside of every repository: ${places.join(", ")}.`,
    "Set TMPDIR to a folder in no repository for the service.",
  );
}

/** Throws `LOOP_E_SANDBOX` where somebody else could reach into the folder. */
async function makePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stat = await lstat(folder);
  const isOurs = stat.isDirectory() && stat.uid === (process.getuid?.() ?? stat.uid);
  if (isOurs && (stat.mode & 0o077) === 0) return;
  throw new LoopError(
    "LOOP_E_SANDBOX",
    `${folder} can't be used: it belongs to somebody else, or others can read it.`,
    `Make ${folder} a folder of your own with \`chmod 700\`, or remove it.`,
  );
}

async function removeLeft(below: string): Promise<void> {
  for (const name of await readdir(below)) {
    const pid = Number(name.split("-")[0]);
    if (name.startsWith(`${ownerOf(pid)}-`)) continue;
    await rm(join(below, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Names a living process apart from another one that has its number later. */
export function ownerOf(pid: number): string {
  return `${pid}-${sha256(identityOf(pid)?.startTime ?? "none").slice(0, 12)}`;
}
