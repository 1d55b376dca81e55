import { guardsPart, parts } from "./parts.ts";

/** How what other commands measure is put on record. */
const others: Readonly<Record<string, string>> = {
  sim: "npm run -s sim -- --seeds 100000 --out docs/reliability/sim.json",
  explore: "npm run -s sim -- --explore --out docs/reliability/explore.json",
  bench: "npm run -s bench -- all --out docs/reliability/bench.json",
  publish: "npm run -s test:publish -- --out docs/reliability/publish.json",
  replay: "npm run -s replay:docs -- --out docs/reliability/replay.json",
  real: "npm run -s test:real -- --out docs/reliability/real.json",
  mutation: "npm run -s mutate -- --out docs/mutation.json",
};

/** The command that puts a part on record. */
export function commandOf(name: string): string {
  const own = [...parts.map((part) => part.name), guardsPart].includes(name);
  const command = own ? `npm run -s faults -- --full --part ${name}` : others[name];
  if (command === undefined) throw new Error(`no command makes ${name}`);
  return command;
}
