import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { recordOf, writeRecord } from "@loopwork-tooling/record";
import { noPlant, type Plant, plants } from "./plants.ts";
import { runSeeds, type SeedResult } from "./pool.ts";
import { runSeed } from "./run.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "2000" },
    from: { type: "string", default: "1" },
    seed: { type: "string" },
    plant: { type: "string", default: noPlant.name },
    workers: { type: "string", default: String(availableParallelism()) },
    trace: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    out: { type: "string" },
  },
});
const plant =
  [noPlant, ...plants].find(({ name }) => name === values.plant) ??
  stop(`--plant takes one of ${plants.map(({ name }) => name).join(", ")}`);
const [count, from, workers] =
  values.seed === undefined
    ? [Number(values.seeds), Number(values.from), Number(values.workers)]
    : [1, Number(values.seed), 1];
if (![count, from, workers].every(Number.isInteger) || count < 1 || from < 0 || workers < 1)
  stop("--seeds, --from, --seed and --workers take whole numbers");

const began = performance.now();
const violations: { readonly seed: number; readonly invariant: string }[] = [];
const hash = createHash("sha256");
let [steps, done] = [0, 0];

/**
 * Told in the order of the seeds, so that the hash of all traces does not hang on the number of
 * threads.
 */
function note({ seed, steps: taken, violations: found, traceHash }: SeedResult): void {
  steps += taken;
  done += 1;
  hash.update(traceHash);
  for (const each of new Set(found)) violations.push({ seed, invariant: each });
  if (found.length > 0)
    say(
      `seed ${seed} at ${recordOf("", 0, {}).commit}: ${found[0] ?? ""}\n  \`npm run sim -- --seed ${seed}${plant === noPlant ? "" : ` --plant ${plant.name}`} --trace\` tells the whole run, on that commit`,
    );
  if (done % 1_000 === 0)
    say(
      `${done} seeds, ${steps} steps, ${violations.length} violations, ${seconds().toFixed(0)} s`,
    );
}

if (values.trace) await runHere(plant);
else await runSeeds({ from, count, plant: plant.name, workers }, note);

const report = { seeds: count, steps, violations, traceHash: hash.digest("hex") };
if (values.out !== undefined)
  writeRecord(
    values.out,
    recordOf(`npm run sim -- --seeds ${count} --from ${from}`, seconds(), report),
  );
if (values.json) process.stdout.write(`${JSON.stringify(report)}\n`);
else
  process.stdout.write(
    `${report.seeds} seeds, ${report.steps} steps, ${report.violations.length} violations, trace ${report.traceHash}\n`,
  );

/** In this thread, with every line of each trace. */
async function runHere(planted: Plant): Promise<void> {
  for (let seed = from; seed < from + count; seed += 1) {
    const result = await runSeed(seed, planted, true);
    say(result.trace.join("\n"));
    note(result);
  }
}

function seconds(): number {
  return (performance.now() - began) / 1_000;
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

function stop(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(2);
}
