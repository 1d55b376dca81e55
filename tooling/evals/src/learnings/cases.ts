import { readFileSync } from "node:fs";
import { type Operation, operations } from "@loopwork/core/learnings";
import { type Misfit, readRows, type RowShape } from "../rows.ts";
import { isRecord, isText, nameOf, type Record } from "../shape.ts";

/** A candidate, the index that it meets, and what should become of it. */
export type LearningCase = {
  readonly id: string;
  readonly index: readonly { readonly id: string; readonly text: string }[];
  readonly text: string;
  readonly expected: Operation;
  readonly target: string | null;
  /** Where it comes from, without the revision: cases of one source belong to one fold. */
  readonly source: string;
};

export const caseShape: RowShape<LearningCase> = {
  keys: ["id", "index", "candidate", "expected", "target", "source", "kind"],
  read: readCase,
};

/** The cases of our own tables, on which the weights that ship are fitted among others. */
export function ownCases(): readonly LearningCase[] {
  return ["learnings", "learnings-domains", "learnings-rules"].flatMap(
    (name) =>
      readRows(
        readFileSync(new URL(`../../tables/${name}.jsonl`, import.meta.url), "utf8"),
        caseShape,
      ).rows,
  );
}

function readCase({
  id,
  index,
  candidate,
  expected,
  target,
  source,
}: Record): LearningCase | Misfit {
  if (!isText(id) || id === "") return { misfit: `id must be a text, and is ${nameOf(id)}` };
  if (!Array.isArray(index)) return { misfit: `index must be a list, and is ${nameOf(index)}` };
  const entries = index.flatMap((entry: unknown) =>
    isRecord(entry) && isText(entry["id"]) && isText(entry["text"])
      ? [{ id: entry["id"], text: entry["text"] }]
      : [],
  );
  if (entries.length < index.length)
    return { misfit: "every entry of index must have id and text" };
  if (!isRecord(candidate) || !isText(candidate["text"]))
    return { misfit: "candidate.text must be a text" };
  const op = operations.find((each) => each === expected);
  if (op === undefined) return { misfit: `expected must be one of ${operations.join(", ")}` };
  if (op !== "ADD" && !entries.some((entry) => entry.id === target))
    return { misfit: "target must be the id of an entry of index" };
  return {
    id,
    index: entries,
    text: candidate["text"],
    expected: op,
    target: op === "ADD" || !isText(target) ? null : target,
    source: isText(source) ? ((source.split("@")[0] ?? source).split(" ")[0] ?? source) : "",
  };
}
