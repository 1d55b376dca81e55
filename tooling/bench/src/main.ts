import { recordOf, writeRecord } from "@loopwork-tooling/record";
import { type Flags, type Options, parseFlags } from "./flags.ts";

type Measure = (options: Options & { readonly progress: (line: string) => void }) => unknown;

/**
 * Each measurement by its name; loaded only when asked for. Results are plain data, progress goes
 * to standard error.
 */
const measurements: Readonly<Record<string, () => Promise<Measure>>> = {
  route: async () => (await import("./route.ts")).benchRoute,
  startup: async () => (await import("./startup.ts")).benchStartup,
  workspace: async () => (await import("./workspace.ts")).benchWorkspace,
  store: async () => (await import("./store.ts")).benchStore,
  sandbox: async () => (await import("./sandbox.ts")).benchSandbox,
  spawn: async () => (await import("./spawn.ts")).benchSpawn,
  receiver: async () => (await import("./receiver.ts")).benchReceiver,
  limits: async () => (await import("./limits.ts")).benchLimits,
};

/**
 * `npm run bench -- <name>|all [--json]`. Exits 0 when it could measure; judging is the caller's.
 */
async function main(args: readonly string[]): Promise<number> {
  const flags = readFlags(args);
  if (typeof flags === "string") return usage(flags);
  const { name, json, out, options } = flags;
  const began = performance.now();
  const names = name === "all" ? Object.keys(measurements) : [name];
  const results: Record<string, unknown> = {};
  for (const each of names) {
    const load = measurements[each];
    if (load === undefined) return usage(`there is no measurement ${JSON.stringify(each)}`);
    results[each] = await (
      await load()
    )({ ...options, progress: (line) => process.stderr.write(`${line}\n`) });
  }
  if (out !== null)
    writeRecord(
      out,
      recordOf(`npm run -s bench -- ${name} --json`, (performance.now() - began) / 1_000, results),
    );
  process.stdout.write(
    `${JSON.stringify(name === "all" ? results : results[name], null, json ? 0 : 2)}\n`,
  );
  return 0;
}

function readFlags(args: readonly string[]): Flags | string {
  try {
    return parseFlags(args);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function usage(why: string): number {
  process.stderr.write(
    `${why}\nusage: npm run bench -- <${Object.keys(measurements).join("|")}|all> [--seconds N] [--connections N] [--rounds N] [--adds N] [--flush-delay-us N] [--only A,B] [--json] [--out FILE]\n`,
  );
  return 2;
}

process.exitCode = await main(process.argv.slice(2));
