import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { classify, operations, type Weights } from "@loopwork/core/learnings";
import { readRows } from "../rows.ts";
import { caseShape, type LearningCase } from "./cases.ts";
import { judge } from "./evaluate.ts";
import { fit } from "./fit.ts";
import { crossValidate } from "./folds.ts";

/**
 * `npm run -s --prefix tooling/evals fit:learnings -- --file F [--with OWN]... [--write PATH]`: prints what is reached on
 * sources of F that were left out, alone and with the cases of OWN, what OWN alone teaches about F,
 * and writes the weights of all of them.
 */
const { values } = parseArgs({
  options: {
    file: { type: "string" },
    with: { type: "string", multiple: true },
    write: { type: "string" },
  },
});
const cases = values.file === undefined ? [] : casesOf(values.file);
const own = (values.with ?? []).flatMap(casesOf);
const learned = fit(own);
const report = {
  folds: cases.length === 0 ? null : crossValidate(cases, []),
  foldsWithOwn: cases.length === 0 || own.length === 0 ? null : crossValidate(cases, own),
  ownAlone:
    cases.length === 0 || own.length === 0
      ? null
      : judge(cases.map((of) => ({ of, got: classify(of.text, of.index, learned) }))),
};
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
if (values.write !== undefined)
  writeFileSync(resolve(here(), values.write), moduleOf(fit([...cases, ...own])));

function casesOf(path: string): readonly LearningCase[] {
  return readRows(readFileSync(resolve(here(), path), "utf8"), caseShape).rows;
}

function here(): string {
  return process.env["INIT_CWD"] ?? process.cwd();
}

function moduleOf(weights: Weights): string {
  const rows = operations.map((op) => `  ${op}: [${weights[op].join(", ")}],`);
  return `import type { Weights } from "./model.ts";\n\n/** Written by \`fit:learnings\` of \`tooling/evals\`; in the order of the features. */\nexport const shipped: Weights = {\n${rows.join("\n")}\n};\n`;
}
