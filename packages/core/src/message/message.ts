import type { RefText } from "../ref/ref.ts";
import { OutsideText, outside } from "./outside-text.ts";

/**
 * What may stand in a message beside the words of its template. A string may not: its text is
 * somebody's, so it is `outside`.
 */
export type Sayable = number | RefText | OutsideText | Message;

/**
 * Words of ours, with text from outside between them that is still apart. Made by `say`, shown by
 * one formatting function per channel.
 */
export class Message {
  readonly #parts: readonly (string | OutsideText)[];

  constructor(parts: readonly (string | OutsideText)[]) {
    this.#parts = parts;
  }

  toString(): string {
    return "[message]";
  }

  toJSON(): string {
    return "[message]";
  }

  /** For the functions of this folder, and for nobody else (`outside.test.ts`). */
  static read(message: Message): readonly (string | OutsideText)[] {
    return message.#parts;
  }
}

/** A message in the words of the template: say`The check ${outside(name)} failed.` */
export function say(words: TemplateStringsArray, ...values: readonly Sayable[]): Message {
  return new Message(words.flatMap((word, i) => [word, ...partsOf(values[i])]));
}

function partsOf(value: Sayable | undefined): readonly (string | OutsideText)[] {
  if (value === undefined) return [];
  if (value instanceof Message) return Message.read(value);
  return [value instanceof OutsideText ? value : String(value)];
}

/** Several messages as one. */
export function joinMessages(messages: readonly Message[], between: Message): Message {
  return new Message(
    messages.flatMap((message, i) => [
      ...(i === 0 ? [] : Message.read(between)),
      ...Message.read(message),
    ]),
  );
}

/**
 * Words that the operator configured, or that a table of ours holds: said in the service's own
 * voice, Markdown and all. Few may do that (`outside.test.ts`).
 */
export function trustedWords(text: string): Message {
  return new Message([text]);
}

/** Somebody by their login, as a mention: for people who are heard. What is no login is quoted. */
export function person(login: string): Message {
  return isPlainLogin(login) ? new Message([`@${login}`]) : say`${outside(login)}`;
}

/**
 * Whether a login is nothing but a name, on any host and of any age: it may stand among words of
 * ours.
 */
export function isPlainLogin(login: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}(?:\[bot\])?$/.test(login);
}
