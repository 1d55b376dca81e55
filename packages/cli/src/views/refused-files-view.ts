import { type Block, line } from "../output/result.ts";

type Refused = { readonly name: string; readonly problem: string };

const [code, hint] = ["LOOP_E_LEARNING", "Fix or remove it. Everything else continues without it."];

/** Files of a queue that are no candidates, as data: why, and what to do. */
export function refusedData(
  refused: readonly Refused[],
): readonly (Refused & { readonly code: string; readonly hint: string })[] {
  return refused.map((each) => ({ ...each, code, hint }));
}

/** The same for people. */
export function refusedLines(refused: readonly Refused[]): readonly Block[] {
  return refused.length === 0
    ? []
    : [
        ...refused.map(({ name, problem }) =>
          line(`${name} is not a candidate: ${problem} (${code})`, "warn"),
        ),
        line(hint, "dim"),
      ];
}
