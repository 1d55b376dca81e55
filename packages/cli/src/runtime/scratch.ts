import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { lstat, mkdir, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { LoopError } from "@loopwork/core/errors";
import { repositoryAround } from "../manifest/repository-around.ts";
import { identityOf } from "./process-identity.ts";
import { sha256 } from "./sha256.ts";

/**
 * Gives work a folder of its own below one that the sandbox hides, and takes it away after it. What
 * a process that is gone left there goes as well. `outside`: for a harness that takes orders from
 * every repository around it.
 */
export async function inScratch<T>(
  scratchDir: string,
  work: (folder: string) => Promise<T>,
  outside = false,
): Promise<T> {
  const stands = existsSync(dirname(scratchDir)); // Nobody makes a state root by the way.
  const below =
    stands && !(outside && repositoryAround(scratchDir) !== null) ? scratchDir : besideAttempts();
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

/** Where the sandbox keeps the temporary folders of attempts, and hides those of others. */
function besideAttempts(): string {
  return join(tmpdir(), `loop-${process.getuid?.() ?? 0}`, "scratch");
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
