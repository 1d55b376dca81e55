import { between, delivery, type Input, type Maker, pick } from "../input.ts";
import { examplesFor, type Json } from "./examples.ts";

/**
 * What stands where something else is expected. Markers become what JSON.stringify would not write.
 */
const values: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  "<9007199254740993>",
  "<1e999>",
  "<-0>",
  "",
  " ",
  "\u0000",
  "x".repeat(65_536),
  "../../../etc/passwd",
  "--upload-pack=touch x",
  "$(id)",
  "`id`",
  "<script>alert(1)</script>",
  "\u001b[2J\u001b[1;1H",
  "\u202eabc",
  "\u{e0041}\u{e0042}",
  "\u200b\u200d",
  "<lone surrogate>",
  "__proto__",
  "constructor",
  "host:a/b#1",
  "refs/heads/--x",
  "9999-99-99T99:99:99Z",
  "0000-01-01T00:00:00Z",
  [],
  {},
  [[]],
  [null],
  { length: -1 },
  "mallory",
  "dependabot[bot]",
  "created",
  "closed",
  "loop start",
];

const raw: readonly (readonly [string, string])[] = [
  ['"<9007199254740993>"', "9007199254740993"],
  ['"<1e999>"', "1e999"],
  ['"<-0>"', "-0"],
  ["<lone surrogate>", String.raw`\ud800`],
  ["<proto>", "__proto__"],
];

const largest = 4_000_000;

type Place = { readonly parent: Map<string, Node> | Node[]; readonly key: string | number };
type Node = Json | Map<string, Node> | Node[];

/**
 * A published example whose parts were replaced, removed, renamed, nested or doubled, then signed.
 */
export function changedStructure(maker: Maker): Input {
  const { random, stage } = maker;
  const { event, payload, text: original } = pick(random, examplesFor(stage));
  const root = new Map([["", thaw(payload)]]);
  const what: string[] = [];
  for (let n = between(random, 1, 5); n > 0; n -= 1)
    what.push(change(placeIn(root, random), random));
  const as = random() < 0.1 ? pick(random, examplesFor(stage)).event : event;
  const changed = write(root.get("") ?? null);
  let text = changed.length > largest ? original : changed; // What was made many times may have been most of it.
  for (const [marker, written] of raw) text = text.replaceAll(marker, written);
  return delivery(maker, {
    kind: "structure",
    what: `${event} as ${as}: ${what.join(", ")}`,
    event: as,
    body: Buffer.from(text),
  });
}

function change({ parent, key }: Place, random: () => number): string {
  const name = String(key);
  const set = (value: Node): void =>
    void (Array.isArray(parent) ? (parent[Number(key)] = value) : parent.set(name, value));
  const get = (): Node => (Array.isArray(parent) ? parent[Number(key)] : parent.get(name)) ?? null;
  switch (between(random, 0, 6)) {
    case 0:
      if (Array.isArray(parent)) parent.splice(Number(key), 1);
      else parent.delete(name);
      return `no ${name}`;
    case 1: {
      let nested: Node = get();
      for (let depth = between(random, 1, 200); depth > 0; depth -= 1) nested = [nested];
      set(nested);
      return `${name} nested`;
    }
    case 2:
      set(
        new Map<string, Node>([
          ["<proto>", new Map<string, Node>([["authorized", true]])],
          ["toString", 1],
          [name, get()],
        ]),
      );
      return `${name} with __proto__`;
    case 3:
      set(
        Array.from(
          { length: Math.max(2, Math.min(between(random, 2, 300), largest / write(get()).length)) },
          () => get(),
        ),
      );
      return `${name} many times`;
    default: {
      const value = pick(random, values);
      set(thaw(value));
      return `${name}=${JSON.stringify(value).slice(0, 30)}`;
    }
  }
}

/** Some place in the tree, near the root as often as deep. */
function placeIn(root: Map<string, Node>, random: () => number): Place {
  let place: Place = { parent: root, key: "" };
  for (;;) {
    const here: Node =
      (Array.isArray(place.parent)
        ? place.parent[Number(place.key)]
        : place.parent.get(String(place.key))) ?? null;
    if (here instanceof Map && here.size > 0 && (place.parent === root || random() < 0.6))
      place = { parent: here, key: pick(random, [...here.keys()]) };
    else if (isList(here) && here.length > 0 && random() < 0.6)
      place = { parent: here, key: between(random, 0, here.length - 1) };
    else return place;
  }
}

function thaw(value: Json): Node {
  if (isList(value)) return value.map((each) => thaw(each));
  if (typeof value !== "object" || value === null) return value;
  return new Map(Object.entries(value).map(([key, each]) => [key, thaw(each)]));
}

function write(node: Node): string {
  if (isList(node)) return `[${node.map((each) => write(each)).join(",")}]`;
  if (node instanceof Map)
    return `{${[...node].map(([key, each]) => `${JSON.stringify(key)}:${write(each)}`).join(",")}}`;
  return JSON.stringify(node);
}

function isList<T>(value: T | T[] | readonly T[]): value is T[] {
  return Array.isArray(value);
}
