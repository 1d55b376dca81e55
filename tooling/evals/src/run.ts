import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { evaluationOf } from "./evaluations.ts";
import { EvalError } from "./failure.ts";
import { parseFlags } from "./flags.ts";

export type Streams = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
};

/**
 * One evaluation from its command line to its exit code: 0 when it could measure, 2 when not. With
 * `--json` exactly one object goes to standard output; everything else goes to standard error.
 *
 * @param cwd folder that a relative `--file` starts from
 */
export function run(args: readonly string[], cwd: string, { out, err }: Streams): 0 | 2 {
  try {
    const flags = parseFlags(args);
    const evaluate = evaluationOf(flags.name);
    const { rows, result, notes, later } = evaluate(readTable(resolve(cwd, flags.file)));
    err(`${flags.name}: ${rows} rows of ${flags.file}\n`);
    for (const note of notes) err(`note: ${note}\n`);
    out(`${JSON.stringify(result, null, flags.json ? undefined : 2)}\n`);
    for (const line of later()) err(`${line}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof EvalError)) throw error;
    if (args.includes("--json"))
      out(
        `${JSON.stringify({ error: { code: error.code, message: error.message, hint: error.hint, details: error.details } })}\n`,
      );
    err(
      `${[`${error.message} (${error.code})`, ...error.details.map((detail) => `  ${detail}`), `→ ${error.hint}`].join("\n")}\n`,
    );
    return 2;
  }
}

function readTable(path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (error) {
    throw new EvalError(
      "LOOP_E_EVAL_FILE",
      `the table ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      "name a file of JSON lines in UTF-8 with --file",
    );
  }
}
