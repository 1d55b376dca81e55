import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LoopError } from "@loopwork/core/ports";
import { putWhole } from "./safe-files.ts";

/**
 * The queue of learning candidates: one file an occurrence, so that writers never wait for each
 * other. A file appears whole, by rename, and is never changed; its name is what the occurrence
 * goes by, whatever stands in it.
 */
export type PendingFile = { readonly name: string; readonly text: string };

/** A file of a queue that is no candidate, and why. */
export type Refused = { readonly name: string; readonly problem: string };

const nameGrammar = /^[0-9a-z][0-9a-z-]{0,80}\.yaml$/;
const namesAre = "letters a-z, digits and hyphens, at most 81 of them, before .yaml";

/** What an occurrence goes by: its file's name. */
export function idOf(name: string): string {
  return name.slice(0, -".yaml".length);
}

/**
 * Adds one occurrence; an id that is there already is left as it is. Resolves to the file's path.
 * Rejects with `LOOP_E_LEARNING` where the id can name no file.
 */
export async function appendPending(dir: string, id: string, text: string): Promise<string> {
  const name = `${id}.yaml`;
  if (!nameGrammar.test(name))
    throw new LoopError(
      "LOOP_E_LEARNING",
      `${JSON.stringify(id.slice(0, 90))} is not a valid name of an occurrence`,
      `Names of files in a queue of learnings are ${namesAre}`,
    );
  await mkdir(dir, { recursive: true });
  const file = join(dir, name);
  if ((await readdir(dir)).includes(name)) return file;
  await putWhole(file, text, `${randomUUID()}.tmp`);
  return file;
}

/**
 * A name that is free for a text: the wished one, or, where another text has that, one with a
 * digest of the text.
 */
export async function freeId(dir: string, id: string, text: string): Promise<string> {
  const standing = await readPlain(join(dir, `${id}.yaml`));
  return standing === null || standing === text
    ? id
    : `${id.slice(0, 40)}-${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
}

/**
 * All occurrences, by name; what is no occurrence of ours, or not whole yet, is left out. Links,
 * pipes and what is too large are not read: an agent may have put anything there.
 */
export async function readPending(dir: string): Promise<readonly PendingFile[]> {
  if (await isLink(dir)) return [];
  const names = (await readdir(dir).catch(() => []))
    .filter((name) => nameGrammar.test(name))
    .toSorted()
    .slice(0, mostAtOnce);
  const read = await Promise.all(
    names.map(async (name) => {
      const text = await readPlain(join(dir, name));
      return text === null ? [] : [{ name, text }];
    }),
  );
  return read.flat();
}

/** What looks like an occurrence and is not read, with the reason. */
export async function unreadPending(dir: string): Promise<readonly Refused[]> {
  const names = (await isLink(dir))
    ? []
    : (await readdir(dir).catch(() => []))
        .filter((name) => name.endsWith(".yaml"))
        .toSorted()
        .slice(0, mostAtOnce);
  const problems = await Promise.all(
    names.map(async (name) => {
      if (!nameGrammar.test(name)) return [{ name, problem: `its name is not of ${namesAre}` }];
      return (await readPlain(join(dir, name))) !== null
        ? []
        : [{ name, problem: `it is no plain file of at most ${mostBytes} bytes` }];
    }),
  );
  return problems.flat();
}

/**
 * A candidate has well under these bytes, and no queue of ours more files than these; of a checkout
 * that somebody floods the rest waits.
 */
const [mostBytes, mostAtOnce] = [16_384, 2_000];

/** Opened and then looked at, so that it cannot become a link or a pipe in between. */
async function readPlain(file: string): Promise<string | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(file, flags).catch(() => null);
  if (handle === null) return null;
  try {
    const found = await handle.stat();
    return found.isFile() && found.size <= mostBytes ? await handle.readFile("utf8") : null;
  } finally {
    await handle.close();
  }
}

/** The folder or the one it lies in leads elsewhere. */
export async function isLink(dir: string): Promise<boolean> {
  const found = await Promise.all([dir, dirname(dir)].map((path) => lstat(path).catch(() => null)));
  return found.some((each) => each?.isSymbolicLink() === true);
}
