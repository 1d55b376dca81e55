import { run } from "./run.ts";

/**
 * `npm run -s eval:<name> -- --file F [--json]`. npm changes to the root of the repository; a
 * relative file is meant from where it was called.
 */
process.exitCode = run(process.argv.slice(2), process.env["INIT_CWD"] ?? process.cwd(), {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
