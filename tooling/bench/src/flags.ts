import { parseArgs } from "node:util";

/** What a person asked to be measured, and how. */
export type Flags = {
  readonly name: string;
  readonly json: boolean;
  /** File in which the result is put on record; null for none. */ readonly out: string | null;
  readonly options: Options;
};

/**
 * How to measure; each measurement takes what it knows, and has its own way where nothing is said.
 */
export type Options = {
  readonly seconds?: number;
  readonly connections?: number;
  readonly rounds?: number;
  readonly adds?: number;
  readonly flushDelayUs?: number;
  readonly only?: readonly string[];
};

const options = {
  json: { type: "boolean", default: false },
  out: { type: "string" },
  seconds: { type: "string" },
  connections: { type: "string" },
  rounds: { type: "string" },
  adds: { type: "string" },
  "flush-delay-us": { type: "string" },
  only: { type: "string" },
} as const;

/** Reads the command line; throws an error that names the flag. */
export function parseFlags(args: readonly string[]): Flags {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    strict: true,
    options,
  });
  const [name = "", more] = positionals;
  if (more !== undefined)
    throw new Error(`one measurement at a time, or \`all\`: ${more} is one too many`);
  return {
    name,
    json: values.json,
    out: values.out ?? null,
    options: {
      ...said(values.seconds, (text) => ({ seconds: number("--seconds", text) })),
      ...said(values.connections, (text) => ({ connections: number("--connections", text) })),
      ...said(values.rounds, (text) => ({ rounds: number("--rounds", text) })),
      ...said(values.adds, (text) => ({ adds: number("--adds", text) })),
      ...said(values["flush-delay-us"], (text) => ({
        flushDelayUs: number("--flush-delay-us", text),
      })),
      ...said(values.only, (text) => ({ only: text.split(",") })),
    },
  };
}

function said(text: string | undefined, read: (text: string) => Options): Options {
  return text === undefined ? {} : read(text);
}

function number(flag: string, text: string): number {
  const value = /^[0-9]{1,9}(\.[0-9]{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= 0)) throw new Error(`${flag} takes a number`);
  return value;
}
