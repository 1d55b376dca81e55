import { foldLogin } from "../accounts/account.ts";
import { keywordAt, type KeywordStep } from "../control/keyword-tree.ts";
import { beginsWord } from "../text/words.ts";
import { commandsIn } from "./agent-command.ts";
import { harmlessEntities, harmlessTags } from "./agent-tags.ts";

/**
 * What is known while the lines of an agent's text are read. `doubt`: nobody can tell any more what
 * is code in this paragraph.
 */
export type AgentReading = {
  readonly heard: ReadonlySet<string>;
  readonly steps: readonly KeywordStep[];
  doubt: boolean;
};

/**
 * Between two characters it keeps a host from reading them as one construct, in any context, and is
 * not seen.
 */
const apart = "\u200b";

/** Whether a line begins with a tag that stays one, behind marks of quotes and lists. */
export function beginsWithTag(line: string): boolean {
  const at = line.search(/[^ \t>*+\-0-9.)]/);
  return (
    at !== -1 && line.charAt(at) === "<" && harmlessTags.some((tag) => line.startsWith(tag, at))
  );
}

/** One line that is no fenced code, with everything live in it made text. */
export function quietLine(line: string, reading: AgentReading): string {
  if (/^ {0,3}>/.test(line) || beginsWithTag(line)) reading.doubt = true;
  const cursor: Cursor = {
    line,
    at: 0,
    commands: commandsIn(line),
    closing: closingRuns(line),
    link: null,
    inAddress: false,
    asWrittenFrom: 0,
  };
  let quiet = "";
  while (cursor.at < line.length) quiet += step(cursor, reading);
  return quiet;
}

type Cursor = {
  readonly line: string;
  at: number;
  /** Where a command of a host or bot may begin. */
  readonly commands: ReadonlySet<number>;
  /** For each run of backquotes, by where it begins, where the next one of its length does. */
  readonly closing: ReadonlyMap<number, number>;
  /** The link whose words are being read. */
  link: { readonly wordsEnd: number; readonly end: number; readonly shown: string } | null;
  /** In something with `://`, up to the next blank. */
  inAddress: boolean;
  /** From here on nothing was changed. */
  asWrittenFrom: number;
};

/** What stands in place of the next characters. */
function step(cursor: Cursor, reading: AgentReading): string {
  const { line, at, link } = cursor;
  if (link !== null && at === link.wordsEnd) {
    cursor.link = null;
    return pass(cursor, link.end - at, link.shown);
  }
  const char = line.charAt(at);
  if (cursor.commands.has(at)) return pass(cursor, 1, char + apart);
  const keyword = beginsWord(line, at) ? keywordAt(line, at, reading.steps) : null;
  if (keyword !== null) return quietKeyword(cursor, keyword.end, reading);
  switch (char) {
    case "`":
      return code(cursor, reading);
    case "\\":
      if (line.charAt(at + 1) === "`") reading.doubt = true;
      return pass(cursor, 1, char);
    case "<":
      return angle(cursor);
    case "&":
      return pass(cursor, 1, ampersand(line, at));
    case "!":
      return pass(
        cursor,
        1,
        line.charAt(at + 1) === "[" ? (linkAt(line, at + 1) === null ? `!${apart}` : "") : char,
      );
    case "[":
      cursor.link ??= linkAt(line, at);
      return pass(cursor, 1, cursor.link === null ? char : apart);
    case "]":
      return pass(cursor, 1, /[(:]/.test(line.charAt(at + 1)) ? `]${apart}` : char);
    case "@":
      return pass(cursor, 1, mention(cursor, reading));
    case ":":
      if (line.startsWith("://", at)) cursor.inAddress = true;
      return pass(cursor, 1, char);
    default:
      if (char === " " || char === "\t") cursor.inAddress = false;
      return pass(cursor, 1, char);
  }
}

function pass(cursor: Cursor, length: number, shown: string): string {
  const isAsWritten = cursor.line.startsWith(shown, cursor.at) && shown.length === length;
  cursor.at += length;
  if (!isAsWritten) cursor.asWrittenFrom = cursor.at;
  return shown;
}

/**
 * Code within the line stays as it is. A run that ends on no line, or on a later one, leaves the
 * rest of the paragraph in doubt.
 */
function code(cursor: Cursor, reading: AgentReading): string {
  const { line, at } = cursor;
  const run = runEnd(line, at);
  const closing = reading.doubt ? undefined : cursor.closing.get(at);
  const end = closing === undefined ? run : runEnd(line, closing);
  // A line of a table comes apart at its bars before anything is code in it.
  if (closing !== undefined && !line.slice(at, end).includes("|"))
    return pass(cursor, end - at, line.slice(at, end));
  reading.doubt = true;
  return pass(cursor, run - at, line.slice(at, run));
}

/** A tag that may stay, an address in angle brackets, or text. */
function angle(cursor: Cursor): string {
  const { line, at } = cursor;
  const tag = harmlessTags.find((each) => line.startsWith(each, at));
  if (tag !== undefined) return pass(cursor, tag.length, tag);
  const address = /^<https?:\/\/[^\s<>`\\]{1,2000}>/.exec(line.slice(at, at + 2_020))?.[0];
  if (address !== undefined) return pass(cursor, address.length, address.replaceAll("@", "%40"));
  return pass(cursor, 1, /[A-Za-z/!?]/.test(line.charAt(at + 1)) ? "&lt;" : "<");
}

/** An entity may stand for a character that is live. */
function ampersand(line: string, at: number): string {
  return /[A-Za-z#]/.test(line.charAt(at + 1)) &&
    !harmlessEntities.some((each) => line.startsWith(each, at))
    ? "&amp;"
    : "&";
}

/**
 * Somebody who is heard may be called, and an address of mail stays one. In an address of the web
 * the sign is written as such addresses write it.
 */
function mention(cursor: Cursor, { heard }: AgentReading): string {
  const { line, at, inAddress } = cursor;
  if (inAddress) return "%40";
  const behind = line.slice(at + 1, at + 102);
  if (/^(?:\s|$)/.test(behind)) return "@";
  // The longest login that any host reads there: some have dots in them.
  const name = /^[A-Za-z0-9_](?:\.*[A-Za-z0-9_-])*/.exec(behind)?.[0] ?? "";
  // A slash makes a team of it. The page shows neither a backslash nor a stray end tag, so that what
  // follows belongs to the login.
  const goesOn = /^(?:\.|<\/[^<>]*>)*[\w\\/-]/.test(line.slice(at + 1 + name.length, at + 202));
  if (!goesOn && heard.has(foldLogin(name))) return "@";
  return name.includes(".") && mailbox.test(wordBefore(cursor)) ? "@" : `@${apart}`;
}

/**
 * The first part of an address of mail. Of what a host may make a link by itself, which leaves a
 * mention behind it, none is one: no reference, no id of a commit, no `www.`.
 */
const mailbox = /[\s([<,;:"'*|](?!www\.)[a-z](?:[._+]*[a-z0-9])*(?<!\b[0-9a-f]{7,40})$/i;

/** What is posted as it was written, up to here, behind what was changed last. */
function wordBefore({ line, at, asWrittenFrom }: Cursor): string {
  return at - asWrittenFrom < 66 ? ` ${line.slice(asWrittenFrom, at)}` : line.slice(at - 66, at);
}

/** Code where that is sure to be code; else it only is no word any more. */
function quietKeyword(cursor: Cursor, end: number, { doubt }: AgentReading): string {
  const { line, at } = cursor;
  const words = line.slice(at, end);
  const isBare = !doubt && !/[`\\]/.test(line.charAt(at - 1) + words + line.charAt(end));
  return pass(cursor, end - at, isBare ? `\`${words}\`` : `${apart}${words}`);
}

/**
 * A link with plain words and a plain address. One of any other form is none any more: its `](`
 * comes apart.
 */
function linkAt(line: string, at: number): Cursor["link"] {
  const [whole = "", words = "", address = ""] =
    /^\[([^[\]`<\\]{0,300})\]\(([^\s()[\]<>`\\"']{1,2000})\)/.exec(line.slice(at, at + 2_310)) ??
    [];
  if (whole === "") return null;
  const shown = address.replaceAll("@", "%40").replace(/&(?=[A-Za-z#])/g, "&amp;");
  return {
    wordsEnd: at + 1 + words.length,
    end: at + whole.length,
    shown: words === address ? "" : ` (${shown})`,
  };
}

function runEnd(line: string, at: number): number {
  let end = at;
  while (line.charAt(end) === "`") end += 1;
  return end;
}

function closingRuns(line: string): ReadonlyMap<number, number> {
  const next = new Map<number, number>();
  if (!line.includes("`")) return next;
  const last = new Map<number, number>();
  for (let at = line.indexOf("`"); at !== -1; at = line.indexOf("`", runEnd(line, at))) {
    const length = runEnd(line, at) - at;
    const before = last.get(length);
    if (before !== undefined) next.set(before, at);
    last.set(length, at);
  }
  return next;
}
