import { parseArgs } from "node:util";
import { generate } from "./generate.ts";
import { replay } from "./replay.ts";

/**
 * `npm run -s --prefix tooling/evals replay:learnings [-- --seed N] [--json]`: a thousand generated candidates through
 * gate, consolidation and budget; prints what was taken in, changed, ended and evicted, each with
 * its reason, and what became of what was planted.
 */
const { values } = parseArgs({
  options: { seed: { type: "string", default: "1" }, json: { type: "boolean", default: false } },
});
const { told, ...result } = replay(generate(Number(values.seed), Date.UTC(2026, 0, 1)));
for (const line of told) process.stderr.write(`${line}\n`);
process.stdout.write(`${JSON.stringify(result, null, values.json ? undefined : 2)}\n`);
