import { parseArgs } from "node:util";
import { guardNames, isGuard } from "./guards.ts";
import { runRestarts } from "./restarts.ts";
import { runFaults } from "./run.ts";

/**
 * `npm run faults -- [--kills N] [--seed S] [--without GUARD] [--json]`: kills under load. `npm run faults -- --restarts N [--rate R] [--json]`:
 * restarts under R deliveries a second. Exits 0 when it could measure; judging is the caller's.
 */
const { values } = parseArgs({ options: { kills: { type: "string", default: "20" }, seed: { type: "string", default: "1" }, lanes: { type: "string", default: "6" }, restarts: { type: "string" }, rate: { type: "string", default: "100" }, without: { type: "string" }, store: { type: "string", default: "sqlite" }, json: { type: "boolean" } } });
const [kills, seed, lanes] = [values.kills, values.seed, values.lanes].map(Number);
if (kills === undefined || seed === undefined || lanes === undefined || ![kills, seed, lanes].every(Number.isInteger) || kills < 0 || lanes < 1) stop("--kills, --seed and --lanes take whole numbers");
if (values.store !== "sqlite") stop("this version has the store sqlite");
if (values.without !== undefined && !isGuard(values.without)) stop(`--without takes one of ${guardNames.join(", ")}`);

const [restarts, rate] = [Number(values.restarts ?? 0), Number(values.rate)];
if (![restarts, rate].every(Number.isInteger) || restarts < 0 || rate < 1) stop("--restarts and --rate take whole numbers");

const say = (text: string): void => void process.stderr.write(`${text}\n`);
const report = values.restarts !== undefined ? await runRestarts({ restarts, rate, seed, lanes: Math.min(lanes, 2), say }) : await runFaults({ kills, seed, lanes, without: values.without !== undefined && isGuard(values.without) ? values.without : null, say });
if (values.json) process.stdout.write(`${JSON.stringify(report)}\n`);
else {
  const { violations, ...numbers } = report;
  for (const [name, value] of Object.entries(numbers)) process.stdout.write(`${name.padEnd(14)} ${String(value)}\n`);
  for (const violation of violations.slice(0, 20)) process.stdout.write(`  ${violation}\n`);
  if (violations.length > 20) process.stdout.write(`  … and ${violations.length - 20} more\n`);
}

function stop(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(2);
}
