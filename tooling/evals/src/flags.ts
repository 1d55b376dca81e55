import { parseArgs } from "node:util";
import { EvalError } from "./failure.ts";

export type Flags = { readonly name: string; readonly file: string; readonly json: boolean };

const usage = "npm run -s eval:<name> -- --file F [--json]";

/** Reads the command line; a mistake is an error with code and hint. */
export function parseFlags(args: readonly string[]): Flags {
  const { positionals, values } = parse(args);
  const [name = "", ...more] = positionals;
  if (more.length > 0)
    throw new EvalError(
      "LOOP_E_EVAL_USAGE",
      `${JSON.stringify(more[0])} is one argument too many`,
      usage,
    );
  if (values.file === undefined || values.file === "")
    throw new EvalError(
      "LOOP_E_EVAL_USAGE",
      "the flag --file is missing",
      `name the table to measure on: ${usage}`,
    );
  return { name, file: values.file, json: values.json };
}

function parse(args: readonly string[]): {
  readonly positionals: readonly string[];
  readonly values: { readonly file?: string; readonly json: boolean };
} {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      strict: true,
      options: { file: { type: "string" }, json: { type: "boolean", default: false } },
    });
  } catch (error) {
    throw new EvalError(
      "LOOP_E_EVAL_USAGE",
      error instanceof Error ? error.message : String(error),
      usage,
    );
  }
}
