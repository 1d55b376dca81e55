import { parseArgs } from "node:util";

/** What a person asked to be measured, and how. Null where nothing is said. */
export type Flags = {
  readonly name: string;
  readonly json: boolean;
  readonly seconds: number | null;
  readonly connections: number | null;
  readonly rounds: number | null;
  readonly adds: number | null;
  readonly flushDelayUs: number | null;
  readonly only: readonly string[] | null;
};

const options = {
  json: { type: "boolean", default: false },
  seconds: { type: "string" },
  connections: { type: "string" },
  rounds: { type: "string" },
  adds: { type: "string" },
  "flush-delay-us": { type: "string" },
  only: { type: "string" },
} as const;

/** Reads the command line; throws a plain error that names the flag. */
export function parseFlags(args: readonly string[]): Flags {
  const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, strict: true, options });
  return {
    name: positionals[0] ?? "",
    json: values.json,
    seconds: positive("--seconds", values.seconds),
    connections: positive("--connections", values.connections),
    rounds: positive("--rounds", values.rounds),
    adds: positive("--adds", values.adds),
    flushDelayUs: positive("--flush-delay-us", values["flush-delay-us"]),
    only: values.only?.split(",") ?? null,
  };
}

function positive(flag: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const value = /^[0-9]{1,9}(\.[0-9]{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= 0)) throw new Error(`${flag} takes a number`);
  return value;
}
