import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Hidden markers on what the service posts (decisions.md 5, Own writing). A marker is the last line of a comment:
 *
 *     <!-- loop:<purpose>:<hash> -->
 *
 * The hash is keyed and covers purpose and text, so that a marker that was copied elsewhere, quoted or made up is
 * nothing but text (P09). Blanks do not count, because hosts change line ends.
 */
export type Marks = {
  readonly sign: (text: string, purpose: string) => string;
  /** Beginning of the marker of a purpose, by which a post is found again. */
  readonly marker: (purpose: string) => string;
  readonly isOurs: (text: string) => boolean;
};

const opening = "<!-- loop:";
const closing = " -->";
const purposeGrammar = /^[A-Za-z0-9._-]{1,200}$/;

export function createMarks(key: Uint8Array): Marks {
  const hash = (purpose: string, text: string): string => createHmac("sha256", key).update(`${purpose}\n${text.split(/\s/).filter((word) => word !== "").join(" ")}`).digest("hex");
  return {
    marker: (purpose) => `${opening}${checked(purpose)}:`,
    sign: (text, purpose) => `${text.trimEnd()}\n\n${opening}${checked(purpose)}:${hash(purpose, text)}${closing}`,
    isOurs(text) {
      const body = text.trimEnd();
      const start = body.lastIndexOf("\n") + 1;
      const [purpose, mac] = body.startsWith(opening, start) && body.endsWith(closing) ? body.slice(start + opening.length, -closing.length).split(":") : [];
      return purpose !== undefined && mac !== undefined && purposeGrammar.test(purpose) && equal(mac, hash(purpose, body.slice(0, start)));
    },
  };
}

/** Marks under the key in `file`, which is made on first use and readable by its owner only. */
export function openMarks(file: string): Marks {
  return createMarks(readOrMakeKey(file));
}

function readOrMakeKey(file: string): Uint8Array {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  return Buffer.from(readFileSync(file, "utf8").trim(), "hex");
}

function checked(purpose: string): string {
  if (!purposeGrammar.test(purpose)) throw new TypeError(`${JSON.stringify(purpose.slice(0, 60))} cannot name the purpose of a post`);
  return purpose;
}

function equal(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
