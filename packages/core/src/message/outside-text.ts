/**
 * Text that somebody outside of this program chose: titles, names of checks, branches and files,
 * messages of programs, everything that stands in a variable instead of in this source. An object
 * and no string, so that it joins no sentence by accident: only the formatting functions of this
 * folder show it, each as quoted data (ADR 0016).
 */
export class OutsideText {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** What a template or a concatenation gets instead of the text. */
  toString(): string {
    return "[outside text]";
  }

  /** The same for JSON. */
  toJSON(): string {
    return "[outside text]";
  }

  /**
   * The text itself. For the functions of this folder that quote it, and for nobody else
   * (`outside.test.ts`).
   */
  static read(outside: OutsideText): string {
    return outside.#text;
  }
}

/** Marks a text as one from outside. */
export function outside(text: string): OutsideText {
  return new OutsideText(text);
}
