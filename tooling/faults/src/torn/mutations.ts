import type { DeadStore } from "./dead-store.ts";

export type MutationKind =
  | "log-cut"
  | "log-flip"
  | "log-zeros"
  | "log-noise"
  | "bodies-cut"
  | "bodies-flip"
  | "bodies-zeros"
  | "page";

/** The damaged files, and at which byte the damage begins. */
export type Mutation = {
  readonly kind: MutationKind;
  readonly at: number;
  readonly database: Buffer;
  readonly log: Buffer;
  readonly bodies: ReadonlyMap<string, Buffer>;
};

const kinds: readonly MutationKind[] = [
  "log-cut",
  "log-flip",
  "log-zeros",
  "log-noise",
  "bodies-cut",
  "bodies-flip",
  "bodies-zeros",
];

/**
 * A random one; of a kind where one is named. `page` damages the database itself with the log gone,
 * which nothing is promised about.
 */
export function mutationOf(
  kind: MutationKind | null,
  dead: DeadStore,
  random: () => number,
): Mutation {
  const chosen = kind ?? kinds[Math.floor(random() * kinds.length)] ?? "log-cut";
  const { database, log, bodies } = dead;
  if (chosen === "page") {
    // The pages behind the first: with a ruined first one it is no database, which opening says.
    const { bytes, at } = damaged(database, "page", random, 4_096);
    return { kind: chosen, at, database: bytes, log: Buffer.alloc(0), bodies };
  }
  const way = chosen.slice(chosen.indexOf("-") + 1);
  if (chosen.startsWith("log")) {
    const { bytes, at } = damaged(log, way, random, 0);
    return { kind: chosen, at, database, log: bytes, bodies };
  }
  const [[name, whole] = ["", Buffer.alloc(0)]] = bodies;
  const { bytes, at } = damaged(whole, way, random, 0);
  return { kind: chosen, at, database, log, bodies: new Map([...bodies, [name, bytes]]) };
}

function damaged(
  whole: Buffer,
  way: string,
  random: () => number,
  from: number,
): { readonly bytes: Buffer; readonly at: number } {
  const at = from + Math.floor(random() * (whole.length - from));
  if (way === "cut") return { bytes: whole.subarray(0, at), at };
  const bytes = Buffer.from(whole);
  if (way === "flip") bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
  if (way === "zeros") bytes.fill(0, at);
  if (way === "page") bytes.fill(0xa5, 4_096, 12_288);
  if (way === "noise")
    for (let n = at; n < Math.min(at + 512, bytes.length); n += 1)
      bytes[n] = Math.floor(random() * 256);
  return { bytes, at };
}
