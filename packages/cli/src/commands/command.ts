import { LoopError } from "@loopwork/core/errors";
import type { Command as Commander } from "commander";
import type { Ports } from "../start/ports.ts";

/** What the user typed, as commander parsed it. */
export type Call = {
  /** Positional arguments in order. */
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
};

/**
 * What a command returns: it never prints (decisions.md 12). `data` is what `--json` shows, `view`
 * what a person reads.
 */
export type Result = {
  /** 0 yes or done, 1 no or not done, 2 could not run. */
  readonly exit: 0 | 1 | 2;
  readonly data: unknown;
  readonly view: readonly Block[];
  /**
   * For commands that go on: each item is printed as it comes, before the process exits with
   * `exit`.
   */
  readonly follow?: AsyncIterable<{ readonly data: unknown; readonly view: readonly Block[] }>;
};

/** The few shapes that output on a terminal has. */
export type Block =
  | { readonly kind: "line"; readonly text: string; readonly tone?: Tone }
  | { readonly kind: "heading"; readonly text: string }
  | {
      readonly kind: "fields";
      readonly rows: readonly (readonly [label: string, value: string, tone?: Tone])[];
    }
  | {
      readonly kind: "table";
      readonly columns: readonly string[];
      readonly rows: readonly (readonly string[])[];
      readonly empty: string;
    }
  | { readonly kind: "verbatim"; readonly text: string };

export type Tone = "good" | "warn" | "bad" | "dim";

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

/** Reads an option that must be text; commander gives `unknown` to us on purpose. */
export function textOption(call: Call, name: string): string | undefined {
  const value = call.options[name];
  return typeof value === "string" ? value : undefined;
}

export function flag(call: Call, name: string): boolean {
  return call.options[name] === true;
}

/** `--limit` as typed, else `otherwise`; rejects what is no number from 1 to 10000. */
export function limitOption(call: Call, otherwise: number): number {
  const text = textOption(call, "limit");
  const limit = text === undefined ? otherwise : /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > 10_000)
    throw new LoopError(
      "LOOP_E_USAGE",
      `Invalid --limit ${JSON.stringify(text)}: expected a number from 1 to 10000`,
      "Use a number from 1 to 10000, such as --limit 20",
    );
  return limit;
}

export function done(data: unknown, ...view: readonly Block[]): Result {
  return { exit: 0, data, view };
}

export function line(text: string, tone?: Tone): Block {
  return tone === undefined ? { kind: "line", text } : { kind: "line", text, tone };
}
