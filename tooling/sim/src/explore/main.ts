import { parseArgs } from "node:util";
import { recordOf, writeRecord } from "@loopwork-tooling/record";
import { invariants } from "./invariants.ts";
import { mutants } from "./mutants.ts";
import { exploreAll, hunt } from "./run.ts";

/**
 * `npm run sim -- --explore [--json --out FILE]`: every state of a work item, its sessions and its
 * instance that any row of events leads to, with the real `decide` and `evolve`; then every mutant,
 * each of which must be found. Exit code 1 when an invariant broke or a mutant lived.
 */
const { json, out } = parseArgs({
  options: {
    explore: { type: "boolean" },
    json: { type: "boolean", default: false },
    out: { type: "string" },
  },
}).values;
const began = performance.now();
const say = (text: string): void => void process.stderr.write(`${text}\n`);

const lines = exploreAll(({ chapter, policy, states, transitions, violations, whole, ms }) => {
  say(
    `${chapter}, ${policy}: ${states} states, ${transitions} transitions${whole ? "" : ", not whole"}, ${ms} ms`,
  );
  for (const { invariant, path } of violations)
    say(`  BROKEN ${invariant}\n    ${path.join("\n    ")}`);
});
const hunted = mutants.map((mutant) => ({
  invariant: mutant.breaks,
  how: mutant.how,
  found: hunt(mutant),
}));
for (const { invariant, how, found } of hunted)
  say(
    found === null
      ? `  ALIVE ${how}: nobody noticed that "${invariant}" is broken`
      : `mutant found after ${found.path.length} events: ${how}`,
  );

const states = lines.reduce((sum, line) => sum + line.states, 0);
const transitions = lines.reduce((sum, line) => sum + line.transitions, 0);
const violations = lines.flatMap((line) => line.violations);
const whole = lines.every((line) => line.whole);
const alive = hunted.filter(({ found }) => found === null).map(({ how }) => how);
say(
  `${states} states, ${transitions} transitions, ${invariants.length} invariants, ${violations.length} violations, ${mutants.length - alive.length} of ${mutants.length} mutants found`,
);
const report = {
  states,
  transitions,
  whole,
  invariants,
  violations,
  mutants: mutants.length,
  alive,
};
if (out !== undefined)
  writeRecord(
    out,
    recordOf("npm run -s sim -- --explore --json", (performance.now() - began) / 1_000, report),
  );
if (json) process.stdout.write(`${JSON.stringify(report)}\n`);
process.exitCode = violations.length === 0 && alive.length === 0 && whole ? 0 : 1;
