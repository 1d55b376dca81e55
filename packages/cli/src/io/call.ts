import { LoopError } from "@loopwork/core/ports";

/** What the user typed, as commander parsed it. */
export type Call = {
  /** Positional arguments in order. */
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
};

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
