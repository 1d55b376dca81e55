import { defaultOf, type Json } from "./defaults.ts";
import { type Entry, kindOf, type Located } from "./document.ts";
import { checkForm } from "./form.ts";
import { nearest } from "./nearest.ts";
import { type ConfigProblem, type Position, problemAt, quoted } from "./problem.ts";
import { readScalar, type Reading } from "./read-scalar.ts";
import { refusedKeys } from "./refused-keys.ts";
import type { ListNode, MapNode, Node, ObjectNode, RecordsNode, SetNode } from "./schema/node.ts";

/** A key that the file sets: its value and where it stands. */
export type Setting = { readonly value: Json; readonly at: Position };

/** What the file sets, by the path of the key, with everything that is wrong with it. */
export type Settings = {
  readonly set: Map<string, Setting>;
  readonly errors: ConfigProblem[];
  readonly warnings: ConfigProblem[];
};

/** Looks up the node that an alias stands for. */
export type FindNode = (path: string) => Node | null;

/** Reads a map against the table; unknown and removed keys are errors with a hint. */
export function readObject(
  located: Located,
  node: ObjectNode,
  path: string,
  into: Settings,
  find: FindNode,
): void {
  // A key with nothing under it, as when every line below was commented out, sets nothing.
  if (located.kind === "scalar" && located.value === null) return;
  if (located.kind !== "map") {
    into.errors.push(
      problemAt(
        located.at,
        path,
        "LOOP_E_CONFIG_TYPE",
        `must be a map of keys (${node.doc}), not ${kindOf(located)}`,
        `one of ${Object.keys(node.keys).slice(0, 12).join(", ")}`,
      ),
    );
    return;
  }
  for (const entry of located.entries) {
    const at = path === "" ? entry.key : `${path}.${entry.key}`;
    const child = Object.hasOwn(node.keys, entry.key) ? node.keys[entry.key] : undefined;
    if (child === undefined) into.errors.push(unknownKey(entry, at, node));
    else readNode(entry.value, child, at, into, find);
  }
}

function readNode(
  located: Located,
  node: Node,
  path: string,
  into: Settings,
  find: FindNode,
): void {
  if (node.type === "object") return readObject(located, node, path, into, find);
  if (node.type === "alias") {
    const target = find(node.of);
    if (target !== null) readNode(located, target, path, into, find);
    return;
  }
  const reading = readLeaf(located, node, path, find);
  into.errors.push(...reading.errors);
  into.warnings.push(...reading.warnings);
  if (reading.value !== undefined) into.set.set(path, { value: reading.value, at: located.at });
}

function readLeaf(
  located: Located,
  node: Exclude<Node, { readonly type: "object" | "alias" }>,
  path: string,
  find: FindNode,
): Reading {
  switch (node.type) {
    case "list":
      return readItems(located, path, (text) => checkForm(node.form, text), node);
    case "set":
      return readItems(
        located,
        path,
        (text) =>
          node.values.includes(text)
            ? null
            : {
                message: `is not one of ${node.values.join(", ")}`,
                hint: hintNear(text, node.values),
              },
        node,
      );
    case "map":
      return readMap(located, node, path);
    case "records":
      return readRecords(located, node, path, find);
    default:
      return readScalar(located, node, path);
  }
}

/** A list of strings, each checked. */
function readItems(
  located: Located,
  path: string,
  check: (
    text: string,
  ) => { readonly message: string; readonly hint: string; readonly secret?: true } | null,
  node: ListNode | SetNode,
): Reading {
  if (located.kind === "scalar" && located.value === null)
    return { value: node.default, errors: [], warnings: [] };
  if (located.kind !== "list")
    return refuse(
      located,
      path,
      `must be a list, not ${kindOf(located)}`,
      "write [one, two] or one `- item` a line",
    );
  const errors: ConfigProblem[] = [];
  const value: string[] = [];
  for (const [i, item] of located.items.entries()) {
    const at = `${path}[${i}]`;
    if (item.kind !== "scalar" || typeof item.value !== "string") {
      errors.push(
        problemAt(
          item.at,
          at,
          "LOOP_E_CONFIG_TYPE",
          `must be text, not ${kindOf(item)}`,
          item.kind === "scalar" && item.value !== null
            ? `write it in quotes: "${item.source.slice(0, 40)}"`
            : "write one word",
        ),
      );
      continue;
    }
    const fault = check(item.value);
    if (fault !== null)
      errors.push(
        problemAt(
          item.at,
          at,
          fault.secret === true ? "LOOP_E_CONFIG_SECRET" : "LOOP_E_CONFIG_VALUE",
          fault.secret === true ? fault.message : `${quoted(item.value)} ${fault.message}`,
          fault.hint,
        ),
      );
    else value.push(item.value);
  }
  if (errors.length > 0) return { value: undefined, errors, warnings: [] };
  return {
    value:
      value.length === 0 && node.type === "set" && node.whenEmpty === "default"
        ? node.default
        : value,
    errors,
    warnings: [],
  };
}

const mapName = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/** Free names, each with a text. */
function readMap(located: Located, node: MapNode, path: string): Reading {
  if (located.kind === "scalar" && located.value === null)
    return { value: node.default, errors: [], warnings: [] };
  if (located.kind !== "map")
    return refuse(
      located,
      path,
      `must be a map of names, not ${kindOf(located)}`,
      "write NAME: value lines",
    );
  const errors: ConfigProblem[] = [];
  const pairs: [string, string][] = [];
  for (const { key, at, value } of located.entries) {
    const where = `${path}.${key.slice(0, 60)}`;
    if (!mapName.test(key))
      errors.push(
        problemAt(
          at,
          path,
          "LOOP_E_CONFIG_VALUE",
          `${quoted(key)} is not the name of a variable`,
          "use letters, digits and _",
        ),
      );
    else if (value.kind !== "scalar" || value.value === null)
      errors.push(
        problemAt(
          value.at,
          where,
          "LOOP_E_CONFIG_TYPE",
          "must be text",
          'write "" for an empty one',
        ),
      );
    else {
      const fault = checkForm(node.form, value.source);
      if (fault === null) pairs.push([key, value.source]);
      else
        errors.push(problemAt(value.at, where, "LOOP_E_CONFIG_VALUE", fault.message, fault.hint));
    }
  }
  return { value: errors.length > 0 ? undefined : Object.fromEntries(pairs), errors, warnings: [] };
}

/** A list of small maps; the defaults of each are filled in here. */
function readRecords(located: Located, node: RecordsNode, path: string, find: FindNode): Reading {
  if (located.kind === "scalar" && located.value === null)
    return { value: [], errors: [], warnings: [] };
  if (located.kind !== "list")
    return refuse(
      located,
      path,
      `must be a list of maps, not ${kindOf(located)}`,
      "begin each with `- `",
    );
  const into: Settings = { set: new Map(), errors: [], warnings: [] };
  const value = located.items.map((item, i) => {
    const at = `${path}[${i}]`;
    readObject(item, { type: "object", doc: node.doc, keys: node.keys }, at, into, find);
    return Object.fromEntries(
      Object.entries(node.keys).map(([key, child]) => {
        const setting = into.set.get(`${at}.${key}`);
        if (
          setting === undefined &&
          child.type === "string" &&
          child.required === true &&
          !into.errors.some((e) => e.path.startsWith(at))
        ) {
          into.errors.push(
            problemAt(
              item.at,
              `${at}.${key}`,
              "LOOP_E_CONFIG_MISSING",
              "is missing",
              `add ${key}: ${child.doc}`,
            ),
          );
        }
        return [key, setting?.value ?? defaultOf(child)];
      }),
    );
  });
  return {
    value: into.errors.length > 0 ? undefined : value,
    errors: into.errors,
    warnings: into.warnings,
  };
}

function unknownKey(entry: Entry, path: string, node: ObjectNode): ConfigProblem {
  const instead = Object.hasOwn(refusedKeys, path) ? refusedKeys[path] : undefined;
  if (instead !== undefined)
    return problemAt(
      entry.at,
      path,
      "LOOP_E_CONFIG_SECRET",
      "is a secret, which may not be in the file",
      instead,
    );
  const names = Object.keys(node.keys);
  const near = nearest(entry.key, names);
  return problemAt(
    entry.at,
    path.slice(0, 200),
    "LOOP_E_CONFIG_UNKNOWN_KEY",
    `${quoted(entry.key)} is not a key here`,
    near === null ? `keys here: ${names.join(", ")}` : `did you mean ${near}?`,
  );
}

const refuse = (located: Located, path: string, message: string, hint: string): Reading => ({
  value: undefined,
  errors: [problemAt(located.at, path, "LOOP_E_CONFIG_TYPE", message, hint)],
  warnings: [],
});

function hintNear(text: string, values: readonly string[]): string {
  const near = nearest(text, values);
  return near === null ? "choose one of these" : `did you mean ${near}?`;
}
