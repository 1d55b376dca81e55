import { LoopError } from "@loopwork/core/ports";

/** Why nothing could be measured, with one detail for each line that could not be read. */
export class EvalError extends LoopError {
  readonly details: readonly string[];

  constructor(
    code: `LOOP_E_EVAL_${string}`,
    sentence: string,
    hint: string,
    details: readonly string[] = [],
  ) {
    super(code, sentence, hint);
    this.details = details;
  }
}
