import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import { type ConfigProblem, type Position, problemAt, quoted } from "./problem.ts";

/** A YAML text as plain data with places; aliases are written out. */
export type Located =
  | { readonly kind: "map"; readonly entries: readonly Entry[]; readonly at: Position }
  | { readonly kind: "list"; readonly items: readonly Located[]; readonly at: Position }
  | {
      readonly kind: "scalar";
      readonly value: string | number | boolean | null;
      readonly source: string;
      readonly plain: boolean;
      readonly at: Position;
    };

export type Entry = { readonly key: string; readonly at: Position; readonly value: Located };

type Read = { readonly root: Located | null; readonly problems: readonly ConfigProblem[] };
type Place = (offset: number | undefined) => Position;

/**
 * Bounds of a text: characters, nodes once aliases are written out, levels; whether there may be
 * aliases; and what such a text is called.
 */
export type DocumentLimits = {
  readonly characters: number;
  readonly nodes: number;
  readonly levels: number;
  readonly aliases: boolean;
  readonly of: string;
};

/** Bounds of a configuration file. */
export const documentLimits = {
  characters: 131_072,
  nodes: 10_000,
  levels: 32,
  aliases: true,
  of: "a configuration",
} as const;

/**
 * How the parser reads. Our own check of duplicate keys is linear; the parser's compares each key
 * with each.
 */
export const yamlOptions = {
  version: "1.2",
  schema: "core",
  merge: false,
  prettyErrors: false,
  strict: true,
  uniqueKeys: false,
  logLevel: "error",
} as const;

/**
 * Reads YAML 1.2: no tags, no duplicate keys, bounded aliases. `root` is null when there are
 * problems.
 */
export function readDocument(text: string, limits: DocumentLimits = documentLimits): Read {
  const refused = refuseBeforeParsing(text, limits);
  if (refused !== null) return { root: null, problems: [refused] };
  const lines = new LineCounter();
  const doc = parseDocument(text, { ...yamlOptions, lineCounter: lines });
  const place: Place = (offset) => {
    const { line, col } = lines.linePos(offset ?? 0);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const problems = doc.errors
    .slice(0, 20)
    .map((error) => syntaxProblem(error.code, error.message, place(error.pos[0])));
  if (problems.length > 0) return { root: null, problems };
  const writing = new Writing(place, limits);
  const root = writing.convert(doc.contents, 0, "", { line: 1, column: 1 });
  return { root: writing.problems.length > 0 ? null : root, problems: writing.problems };
}

/**
 * What the parser itself would choke on: it recurses, and some texts of dashes bring the process
 * down.
 */
function refuseBeforeParsing(text: string, limits: DocumentLimits): ConfigProblem | null {
  if (text.length > limits.characters)
    return problemAt(
      null,
      "",
      "LOOP_E_CONFIG_TOO_LARGE",
      `the file has ${text.length} characters`,
      `${limits.of} has at most ${limits.characters}`,
    );
  const lines = text.split("\n");
  let brackets = 0;
  for (const [index, line] of lines.entries()) {
    for (const c of line) {
      if (c === "[" || c === "{") brackets += 1;
      else if ((c === "]" || c === "}") && brackets > 0) brackets -= 1;
    }
    if (brackets > 256 || markersOf(line) > limits.levels) {
      return problemAt(
        { line: index + 1, column: 1 },
        "",
        "LOOP_E_CONFIG_SYNTAX",
        "values are nested too deep",
        `use at most ${limits.levels} levels`,
      );
    }
  }
  return null;
}

/** Markers of nesting with which a line begins: `- - ? -`. */
function markersOf(line: string): number {
  let count = 0;
  for (const c of line) {
    if (c === "-" || c === "?") count += 1;
    else if (c !== " " && c !== "\t") break;
  }
  return count;
}

function syntaxProblem(code: string, message: string, at: Position): ConfigProblem {
  if (code === "TAB_AS_INDENT")
    return problemAt(
      at,
      "",
      "LOOP_E_CONFIG_TAB",
      "a tab stands where YAML needs blanks",
      "indent with blanks",
    );
  if (code === "MULTIPLE_DOCS")
    return problemAt(
      at,
      "",
      "LOOP_E_CONFIG_SYNTAX",
      "the file holds more than one document",
      "keep one; remove the line ---",
    );
  return problemAt(
    at,
    "",
    "LOOP_E_CONFIG_SYNTAX",
    `no valid YAML (${(message.split("\n")[0] ?? "").slice(0, 160)})`,
    "check indentation, colons and quotes around this place",
  );
}

/**
 * One conversion of the parser's nodes into plain data. It stops, with one problem, once aliases
 * grow past the bounds.
 */
class Writing {
  readonly problems: ConfigProblem[] = [];
  readonly #anchors = new Map<string, unknown>();
  readonly #place: Place;
  readonly #limits: DocumentLimits;
  #nodes = 0;
  #stopped = false;

  constructor(place: Place, limits: DocumentLimits) {
    this.#place = place;
    this.#limits = limits;
  }

  convert(node: unknown, level: number, path: string, fallback: Position): Located | null {
    if (this.#stopped) return null;
    if (node === null || node === undefined)
      return { kind: "scalar", value: null, source: "", plain: true, at: fallback };
    if (!isAlias(node) && !isMap(node) && !isSeq(node) && !isScalar(node))
      return this.#stop(fallback, path, "cannot be read");
    const at = node.range ? this.#place(node.range[0]) : fallback;
    this.#nodes += 1;
    if (this.#nodes > this.#limits.nodes)
      return this.#stop(at, path, "aliases make the file too large");
    if (level > this.#limits.levels) return this.#stop(at, path, "values are nested too deep");
    if (isAlias(node)) {
      if (!this.#limits.aliases) return this.#stop(at, path, "an alias stands here");
      if (!this.#anchors.has(node.source))
        return this.#stop(
          at,
          path,
          `the alias ${quoted(`*${node.source}`)} has no anchor before it`,
        );
      return this.convert(this.#anchors.get(node.source), level + 1, path, at);
    }
    if (node.tag !== undefined)
      this.problems.push(
        problemAt(
          at,
          path,
          "LOOP_E_CONFIG_TAG",
          `the tag ${quoted(node.tag)} is not allowed`,
          "remove the tag; types follow from the keys",
        ),
      );
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    if (isScalar(node)) return scalarOf(node, at);
    if (isSeq(node))
      return {
        kind: "list",
        at,
        items: node.items.flatMap(
          (item, i) => this.convert(item, level + 1, `${path}[${i}]`, at) ?? [],
        ),
      };
    const entries: Entry[] = [];
    const seen = new Set<string>();
    for (const pair of node.items) {
      const entry = this.#entry(pair.key, pair.value, level, path, at);
      if (entry === null) continue;
      if (seen.has(entry.key))
        this.problems.push(
          problemAt(
            entry.at,
            under(path, entry.key),
            "LOOP_E_CONFIG_DUPLICATE_KEY",
            "the key stands there twice",
            "keep one of the two",
          ),
        );
      seen.add(entry.key);
      entries.push(entry);
    }
    return { kind: "map", at, entries };
  }

  #entry(
    key: unknown,
    value: unknown,
    level: number,
    path: string,
    fallback: Position,
  ): Entry | null {
    const name = this.convert(key, level + 1, path, fallback);
    if (name === null) return null;
    if (name.kind !== "scalar") {
      this.problems.push(
        problemAt(
          name.at,
          path,
          "LOOP_E_CONFIG_SYNTAX",
          "a key is no single word",
          "write `key: value`",
        ),
      );
      return null;
    }
    const read = this.convert(value, level + 1, under(path, name.source), name.at);
    return read === null ? null : { key: name.source, at: name.at, value: read };
  }

  #stop(at: Position, path: string, why: string): null {
    this.#stopped = true;
    this.problems.push(
      problemAt(
        at,
        path,
        "LOOP_E_CONFIG_ALIAS",
        why,
        `write the values out; ${this.#limits.of} has at most ${this.#limits.nodes} of them in ${this.#limits.levels} levels`,
      ),
    );
    return null;
  }
}

const under = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`);

function scalarOf(
  node: { readonly value: unknown; readonly source?: string; readonly type?: string },
  at: Position,
): Located {
  const { value } = node;
  const plain = node.type === "PLAIN" || node.type === undefined;
  const source = node.source ?? (typeof value === "string" ? value : "");
  const known =
    typeof value === "string" ||
    typeof value === "number" ||
    typeof value === "boolean" ||
    value === null;
  return { kind: "scalar", value: known ? value : source, source, plain, at };
}

/** What stands there, for a sentence; never its value. */
export function kindOf(located: Located): string {
  if (located.kind === "map") return "a map";
  if (located.kind === "list") return "a list";
  if (located.value === null) return "nothing";
  if (typeof located.value === "string") return located.plain ? "text" : "text in quotes";
  return typeof located.value === "number" ? "a number" : "true or false";
}
