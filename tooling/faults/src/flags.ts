import { parseArgs } from "node:util";

const texts = [
  "kills",
  "scenes",
  "seed",
  "lanes",
  "restarts",
  "rate",
  "without",
  "store",
  "only",
  "fault",
  "beside",
  "hostile",
  "from",
  "soak",
  "part",
  "out",
  "syscalls",
  "torn",
] as const;
const yeses = ["full", "json", "matrix", "report"] as const;
type TextFlag = (typeof texts)[number];

/** What the command line of `npm run faults` may say; every run reads what it knows of it. */
export type Flags = { readonly [Name in TextFlag]?: string } & {
  readonly [Name in (typeof yeses)[number]]?: boolean;
};

/** A command line that makes no sense: one sentence to who typed it, exit code 2. */
export class Misuse extends Error {}

/** @throws {TypeError} of `parseArgs` for a flag that does not exist. */
export function readFlags(args: readonly string[]): Flags {
  const options = Object.fromEntries([
    ...texts.map((name) => [name, { type: "string" }] as const),
    ...yeses.map((name) => [name, { type: "boolean" }] as const),
  ]);
  return parseArgs({ args: [...args], options }).values;
}

/** A whole number of at least so much; `otherwise` where nothing is said. @throws {Misuse} */
export function wholeNumber(
  flags: Flags,
  name: TextFlag,
  otherwise: number,
  least: number = 1,
): number {
  const said = flags[name];
  const number =
    said === undefined ? otherwise : /^\d{1,9}$/.test(said) ? Number(said) : Number.NaN;
  if (!(number >= least)) throw new Misuse(`--${name} takes a whole number of at least ${least}`);
  return number;
}

export function seedOf(flags: Flags): number {
  return wholeNumber(flags, "seed", 1, 0);
}

/** The guard that a run goes without; null where none is named. @throws {Misuse} */
export function guardOf<Guard extends string>(
  { without }: Flags,
  guards: readonly Guard[],
): Guard | null {
  if (without === undefined) return null;
  return (
    guards.find((guard) => guard === without) ??
    misuse(`--without takes one of ${guards.join(", ")} here`)
  );
}

export function misuse(sentence: string): never {
  throw new Misuse(sentence);
}
