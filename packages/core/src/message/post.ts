import { escapeInline } from "../text/hidden-characters.ts";
import type { Message } from "./message.ts";
import { shown } from "./shown.ts";

/**
 * What may be posted on the code host. Made by the functions of this folder alone, and the only
 * thing that the host's client takes.
 */
export type PostText = string & { readonly __postText: true };

/** Characters of one quoted text. */
const longestQuoted = 200;

/**
 * A message as a comment: what comes from outside stands there as code, where nothing is a mention,
 * a link, an image or a command.
 */
export function formatPost(message: Message): PostText {
  return brand(shown(message, codeSpan));
}

/**
 * Words that a person typed on the command line, or that are all ours, to be posted as they stand.
 */
export function verbatimPost(text: string): PostText {
  return brand(text);
}

/**
 * The same text with a change that adds nothing of anybody's: without secrets, or with our marker.
 */
export function sealed(text: PostText, seal: (text: string) => string): PostText {
  return brand(seal(text));
}

/** A post with a message of ours below it. */
export function withMessage(text: PostText, message: Message): PostText {
  return brand(`${text}\n\n${formatPost(message)}`);
}

/**
 * One line that stays code on the page, whatever it holds: no backquote and no line end is left in
 * it. Empty text has no code.
 */
export function codeSpan(text: string): string {
  const line = escapeInline(text.trim(), longestQuoted).replaceAll("`", "'");
  return line === "" ? "(empty)" : `\`${line}\``;
}

/** Brands a text whose maker has seen to it that nothing from outside is live in it. */
export function brand(text: string): PostText {
  assertPost(text);
  return text;
}

/** A brand for the compiler: at run time every string is one. */
function assertPost(_text: string): asserts _text is PostText {}
