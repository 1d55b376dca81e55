import type { Command as Commander } from "commander";
import type { Call } from "../io/call.ts";
import type { Result } from "../output/result.ts";
import type { Ports } from "../ports/command-ports.ts";

/**
 * One command of `loop`. A new one is one file that exports a subclass by default, and one row in
 * the table (table.ts).
 */
export abstract class Command {
  /** Declares arguments, options and examples. */
  describe(_command: Commander): void {}

  /** Reads facts through the ports, calls the core, and returns what to show. */
  abstract run(call: Call, ports: Ports): Promise<Result>;
}
