/**
 * An error that a person can meet: a stable code, one sentence, and what to do next
 * (docs/specification.md#exit-codes-and-errors). Bugs stay plain errors.
 */
export class LoopError extends Error {
  override readonly name: string = "LoopError";
  readonly code: `LOOP_E_${string}`;
  readonly hint: string;

  /**
   * Known by its code and hint: a package that is installed globally brings a copy of this class of
   * its own.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (this !== LoopError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return (
      value instanceof Error &&
      "hint" in value &&
      "code" in value &&
      typeof value.code === "string" &&
      value.code.startsWith("LOOP_E_")
    );
  }

  constructor(code: `LOOP_E_${string}`, sentence: string, hint: string) {
    super(sentence);
    this.code = code;
    this.hint = hint;
  }
}
