import { parseArgs } from "node:util";

/** Each measurement by its name; loaded only when asked for. Results are plain data, progress goes to standard error. */
const measurements: Readonly<Record<string, () => Promise<(progress: (line: string) => void) => unknown>>> = {
  route: async () => {
    const { benchRoute } = await import("./route.ts");
    return (progress) => benchRoute({ progress });
  },
};

/** `npm run bench -- <name> [--json]`. Exits 0 when it could measure; judging is the caller's. */
async function main(): Promise<number> {
  const { positionals, values } = parseArgs({ allowPositionals: true, strict: false, options: { json: { type: "boolean" } } });
  const name = positionals[0] ?? "";
  const load = measurements[name];
  if (load === undefined) {
    process.stderr.write(`usage: npm run bench -- <${Object.keys(measurements).join("|")}> [--json]\n`);
    return 2;
  }
  const result: unknown = await (await load())((line) => process.stderr.write(`${line}\n`));
  process.stdout.write(`${values["json"] === true ? JSON.stringify(result) : JSON.stringify(result, null, 2)}\n`);
  return 0;
}

process.exitCode = await main();
