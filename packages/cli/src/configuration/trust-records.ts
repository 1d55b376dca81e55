import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { isAbsolute, join } from "node:path";
import { LoopError } from "@loopwork/core/ports";
import { sha256 } from "@loopwork/runtime/sha256";
import { readSafeFileIfAny, whyUnsafeToMake } from "../file-ownership/safe-file.ts";

/**
 * What a person trusted: the file at a place, by where its links lead, with these very words.
 * `text` is null once that was revoked.
 */
export type TrustRecord = {
  readonly place: string;
  readonly realPath: string;
  readonly text: string | null;
};

/** Nothing that is trusted is longer, and a record holds it once. */
const longestRecord = 4 * 1024 * 1024;

/**
 * `none` only where surely nothing was recorded. A record that is damaged, or that somebody else
 * could have changed, may have been a revocation.
 */
export type TrustRead =
  | { readonly kind: "none" }
  | { readonly kind: "record"; readonly record: TrustRecord }
  | { readonly kind: "unclear"; readonly why: string; readonly hint: string | null };

/** What was recorded for a place. `hint` is null where trusting the file anew is the remedy. */
export function readTrust(place: string, home: string): TrustRead {
  // Such as the /dev/null of a system account, where nothing can have been recorded.
  const isFolder = isAbsolute(home) && (!existsSync(home) || statSync(home).isDirectory());
  if (!isFolder) return { kind: "none" };
  const file = recordFile(place, home);
  const read = readSafeFileIfAny(file, longestRecord);
  if (read === null) return { kind: "none" };
  if (read.kind !== "text")
    return {
      kind: "unclear",
      why: read.kind === "unsafe" ? read.why : `${file}: ${read.why}`,
      hint: read.kind === "unsafe" ? read.hint : null,
    };
  const record = parseRecord(read.text);
  return record?.place === place
    ? { kind: "record", record }
    : { kind: "unclear", why: `${file} is damaged`, hint: null };
}

/**
 * Records that whole or not at all, for this user alone to read. Rejects with
 * `LOOP_E_CONFIG_TRUST`.
 */
export function writeTrust(record: TrustRecord, home: string): void {
  if (!isAbsolute(home))
    throw new LoopError(
      "LOOP_E_CONFIG_TRUST",
      "trust is recorded in the home folder, and there is none",
      "set HOME to your home folder",
    );
  const file = recordFile(record.place, home);
  const draft = `${file}.${crypto.randomUUID()}`;
  try {
    // Made in somebody else's home it would stay there, and belong to this user.
    const unsafe = whyUnsafeToMake(folderOf(home));
    if (unsafe !== null) throw new Error(unsafe.why);
    mkdirSync(folderOf(home), { recursive: true, mode: 0o700 });
    const opened = openSync(draft, "wx", 0o600);
    try {
      writeFileSync(opened, `${JSON.stringify({ version: 1, ...record })}\n`);
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new LoopError(
      "LOOP_E_CONFIG_TRUST",
      `trust cannot be recorded in ${folderOf(home)}: ${error instanceof Error ? error.message : String(error)}`,
      "check the permissions of that folder",
    );
  }
  const read = readTrust(record.place, home);
  if (read.kind === "record") return;
  throw new LoopError(
    "LOOP_E_CONFIG_TRUST",
    `trust cannot be recorded in ${folderOf(home)}: ${read.kind === "none" ? "the record is gone" : read.why}`,
    (read.kind === "none" ? null : read.hint) ?? "run the command again",
  );
}

function folderOf(home: string): string {
  return join(home, ".loop", "trusted-configs");
}

function recordFile(place: string, home: string): string {
  return join(folderOf(home), `${sha256(place)}.json`);
}

function parseRecord(text: string): TrustRecord | null {
  try {
    const value: unknown = JSON.parse(text);
    if (
      typeof value !== "object" ||
      value === null ||
      !("place" in value) ||
      !("realPath" in value) ||
      !("text" in value)
    )
      return null;
    const { place, realPath, text: trusted } = value;
    if (
      typeof place !== "string" ||
      typeof realPath !== "string" ||
      (typeof trusted !== "string" && trusted !== null)
    )
      return null;
    return { place, realPath, text: trusted };
  } catch {
    return null;
  }
}
