import { randomBytes, randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { LoopError } from "@loopwork/core/ports";

const shape = /^[\x21-\x7e]{32,512}$/;

/**
 * The bearer token of the control plane, made on first use. The file appears whole and is its
 * owner's alone from its first moment on; one that others can read, that is somebody else's, or
 * that holds no token is refused.
 */
export function readOrMakeToken(file: string): string {
  return readToken(file) ?? makeToken(file);
}

/** The token of a service that has started once; null when there is none yet. */
export function readToken(file: string): string | null {
  const opened = openOrNull(file);
  if (opened === null) return null;
  try {
    const { mode, uid } = fstatSync(opened);
    if ((mode & 0o077) !== 0)
      throw new LoopError(
        "LOOP_E_TOKEN_FILE",
        `others can read the token in ${file}`,
        `run: chmod 600 ${file}`,
      );
    if (process.getuid !== undefined && uid !== process.getuid())
      throw new LoopError(
        "LOOP_E_TOKEN_FILE",
        `the token in ${file} is somebody else's`,
        "name a file of your own in `service.tokenFile`",
      );
    const token = readFileSync(opened, "utf8").trim();
    if (!shape.test(token))
      throw new LoopError(
        "LOOP_E_TOKEN_FILE",
        `${file} holds no token`,
        "a token is one word of at least 32 characters; remove the file and a new one is made at the next start",
      );
    return token;
  } finally {
    closeSync(opened);
  }
}

/**
 * Written beside and then linked: whoever sees the file sees all of it, and of two that make one at
 * once the first wins.
 */
function makeToken(file: string): string {
  const draft = `${file}.${randomUUID()}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
    linkSync(draft, file);
  } catch (error) {
    if (!hasCode(error, "EEXIST"))
      throw new LoopError(
        "LOOP_E_TOKEN_FILE",
        `no token can be written to ${file}: ${error instanceof Error ? error.message : String(error)}`,
        "check the folder, or name another file in `service.tokenFile`",
      );
  } finally {
    rmSync(draft, { force: true });
  }
  const made = readToken(file);
  if (made === null)
    throw new LoopError(
      "LOOP_E_TOKEN_FILE",
      `${file} was taken away while it was made`,
      "start again",
    );
  return made;
}

function openOrNull(file: string): number | null {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw new LoopError(
      "LOOP_E_TOKEN_FILE",
      `the token in ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      "make it a plain file of your own with mode 600, or name another one in `service.tokenFile`",
    );
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
