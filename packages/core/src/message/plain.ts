import { escapeHidden } from "../text/hidden-characters.ts";
import type { Message } from "./message.ts";
import { shown } from "./shown.ts";

/**
 * One line for a terminal, a log or a notification: nothing hidden in it, no line end, no control
 * character.
 */
export type PlainText = string & { readonly __plainText: true };

/** Characters of a line; a notification is read on a telephone. */
const longestLine = 2_000;
const longestQuoted = 500;

/** A message as one plain line: what comes from outside stands there in quotes. */
export function formatPlain(message: Message): PlainText {
  return plainLine(shown(message, quoted));
}

/** Any text as one plain line, all of it escaped. Escaping it twice changes nothing. */
export function plainLine(text: string): PlainText {
  const short = text.length > longestLine ? `${text.slice(0, longestLine)}…` : text;
  return brand(
    escapeHidden(short.replaceAll("\r", "\\r").replaceAll("\n", "\\n").replaceAll("\t", "\\t")),
  );
}

function quoted(text: string): string {
  return escapeHidden(
    JSON.stringify(text.length > longestQuoted ? `${text.slice(0, longestQuoted)}…` : text),
  );
}

function brand(text: string): PlainText {
  assertPlain(text);
  return text;
}

/** A brand for the compiler: at run time every string is one. */
function assertPlain(_text: string): asserts _text is PlainText {}
