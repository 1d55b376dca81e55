/**
 * An error that a person can meet: a stable code, one sentence, and what to do next
 * (docs/specification.md#exit-codes-and-errors). Bugs stay plain errors.
 */
export class LoopError extends Error {
  override readonly name: string = "LoopError";
  readonly code: `LOOP_E_${string}`;
  readonly hint: string;

  constructor(code: `LOOP_E_${string}`, sentence: string, hint: string) {
    super(sentence);
    this.code = code;
    this.hint = hint;
  }
}
