import { LoopError } from "@loopwork/core/ports";
import type { z } from "zod";

/** One thing that is wrong with an input: where, and what is expected there. */
export type InputProblem = { readonly path: string; readonly message: string };

/** The input does not fit the operation's schema: every problem at once. */
export class InputRejected extends LoopError {
  readonly problems: readonly InputProblem[];

  constructor(problems: readonly InputProblem[]) {
    super(
      "LOOP_E_INPUT",
      "Invalid input",
      "See /api/v1/openapi.json for what each operation takes",
    );
    this.problems = problems;
  }
}

export function inputProblems(error: z.ZodError): readonly InputProblem[] {
  return error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
}
