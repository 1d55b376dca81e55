import { parseArgs } from "node:util";
import { fuzzMarkdown } from "./fuzz.ts";

const usage =
  "Usage: npm run --prefix tooling/evals fuzz:markdown -- [--documents 100000] [--seed 1] [--json]";

/**
 * Prints what the product and a renderer of Markdown disagree on; the exit code is 1 where nothing
 * explains a difference, 2 for bad flags.
 */
function main(): number {
  const { values } = parseArgs({
    options: {
      documents: { type: "string", default: "100000" },
      seed: { type: "string", default: "1" },
      json: { type: "boolean", default: false },
    },
  });
  const documents = Number(values.documents);
  const seed = Number(values.seed);
  if (
    !Number.isSafeInteger(documents) ||
    documents < 1 ||
    documents > 10_000_000 ||
    !Number.isSafeInteger(seed)
  ) {
    process.stderr.write(`Invalid number of documents or seed.\n${usage}\n`);
    return 2;
  }
  const result = fuzzMarkdown({ documents, seed });
  if (values.json) process.stdout.write(`${JSON.stringify(result)}\n`);
  else {
    const lines = [
      `${result.documents} documents, ${result.shown} visible keywords (seed ${seed})`,
      `Acts on words that aren't visible: ${result.acts} documents`,
      `Ignores visible words: ${result.silent} documents`,
      ...Object.entries(result.explained).flatMap(([why, count]) => [
        `  ${count} × ${why}`,
        ...(result.examples[why] ?? []).map((text) => `      ${JSON.stringify(text)}`),
      ]),
      `Unexplained: ${result.unexplained.length}`,
      ...result.unexplained.slice(0, 20).map((text) => `  ${JSON.stringify(text)}`),
    ];
    process.stdout.write(`${lines.join("\n")}\n`);
  }
  return result.unexplained.length === 0 ? 0 : 1;
}

try {
  process.exitCode = main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}\n`);
  process.exitCode = 2;
}
