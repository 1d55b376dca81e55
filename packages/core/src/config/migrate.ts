import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseDocument,
  visit,
  YAMLMap,
} from "yaml";
import { aliases, sameValue } from "./alias.ts";
import { readDocument, yamlOptions } from "./document.ts";
import { removedKeys } from "./removed.ts";

/** A key that was put elsewhere; `line` is that of the text before. */
export type MovedKey = { readonly from: string; readonly to: string; readonly line: number };
/**
 * `text` is the one that was given where nothing was moved. What is wrong with it then,
 * `parseConfig` says.
 */
export type Migration = { readonly text: string; readonly moved: readonly MovedKey[] };

/**
 * Puts keys of earlier versions, and those that stand in a second place, where they stand today,
 * with the comments beside them. Two different values for one key, secrets, and whatever does not
 * fit its new place stay where they are, for a person. Pure.
 */
export function migrateConfig(text: string): Migration {
  if (readDocument(text).root === null) return { text, moved: [] };
  const lines = new LineCounter();
  const doc = parseDocument(text, { ...yamlOptions, lineCounter: lines });
  // What is written once and meant in several places cannot be put in one.
  if (!isMap(doc.contents) || hasAliases(doc)) return { text, moved: [] };
  const moved = moves.flatMap(({ from, to }) =>
    move(doc, doc.contents, from, to.replace("{default}", harnessOf(doc)), lines),
  );
  return moved.length === 0 ? { text, moved } : { text: doc.toString({ lineWidth: 0 }), moved };
}

/**
 * Second places first, as they may hold keys of before; what depends on the default harness once
 * that is known.
 */
const moves: readonly { readonly from: string; readonly to: string }[] = [
  ...aliases
    .map(({ path, node }) => ({ from: path, to: node.of }))
    .filter(({ to }) => !to.includes("{default}")),
  ...Object.entries(removedKeys).flatMap(([from, { to }]) => (to === null ? [] : [{ from, to }])),
  ...aliases
    .map(({ path, node }) => ({ from: path, to: node.of }))
    .filter(({ to }) => to.includes("{default}")),
];

/** Moves a key, or what is below it where both places hold maps. */
function move(
  doc: Document,
  root: unknown,
  from: string,
  to: string,
  lines: LineCounter,
): readonly MovedKey[] {
  const [pair, there] = [pairAt(root, from), pairAt(root, to)];
  if (pair === null) return [];
  if (isMap(pair.value) && isMap(there?.value))
    return [...pair.value.items].flatMap(({ key }) =>
      move(doc, root, `${from}.${nameOf(key)}`, `${to}.${nameOf(key)}`, lines),
    );
  const value = fitting(from, pair.value);
  if (
    value === undefined ||
    (there !== null && !sameValue(plain(there.value, doc), plain(value, doc)))
  )
    return [];
  const map = there === null ? mapFor(doc, root, to) : null;
  if (there === null && map === null) return [];
  const moved = { from, to, line: lineOf(pair.key, lines) };
  pair.value = value;
  if (map !== null && map === parentOf(root, from)) setName(pair, to);
  else {
    take(doc, from);
    setName(pair, to);
    map?.items.push(pair);
  }
  return [moved];
}

/** Undefined where the value does not fit: several labels are not one, and a map is no word. */
function fitting(from: string, value: unknown): unknown {
  if (from === "routing.autoExecuteLabels" && isSeq(value))
    return value.items.length === 1 ? value.items[0] : undefined;
  return isMap(value) && Object.hasOwn(removedKeys, from) ? undefined : value;
}

/**
 * The map that a key belongs into, made where it is not there; null where something else than a map
 * stands in its way.
 */
function mapFor(doc: Document, root: unknown, path: string): YAMLMap | null {
  let map = root;
  for (const key of path.split(".").slice(0, -1)) {
    if (!isMap(map)) return null;
    const next = map.get(key, true);
    if (next === undefined || (isScalar(next) && next.value === null))
      map.set(doc.createNode(key), new YAMLMap(doc.schema));
    map = map.get(key, true);
  }
  return isMap(map) ? map : null;
}

function pairAt(root: unknown, path: string): Pair | null {
  const map = parentOf(root, path);
  return isMap(map)
    ? (map.items.find(({ key }) => nameOf(key) === path.split(".").at(-1)) ?? null)
    : null;
}

function parentOf(root: unknown, path: string): unknown {
  return path
    .split(".")
    .slice(0, -1)
    .reduce((map, key) => (isMap(map) ? map.get(key, true) : undefined), root);
}

/** Takes a key out, with the maps above it that are empty then. */
function take(doc: Document, path: string): void {
  const keys = path.split(".");
  doc.deleteIn(keys);
  for (keys.pop(); keys.length > 0; keys.pop()) {
    const map = doc.getIn(keys);
    if (!isMap(map) || map.items.length > 0) return;
    doc.deleteIn(keys);
  }
}

function setName(pair: Pair, path: string): void {
  if (isScalar(pair.key)) pair.key.value = path.split(".").at(-1);
}

function nameOf(key: unknown): string {
  return String(isScalar(key) ? key.value : key);
}

function lineOf(key: unknown, lines: LineCounter): number {
  return lines.linePos(isNode(key) ? (key.range?.[0] ?? 0) : 0).line;
}

function plain(value: unknown, doc: Document): unknown {
  return isNode(value) ? value.toJS(doc) : value;
}

function harnessOf(doc: Document): "A" | "B" {
  return doc.getIn(["routing", "defaultHarness"]) === "B" ? "B" : "A";
}

function hasAliases(doc: Document): boolean {
  let found = false;
  visit(doc, { Alias: () => void (found = true) });
  return found;
}
