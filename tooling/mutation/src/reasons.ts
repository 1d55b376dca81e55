import { readdirSync, readFileSync } from "node:fs";
import type { FileResult, Survivor } from "./result.ts";

/**
 * Why it is right that no test notices a mutant. Found again by its texts, so that it may stand on
 * another line tomorrow.
 */
export type Reason = {
  readonly file: string;
  readonly lineText: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
};

export type Judged = {
  readonly explained: readonly {
    readonly file: string;
    readonly survivor: Survivor;
    readonly reason: string;
  }[];
  readonly unexplained: readonly { readonly file: string; readonly survivor: Survivor }[];
  /** Reasons of files that were run, for mutants that are noticed now or are no more. */
  readonly stale: readonly Reason[];
};

/** All reasons, of one file for each folder of core. */
export function readReasons(): readonly Reason[] {
  const folder = new URL("../survivors/", import.meta.url);
  return readdirSync(folder)
    .toSorted()
    .flatMap((file): Reason[] => JSON.parse(readFileSync(new URL(file, folder), "utf8")));
}

export function judgeSurvivors(files: readonly FileResult[], reasons: readonly Reason[]): Judged {
  const all = files.flatMap(({ file, survivors }) =>
    survivors.map((survivor) => ({ file, survivor })),
  );
  const known = new Map(reasons.map((each) => [keyOf(each.file, each), each.reason]));
  const standing = new Set(all.map(({ file, survivor }) => keyOf(file, survivor)));
  const run = new Set(files.map(({ file }) => file));
  return {
    explained: all.flatMap((each) => {
      const reason = known.get(keyOf(each.file, each.survivor));
      return reason === undefined ? [] : [{ ...each, reason }];
    }),
    unexplained: all.filter(({ file, survivor }) => !known.has(keyOf(file, survivor))),
    stale: reasons.filter((each) => run.has(each.file) && !standing.has(keyOf(each.file, each))),
  };
}

function keyOf(
  file: string,
  { lineText, from, to }: Pick<Survivor, "lineText" | "from" | "to">,
): string {
  return JSON.stringify([file, lineText, from, to]);
}
