import { type Line, type LinesBefore, quotesBelow } from "./lines.ts";

/**
 * Where words may begin that aren't the author's: up to `end`, or to the end of the text where that
 * is null. It counts only if no code and no quote stands there, which `surely` knows.
 */
export type MailMark = {
  readonly start: number;
  readonly end: number | null;
  readonly surely: boolean;
};

export function toTheEnd(start: number): MailMark {
  return { start, end: null, surely: false };
}

/**
 * Lines from `start` to `line` that a client put above another mail. Where that is marked with `>`
 * they alone are the client's. But who wrote above them is done: what follows the marked lines was
 * quoted in the other mail, or is its end.
 */
export function aboveMail(text: string, line: Line, start: number, lines: LinesBefore): MailMark {
  const isAnswered = quotesBelow(text, line.end) && lines.ownFrom >= start;
  // What was taken for the author's right above is the client's as well.
  if (isAnswered) lines.ownFrom = text.length;
  return { start, end: isAnswered ? line.end : null, surely: false };
}
