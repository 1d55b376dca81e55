import { type Flags, parseFlags } from "./flags.ts";

/** Each measurement by its name; loaded only when asked for. Results are plain data, progress goes to standard error. */
const measurements: Readonly<Record<string, (flags: Flags) => Promise<(progress: (line: string) => void) => unknown>>> = {
  route: async () => {
    const { benchRoute } = await import("./route.ts");
    return (progress) => benchRoute({ progress });
  },
  store: async ({ seconds, connections, rounds }) => {
    const { benchStore } = await import("./store.ts");
    return (progress) => benchStore({ progress, ...(seconds === null ? {} : { seconds }), ...(connections === null ? {} : { connections }), ...(rounds === null ? {} : { rounds }) });
  },
  startup: async ({ rounds }) => {
    const { benchStartup } = await import("./startup.ts");
    return (progress) => benchStartup({ progress, ...(rounds === null ? {} : { rounds }) });
  },
  workspace: async ({ rounds, adds }) => {
    const { benchWorkspace } = await import("./workspace.ts");
    return (progress) => benchWorkspace({ progress, ...(rounds === null ? {} : { rounds }), ...(adds === null ? {} : { adds }) });
  },
  receiver: async ({ seconds, connections, rounds, flushDelayUs, only }) => {
    const { benchReceiver } = await import("./receiver.ts");
    return (progress) =>
      benchReceiver({ progress, ...(seconds === null ? {} : { seconds }), ...(connections === null ? {} : { connections }), ...(rounds === null ? {} : { rounds }), ...(flushDelayUs === null ? {} : { flushDelayUs }), ...(only === null ? {} : { only }) });
  },
};

/** `npm run bench -- <name> [--json]`. Exits 0 when it could measure; judging is the caller's. */
async function main(): Promise<number> {
  const flags = parseFlags(process.argv.slice(2));
  const load = measurements[flags.name];
  if (load === undefined) {
    process.stderr.write(`usage: npm run bench -- <${Object.keys(measurements).join("|")}> [--seconds N] [--connections N] [--rounds N] [--adds N] [--flush-delay-us N] [--only A,B] [--json]\n`);
    return 2;
  }
  const result: unknown = await (await load(flags))((line) => process.stderr.write(`${line}\n`));
  process.stdout.write(`${flags.json ? JSON.stringify(result) : JSON.stringify(result, null, 2)}\n`);
  return 0;
}

process.exitCode = await main();
