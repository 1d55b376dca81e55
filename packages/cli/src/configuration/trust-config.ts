import { LoopError } from "@loopwork/core/ports";
import { type ConfigIo, findConfigPlaces, namedPlace } from "./find-config.ts";
import { longestConfig } from "./open-config.ts";
import { readSafeFile } from "../file-ownership/safe-file.ts";
import { readTrust, writeTrust } from "./trust-records.ts";

/**
 * A file that a person may trust: what stands there now, and what they trusted before, null for
 * nothing.
 */
export type TrustCandidate = {
  readonly file: string;
  readonly place: string;
  readonly realPath: string;
  readonly text: string;
  readonly before: string | null;
  /** What they trusted can't be told: its record is damaged, or others could have changed it. */
  readonly isUnclear: boolean;
  /** Also what its links lead to is what was trusted. */
  readonly isTrusted: boolean;
  /** Nobody needs to trust it: the user chose its place. */
  readonly isOwnChoice: boolean;
};

/**
 * The file that the search order comes upon first, whether it may be used or not; null where there
 * is none. Rejects with `LOOP_E_CONFIG_OWNER` where others could have written it, which trust does
 * not change.
 */
export function trustCandidate(asked: string | null, io: ConfigIo): TrustCandidate | null {
  const [found] = findConfigPlaces(asked, io);
  if (found === undefined) return null;
  const { file, place, origin } = found;
  const read = readSafeFile(file, longestConfig);
  if (read.kind !== "text")
    throw new LoopError(
      read.kind === "unsafe" ? "LOOP_E_CONFIG_OWNER" : "LOOP_E_CONFIG_UNREADABLE",
      `${file} can't be trusted: ${read.why}`,
      read.hint,
    );
  const trust = readTrust(place, io.home);
  const record = trust.kind === "record" ? trust.record : null;
  const isTrusted = record?.text === read.text && record.realPath === read.realPath;
  return {
    file,
    place,
    realPath: read.realPath,
    text: read.text,
    before: record?.text ?? null,
    isUnclear: trust.kind === "unclear",
    isTrusted,
    isOwnChoice: origin !== "discovered" && trust.kind === "none",
  };
}

/** From now on the file is used with the text that the person was shown, and with no other. */
export function trustConfig({ place, realPath, text }: TrustCandidate, home: string): void {
  writeTrust({ place, realPath, text }, home);
}

/** From now on the file isn't used, however it is named. */
export function revokeTrust({ place, realPath }: TrustCandidate, home: string): void {
  writeTrust({ place, realPath, text: null }, home);
}

/**
 * A trusted file that a command of the user's has just rewritten stays trusted, with the words that
 * were written.
 */
export function keepTrust(file: string, text: string, home: string): void {
  const { place } = namedPlace(file);
  if (readTrust(place, home).kind !== "record") return;
  const read = readSafeFile(file, longestConfig);
  if (read.kind === "text" && read.text === text)
    writeTrust({ place, realPath: read.realPath, text }, home);
}
