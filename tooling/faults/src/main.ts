import { recordOf, writeRecord } from "@loopwork-tooling/record";
import { Misuse, readFlags } from "./flags.ts";
import { makeRun, type Report, runs } from "./runs.ts";

/**
 * `npm run faults -- …`: makes the run of `runs.ts` that the flags ask for. Exits 0 when it could
 * measure, as judging is the caller's.
 */
async function main(args: readonly string[]): Promise<number> {
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  try {
    const flags = readFlags(args);
    const began = performance.now();
    const report = await makeRun(flags, say);
    if (flags.out !== undefined && flags.full !== true)
      writeRecord(
        flags.out,
        recordOf(
          `npm run -s faults -- ${commandOf(args)}`,
          (performance.now() - began) / 1_000,
          report,
        ),
      );
    if (flags.json === true) process.stdout.write(`${JSON.stringify(report)}\n`);
    else print(report);
    return 0;
  } catch (error) {
    if (
      !(error instanceof Misuse) &&
      !(
        error instanceof TypeError &&
        "code" in error &&
        String(error.code).startsWith("ERR_PARSE_ARGS")
      )
    )
      throw error;
    say(
      [
        error.message,
        "usage: npm run faults -- …",
        ...runs.map(({ usage }) => `  ${usage}`),
        "  each with --json for one object, and --out FILE to put it on record",
      ].join("\n"),
    );
    return 2;
  }
}

/** What was typed, without where it is put on record. */
function commandOf(args: readonly string[]): string {
  const at = args.indexOf("--out");
  return args.filter((_each, n) => at === -1 || (n !== at && n !== at + 1)).join(" ");
}

function print({ violations, ...numbers }: Report): void {
  for (const [name, value] of Object.entries(numbers))
    process.stdout.write(
      `${name.padEnd(14)} ${typeof value === "object" ? JSON.stringify(value) : String(value)}\n`,
    );
  for (const violation of violations.slice(0, 20)) process.stdout.write(`  ${violation}\n`);
  if (violations.length > 20) process.stdout.write(`  … and ${violations.length - 20} more\n`);
}

process.exitCode = await main(process.argv.slice(2));
