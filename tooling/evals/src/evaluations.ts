import { closingShape, evalClosing } from "./closing.ts";
import { EvalError } from "./failure.ts";
import { evalKeywords, keywordShape } from "./keywords.ts";
import { caseShape, ownCases } from "./learnings/cases.ts";
import { evalLearnings } from "./learnings/evaluate.ts";
import { toldOfFolds } from "./learnings/folds.ts";
import { readRows, type RowShape } from "./rows.ts";

/**
 * What one evaluation found: stable keys, what is odd about its table, and what is told behind the
 * result because it takes longer.
 */
export type Measured = {
  readonly rows: number;
  readonly result: object;
  readonly notes: readonly string[];
  readonly later: () => readonly string[];
};

/** Each evaluation by its name: from the text of a table to its result. */
export const evaluations: Readonly<Record<string, (text: string) => Measured>> = {
  closing: (text) => measure(text, closingShape, evalClosing),
  keywords: (text) => measure(text, keywordShape, evalKeywords),
  learnings: (text) =>
    measure(
      text,
      caseShape,
      (cases) => evalLearnings(cases, () => performance.now()),
      (cases) => toldOfFolds(cases, ownCases()),
    ),
};

/** The evaluation of that name; an error lists those there are. */
export function evaluationOf(name: string): (text: string) => Measured {
  const found = Object.hasOwn(evaluations, name) ? evaluations[name] : undefined;
  if (found === undefined)
    throw new EvalError(
      "LOOP_E_EVAL_USAGE",
      `there is no evaluation ${JSON.stringify(name)}`,
      `use ${Object.keys(evaluations)
        .map((each) => `npm run -s eval:${each}`)
        .join(" or ")}`,
    );
  return found;
}

function measure<Row extends { readonly id: string }>(
  text: string,
  shape: RowShape<Row>,
  evaluate: (rows: readonly Row[]) => object,
  later: (rows: readonly Row[]) => readonly string[] = () => [],
): Measured {
  const { rows, notes } = readRows(text, shape);
  return { rows: rows.length, result: evaluate(rows), notes, later: () => later(rows) };
}
