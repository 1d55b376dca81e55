import { appendFileSync } from "node:fs";
import { recordToolUse } from "@loopwork/harness-a/ledger";

/** Adds a tool call to the ledger of the turn that it belongs to; outside of a turn there is none, and nothing is written. */
export function appendToolUse(stdin: string, env: Readonly<Record<string, string | undefined>>, at: number): void {
  const entry = recordToolUse(stdin, env, at);
  if (entry === null) return;
  try {
    appendFileSync(entry.file, entry.line.endsWith("\n") ? entry.line : `${entry.line}\n`, { mode: 0o600 });
  } catch (error) {
    // A ledger that cannot be written must not stop a session; a crash is then judged as uncertain.
    process.stderr.write(`loop: the tool ledger could not be written: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}
