import { parseArgs } from "node:util";
import { fullFleet, runFleet, smallFleet } from "./fleet/run.ts";
import { fleetGuards, isFleetGuard } from "./fleet/without.ts";
import { guardNames, isGuard } from "./guards.ts";
import { runRestarts } from "./restarts.ts";
import { runFaults } from "./run.ts";

/**
 * `npm run faults -- [--kills N] [--seed S] [--without GUARD] [--json]`: kills under load. `npm run faults -- --restarts N [--rate R] [--json]`:
 * restarts under R deliveries a second. `npm run faults -- --store postgres [--full] [--kills N] [--seed S] [--without GUARD] [--json]`: many
 * instances on one server, of which some are killed and stopped; `--full` is the long form. Exits 0 when it could measure, as judging is
 * the caller's.
 */
const { values } = parseArgs({ options: { kills: { type: "string" }, seed: { type: "string", default: "1" }, lanes: { type: "string", default: "6" }, restarts: { type: "string" }, rate: { type: "string", default: "100" }, without: { type: "string" }, store: { type: "string", default: "sqlite" }, full: { type: "boolean", default: false }, json: { type: "boolean" } } });
const fleet = values.full ? fullFleet : smallFleet;
const [kills, seed, lanes] = [values.kills ?? (values.store === "postgres" ? fleet.kills : "20"), values.seed, values.lanes].map(Number);
if (kills === undefined || seed === undefined || lanes === undefined || ![kills, seed, lanes].every(Number.isInteger) || kills < 0 || lanes < 1) stop("--kills, --seed and --lanes take whole numbers");
if (values.store !== "sqlite" && values.store !== "postgres") stop("--store takes sqlite or postgres");
const without = guardOf(values.store, values.without);

const [restarts, rate] = [Number(values.restarts ?? 0), Number(values.rate)];
if (![restarts, rate].every(Number.isInteger) || restarts < 0 || rate < 1) stop("--restarts and --rate take whole numbers");

const say = (text: string): void => void process.stderr.write(`${text}\n`);
const report = without.fleet !== undefined ? await runFleet({ ...fleet, kills }, seed, without.fleet, say) : values.restarts !== undefined ? await runRestarts({ restarts, rate, seed, lanes: Math.min(lanes, 2), say }) : await runFaults({ kills, seed, lanes, without: without.service, say });
if (values.json) process.stdout.write(`${JSON.stringify(report)}\n`);
else {
  const { violations, ...numbers } = report;
  for (const [name, value] of Object.entries(numbers)) process.stdout.write(`${name.padEnd(14)} ${String(value)}\n`);
  for (const violation of violations.slice(0, 20)) process.stdout.write(`  ${violation}\n`);
  if (violations.length > 20) process.stdout.write(`  … and ${violations.length - 20} more\n`);
}

/** Each store has guards of its own; `fleet` is there for PostgreSQL alone. */
function guardOf(store: "sqlite" | "postgres", name: string | undefined): { readonly service: Parameters<typeof runFaults>[0]["without"]; readonly fleet?: Parameters<typeof runFleet>[2] } {
  if (store === "postgres") {
    if (name === undefined) return { service: null, fleet: null };
    return isFleetGuard(name) ? { service: null, fleet: name } : stop(`with PostgreSQL --without takes one of ${fleetGuards.join(", ")}`);
  }
  if (name === undefined) return { service: null };
  return isGuard(name) ? { service: name } : stop(`--without takes one of ${guardNames.join(", ")}`);
}

function stop(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(2);
}
