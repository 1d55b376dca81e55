import { createHmac, timingSafeEqual } from "node:crypto";
import { type PostText, sealed } from "@loopwork/core/ports";

/**
 * Hidden markers on what the service posts. A marker is the last line of a comment and is bound to
 * the words above it by a keyed hash: copied under other words, quoted, or forged it proves
 * nothing, and the comment is plain text.
 */
export type Marks = {
  /**
   * The text with its marker. `purpose` names the one thing that this post does, such as
   * `effect-12`.
   */
  readonly sign: (text: PostText, purpose: string) => PostText;
  /** What every marker of that purpose begins with: to look for a post that may have been made. */
  readonly marker: (purpose: string) => string;
  /** True when the text ends with a marker that was made with our key for exactly these words. */
  readonly isOurs: (text: string) => boolean;
};

const opening = "<!-- loop:";
const closing = " -->";
const purposes = /^[a-z0-9][a-z0-9._-]{0,99}$/;

/** Markers made with this key. Purposes fit `[a-z0-9][a-z0-9._-]{0,99}`; others throw. */
export function createMarks(key: Uint8Array): Marks {
  const hash = (text: string, purpose: string): string =>
    createHmac("sha256", key)
      .update(`${purpose}\n${normal(text)}`)
      .digest("base64url");
  const marker = (purpose: string): string => {
    if (!purposes.test(purpose))
      throw new Error(`${JSON.stringify(purpose)} cannot be the purpose of a marker`);
    return `${opening}${purpose}:`;
  };
  return {
    marker,
    sign: (text, purpose) =>
      sealed(
        text,
        (words) => `${words.trimEnd()}\n\n${marker(purpose)}${hash(words, purpose)}${closing}`,
      ),
    isOurs(text) {
      const read = readMarker(text);
      if (read === null) return false;
      const [made, claimed] = [Buffer.from(hash(read.text, read.purpose)), Buffer.from(read.hash)];
      return made.length === claimed.length && timingSafeEqual(made, claimed);
    },
  };
}

/** Takes the last line apart; null when it is no marker. */
function readMarker(
  comment: string,
): { readonly text: string; readonly purpose: string; readonly hash: string } | null {
  const body = comment.trimEnd();
  const start = body.lastIndexOf("\n") + 1;
  const line = body.slice(start);
  if (line.length > 300 || !line.startsWith(opening) || !line.endsWith(closing)) return null;
  const inside = line.slice(opening.length, -closing.length);
  const colon = inside.indexOf(":");
  const purpose = inside.slice(0, Math.max(colon, 0));
  return purposes.test(purpose)
    ? { text: body.slice(0, start), purpose, hash: inside.slice(colon + 1) }
    : null;
}

/**
 * The host may change line ends and blanks at the end; that must not make our own words foreign.
 */
const normal = (text: string): string => text.replaceAll("\r\n", "\n").trimEnd();
