import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { measureCore, readBefore } from "./measure.ts";
import { judgeSurvivors, readReasons } from "./reasons.ts";
import type { FolderResult } from "./result.ts";

/**
 * `npm run mutate [-- --only GLOB] [--workers N] [--json] [--out FILE]`; `--out` keeps the rows of
 * files that are not run.
 */
const { values } = parseArgs({
  options: {
    only: { type: "string", default: "src/**" },
    workers: { type: "string", default: String(cpus().length) },
    json: { type: "boolean", default: false },
    out: { type: "string" },
  },
});
const workers = Number(values.workers);
if (!Number.isInteger(workers) || workers < 1)
  stop("--workers takes a whole number of processes, such as 2");
const repository = fileURLToPath(new URL("../../../", import.meta.url));
const say = (line: string): void => void process.stderr.write(`mutate: ${line}\n`);

try {
  const result = await measureCore(repository, {
    only: values.only,
    workers,
    before: readBefore(values.out),
    progress: say,
  });
  const { explained, unexplained, stale } = judgeSurvivors(result.files, readReasons());
  if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(result, null, 1)}\n`);
  if (values.json) process.stdout.write(`${JSON.stringify(result)}\n`);
  else
    for (const line of [...result.folders, result.total].map(sentence))
      process.stdout.write(`${line}\n`);
  if (!values.json)
    for (const { file, survivor } of unexplained)
      process.stdout.write(
        `  no reason: packages/core/${file}:${survivor.line}: ${survivor.from} -> ${survivor.to}${survivor.reached ? "" : " (no test comes by)"}\n`,
      );
  for (const each of stale) say(`stale reason: ${each.file}: ${each.from} -> ${each.to}`);
  say(
    `${explained.length} survivors have a reason, ${unexplained.length} have none, ${stale.length} reasons are stale`,
  );
} catch (error) {
  stop(error instanceof Error ? error.message : String(error));
}

function sentence({
  folder,
  killed,
  timeout,
  survived,
  noCoverage,
  static: atLoad,
  score,
}: FolderResult): string {
  return `${folder}: ${(score * 100).toFixed(1)} % (${killed} killed, ${timeout} timeout, ${survived} survived, ${noCoverage} not reached; ${atLoad} at load)`;
}

function stop(why: string): never {
  process.stderr.write(`mutate: ${why}\n`);
  process.exit(2);
}
