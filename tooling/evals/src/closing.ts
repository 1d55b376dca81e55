import { closingReferences } from "@loopwork/core/keywords";
import type { Misfit, RowShape } from "./rows.ts";
import { isText, nameOf, type Record } from "./shape.ts";
import { share } from "./share.ts";

/**
 * A text of a pull request of `owner/repo`, and the issues that it closes. `basis` says where the
 * expectation comes from.
 */
export type ClosingRow = {
  readonly id: string;
  readonly text: string;
  readonly owner: string;
  readonly repo: string;
  readonly expected: readonly number[];
  readonly basis: string;
};

export type ClosingResult = {
  readonly rows: number;
  readonly accuracy: { readonly overall: number; readonly [basis: string]: number };
  readonly wrong: readonly string[];
};

export const closingShape: RowShape<ClosingRow> = {
  keys: ["id", "text", "owner", "repo", "expected", "basis"],
  read: readClosing,
};

/** Public host of the tables; a URL on another one names another repository. */
const defaultHost = "github.com";

/**
 * How many rows the product's own reader gets right: the same issues, each once. In which order
 * they come is not judged here, since tables list them in any.
 */
export function evalClosing(rows: readonly ClosingRow[]): ClosingResult {
  const right = new Map<string, [right: number, all: number]>();
  const wrong: string[] = [];
  for (const row of rows) {
    const count = right.get(row.basis) ?? [0, 0];
    right.set(row.basis, count);
    count[1] += 1;
    if (isRight(row)) count[0] += 1;
    else wrong.push(row.id);
  }
  const byBasis = [...right].map(([basis, [good, all]]): [string, number] => [
    basis,
    share(good, all),
  ]);
  return {
    rows: rows.length,
    accuracy: {
      overall: share(rows.length - wrong.length, rows.length),
      ...Object.fromEntries(byBasis),
    },
    wrong,
  };
}

/** What the product reads out of a row's text. */
export function closingOf(row: ClosingRow): readonly number[] {
  return closingReferences(row.text, { owner: row.owner, repo: row.repo, defaultHost });
}

function isRight(row: ClosingRow): boolean {
  const found = new Set(closingOf(row));
  const expected = new Set(row.expected);
  return found.size === expected.size && [...expected].every((number) => found.has(number));
}

function readClosing(line: Record): ClosingRow | Misfit {
  const { id, text, owner, repo, expected, basis } = line;
  if (!isText(id) || id === "") return { misfit: `id must be a text, and is ${nameOf(id)}` };
  if (!isText(text)) return { misfit: `text must be a text, and is ${nameOf(text)}` };
  if (!isText(owner) || owner === "")
    return { misfit: `owner must be a text, and is ${nameOf(owner)}` };
  if (!isText(repo) || repo === "")
    return { misfit: `repo must be a text, and is ${nameOf(repo)}` };
  if (!isText(basis) || basis === "")
    return { misfit: `basis must be a text, and is ${nameOf(basis)}` };
  if (basis === "overall")
    return { misfit: "basis must not be overall, which names the accuracy of all rows" };
  if (!Array.isArray(expected))
    return { misfit: `expected must be a list of issue numbers, and is ${nameOf(expected)}` };
  const numbers = expected.filter(
    (number): number is number =>
      typeof number === "number" && Number.isSafeInteger(number) && number > 0,
  );
  if (numbers.length < expected.length)
    return { misfit: "expected must hold nothing but whole numbers from 1" };
  return { id, text, owner, repo, expected: numbers, basis };
}
