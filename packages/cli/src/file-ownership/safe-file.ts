import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  type Stats,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { mayHaveAccessList } from "./access-list.ts";
import { shellQuoted } from "../output/shell-quoted.ts";
import { type Identity, isPrivateGroup, ownIdentity } from "./private-group.ts";

/**
 * A file's text, or why it isn't used: `unsafe` where somebody else could have written it. `hint`
 * says what to type.
 */
export type SafeRead =
  | {
      readonly kind: "text";
      readonly text: string;
      readonly bytes: Uint8Array;
      /** Permission bits of the file. */ readonly mode: number;
      /** Where links led. */ readonly realPath: string;
    }
  | {
      readonly kind: "unsafe" | "unreadable" | "too-large";
      readonly why: string;
      readonly hint: string;
    };

/**
 * Reads a file that decides what this program does. Only its owner may be able to change it: file,
 * folders and links on the way belong to this user or root (for root: to root), and neither others
 * nor a shared group can write to them. A sticky folder such as /tmp will do where the entry in it
 * is safe, and in a user namespace a folder whose owner is outside of it, as root is there. What is
 * checked is what is read: the open file.
 */
export function readSafeFile(
  file: string,
  most: number,
  who: Identity | null = ownIdentity(),
): SafeRead {
  let opened: number;
  try {
    opened = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK); // Opening a pipe would wait for its writer.
  } catch (error) {
    return unreadable(error);
  }
  try {
    const stat = fstatSync(opened);
    if (stat.isDirectory())
      return { kind: "unreadable", why: "it is a folder", hint: "name the file in it" };
    if (!stat.isFile())
      return { kind: "unreadable", why: "it is not a regular file", hint: "name a regular file" };
    const walked = walk(file, stat, who);
    if (walked.kind !== "path") return walked;
    const bytes = stat.size > most ? null : bytesOf(opened, most);
    if (bytes === null || bytes.length > most)
      return {
        kind: "too-large",
        why: `it has more than ${most} bytes`,
        hint: "check that it is the right file",
      };
    return {
      kind: "text",
      text: bytes.toString("utf8"),
      bytes,
      mode: stat.mode & 0o777,
      realPath: walked.path,
    };
  } catch (error) {
    return unreadable(error);
  } finally {
    closeSync(opened);
  }
}

/**
 * The same for a file that need not be there; null where it isn't. That counts only where nobody
 * else could have taken it away.
 */
export function readSafeFileIfAny(
  file: string,
  most: number,
  who: Identity | null = ownIdentity(),
): SafeRead | null {
  const read = readSafeFile(file, most, who);
  if (read.kind !== "unreadable") return read;
  try {
    const walked = walk(file, null, who);
    return walked.kind === "path" ? read : walked;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT" ? null : read;
  }
}

/**
 * Why a folder isn't safe to keep files in that only this user may write, itself or by what lies on
 * the way to it; null where it is safe. Throws where it can't be looked at.
 */
export function whyUnsafeFolder(
  folder: string,
  who: Identity | null = ownIdentity(),
): { readonly why: string; readonly hint: string } | null {
  const walked = walk(folder, null, who);
  return walked.kind === "path" ? null : walked;
}

/** The same for a folder that may have to be made: what is there of the way to it counts. */
export function whyUnsafeToMake(folder: string): ReturnType<typeof whyUnsafeFolder> {
  let place = resolve(folder);
  while (lstatSync(place, { throwIfNoEntry: false }) === undefined) place = dirname(place);
  return whyUnsafeFolder(place);
}

type Walked =
  | { readonly kind: "path"; readonly path: string }
  | Exclude<SafeRead, { readonly kind: "text" }>;

/**
 * Follows a path link by link, as the system does, and looks at every folder, link and file on the
 * way. It ends at `open`, where that is given.
 */
function walk(file: string, open: Stats | null, who: Identity | null): Walked {
  const left = partsOf(resolve(file));
  let [at, links] = ["/", 0];
  let unsafe = whyUnsafe("/", lstatSync("/"), who);
  while (left.length > 0 && unsafe === null) {
    const part = left.shift() ?? "";
    if (part === "." || part === "..") {
      at = part === "." ? at : dirname(at);
      continue;
    }
    const next = join(at, part);
    const stat = lstatSync(next);
    unsafe = whyUnsafe(next, stat, who);
    if (stat.isSymbolicLink()) {
      links += 1;
      if (links > 40)
        return {
          kind: "unreadable",
          why: "there are too many links",
          hint: "name the file itself",
        };
      const target = readlinkSync(next);
      left.unshift(...partsOf(target));
      if (target.startsWith("/")) at = "/";
      continue;
    }
    at = next;
    if (left.length === 0 && open !== null && (stat.ino !== open.ino || stat.dev !== open.dev))
      return {
        kind: "unreadable",
        why: "it was replaced meanwhile",
        hint: "run the command again",
      };
  }
  return unsafe ?? { kind: "path", path: at };
}

/**
 * Every entry belongs to this user or root, so that in a sticky folder nobody else can have put it
 * there.
 */
function whyUnsafe(
  path: string,
  stat: Stats,
  who: Identity | null,
): Exclude<SafeRead, { readonly kind: "text" }> | null {
  if (who === null) return null;
  const unsafe = (why: string, fix: string): Exclude<SafeRead, { readonly kind: "text" }> => ({
    kind: "unsafe",
    why: `${path} ${why}`,
    hint: `if you trust it, run: ${fix} ${shellQuoted(path)}`,
  });
  const isOutside = stat.isDirectory() && stat.uid === who.unmapped;
  if (stat.uid !== 0 && stat.uid !== who.uid && !isOutside)
    return unsafe(`belongs to another user (uid ${stat.uid})`, `chown ${who.uid}`);
  if (stat.isSymbolicLink() || (stat.isDirectory() && (stat.mode & 0o1000) !== 0)) return null;
  if ((stat.mode & 0o002) !== 0)
    return unsafe(
      "can be written by every user",
      (stat.mode & 0o020) === 0 ? "chmod o-w" : "chmod go-w",
    );
  if ((stat.mode & 0o020) !== 0 && !isPrivateGroup(stat.gid, who))
    return unsafe(`can be written by a group that others may be in (gid ${stat.gid})`, "chmod g-w");
  // Asked last, as it starts a program.
  if ((stat.mode & 0o020) !== 0 && mayHaveAccessList(path))
    return unsafe("has an access-control list, by which others may write it", "chmod g-w");
  return null;
}

function partsOf(path: string): string[] {
  return path.split("/").filter((part) => part !== "");
}

function bytesOf(opened: number, most: number): Buffer {
  const bytes = Buffer.alloc(most + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read)
    read = readSync(opened, bytes, length, bytes.length - length, null);
  return bytes.subarray(0, length);
}

function unreadable(error: unknown): Exclude<SafeRead, { readonly kind: "text" }> {
  return {
    kind: "unreadable",
    why: error instanceof Error ? error.message : String(error),
    hint: "check its permissions",
  };
}
