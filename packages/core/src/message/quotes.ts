import type { Message } from "./message.ts";
import { shown } from "./shown.ts";

/** Characters of one text that is quoted in a prompt. */
const longestQuoted = 2_000;

/**
 * What the words of a prompt quote: the texts themselves go into the data, as JSON, and `[quoted
 * 1]` stands in the words. So nothing that somebody else chose reads like an instruction of the
 * service.
 */
export type Quotes = {
  readonly words: (message: Message) => string;
  readonly texts: () => readonly string[];
};

export function beginQuotes(): Quotes {
  const texts: string[] = [];
  const quote = (text: string): string => {
    const kept =
      text.length > longestQuoted
        ? `${text.slice(0, longestQuoted)}… (${text.length - longestQuoted} more characters)`
        : text;
    const known = texts.indexOf(kept);
    if (known === -1) texts.push(kept);
    return `[quoted ${known === -1 ? texts.length : known + 1}]`;
  };
  return { words: (message) => shown(message, quote), texts: () => texts };
}
