import { escapeHidden } from "../text/hidden-characters.ts";

/**
 * A message for a harness, in which its program finds nothing to act on. Made by `promptText`
 * alone, and the only thing that a harness takes for a prompt.
 */
export type PromptText = string & { readonly __promptText: true };

/**
 * Text that others wrote, as JSON between two lines that carry the nonce, with escapes for what the
 * harness's program would act on. Made by `dataBetween` alone.
 */
export type PromptData = string & { readonly __promptData: true };

/**
 * What programs of harnesses act on before the model sees a prompt, wherever it stands, data
 * included: mentions (of files, folders, agents and resources of servers, which are read at once,
 * outside of every sandbox), keywords such as `ultrathink`, and tags in which a program speaks with
 * its own voice. Read in Claude Code 2.1.332, and written for later ones: `@` of any width, and
 * every word that begins with `ultra`.
 */
const orders = /[@\uff20\ufe6b]|u(?=ltra[a-z])|<(?=\/?[a-z]+[-_][a-z])/giu;

/**
 * By its code the program takes the name of a skill behind a blank for a mention of it, where a
 * person typed the prompt. In words of ours it is the beginning of a path.
 */
const skills = /(?<=[\s\u3001\u3002\uff01\uff1f])\/(?=[a-z])/giu;

/** What is said below words of ours in which something had to be escaped. */
const explained =
  "In the words of this message, \\uXXXX stands for the character of that code, so that no program takes it for an order.";

/** Words of ours with data in between as a prompt. Doing it twice changes nothing. */
export function promptText(words: string): PromptText {
  const text = words.replaceAll(orders, escaped);
  return brand(text === words ? text : `${text.trimEnd()}\n\n${explained}\n`);
}

/**
 * Data of a prompt. JSON reads the escapes as the same characters.
 *
 * @param nonce in the words around it as well; must not stand in the data
 */
export function dataBetween(nonce: string, data: unknown, indent?: number): PromptData {
  const json = promptJson(data, indent);
  return brandData(`[data ${nonce} begins]\n${json}\n[data ${nonce} ends]`);
}

/** The JSON alone, to look for a nonce in it. */
export function promptJson(data: unknown, indent?: number): string {
  return escapeHidden(JSON.stringify(data, null, indent))
    .replaceAll(orders, escaped)
    .replaceAll(skills, escaped);
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function brand(text: string): PromptText {
  assertPrompt(text);
  return text;
}

function brandData(text: string): PromptData {
  assertData(text);
  return text;
}

/** Brands for the compiler: at run time every string is one. */
function assertPrompt(_text: string): asserts _text is PromptText {}
function assertData(_text: string): asserts _text is PromptData {}
