import { parseArgs } from "node:util";
import { noPlant, plants } from "./plants.ts";
import { runSeed } from "./run.ts";
import { createHash } from "node:crypto";

const { values } = parseArgs({ options: { seeds: { type: "string", default: "2000" }, from: { type: "string", default: "1" }, seed: { type: "string" }, plant: { type: "string" }, trace: { type: "boolean", default: false }, json: { type: "boolean", default: false } } });
const plant = values.plant === undefined ? noPlant : plants.find(({ name }) => name === values.plant);
if (plant === undefined) stop(`--plant takes one of ${plants.map(({ name }) => name).join(", ")}`);
const [count, from] = values.seed === undefined ? [Number(values.seeds), Number(values.from)] : [1, Number(values.seed)];
if (!Number.isInteger(count) || !Number.isInteger(from) || count < 1 || from < 0) stop("--seeds, --from and --seed take whole numbers");

const began = performance.now();
const violations: { seed: number; invariant: string }[] = [];
const hash = createHash("sha256");
let steps = 0;
for (let seed = from; seed < from + count; seed++) {
  const result = await runSeed(seed, plant, values.trace);
  steps += result.steps;
  hash.update(result.traceHash);
  for (const each of new Set(result.violations)) violations.push({ seed, invariant: each });
  if (values.trace) process.stderr.write(`${result.trace.join("\n")}\n`);
  if (result.violations.length > 0) process.stderr.write(`seed ${seed}: ${result.violations[0] ?? ""}\n  \`npm run sim -- --seed ${seed} --trace\` tells the whole run\n`);
  if ((seed - from + 1) % 100 === 0) process.stderr.write(`${seed - from + 1} seeds, ${steps} steps, ${violations.length} violations, ${((performance.now() - began) / 1_000).toFixed(1)} s\n`);
}
const report = { seeds: count, steps, violations, traceHash: hash.digest("hex") };
if (values.json) process.stdout.write(`${JSON.stringify(report)}\n`);
else process.stdout.write(`${report.seeds} seeds, ${report.steps} steps, ${report.violations.length} violations, trace ${report.traceHash}\n`);

function stop(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(2);
}
