import { kindOf, type Located } from "../config/document.ts";
import { type Position, quoted } from "../config/problem.ts";
import {
  type ArtifactRule,
  type GraphEdge,
  type GraphNode,
  type Persona,
  personas,
} from "./model.ts";

/** What is wrong at one place of the text. */
export type GraphProblem = {
  readonly path: string;
  readonly line: number | null;
  readonly message: string;
  readonly hint: string;
};

/** Collects every problem of a text, and where each path of it stands. */
export class Reading {
  readonly problems: GraphProblem[] = [];
  readonly places: Map<string, Position> = new Map();

  problem(at: Position | null, path: string, message: string, hint: string): void {
    this.problems.push({ path, line: at?.line ?? null, message, hint });
  }

  /**
   * Place of the path, or of what it stands in where it has none of its own; null for the text as a
   * whole.
   */
  placeOf(path: string): Position | null {
    for (
      let at = path;
      at !== "";
      at = at.slice(0, Math.max(at.lastIndexOf("."), at.lastIndexOf("["), 0))
    ) {
      const place = this.places.get(at);
      if (place !== undefined) return place;
    }
    return null;
  }

  /** The entries of a map by key; keys that nobody reads are problems. */
  map(value: Located, path: string, keys: readonly string[] | null): ReadonlyMap<string, Located> {
    this.places.set(path, value.at);
    if (value.kind !== "map") {
      this.problem(
        value.at,
        path,
        `a map belongs here, there is ${kindOf(value)}`,
        "write `key: value`",
      );
      return new Map();
    }
    for (const { key, at } of value.entries) {
      const place = path === "" ? key : `${path}.${key}`;
      this.places.set(place, at);
      if (keys !== null && !keys.includes(key))
        this.problem(at, place, "there is no such key", `the keys are ${keys.join(", ")}`);
    }
    return new Map(value.entries.map(({ key, value: each }) => [key, each]));
  }

  list<T>(
    value: Located | undefined,
    path: string,
    read: (item: Located, path: string) => T | null,
  ): readonly T[] {
    if (value === undefined) return [];
    this.places.set(path, value.at);
    if (value.kind === "list")
      return value.items.flatMap((item, i) => read(item, `${path}[${i}]`) ?? []);
    this.problem(
      value.at,
      path,
      `a list belongs here, there is ${kindOf(value)}`,
      "write `- item` lines, or `[item, item]`",
    );
    return [];
  }

  /** A text that fits; null, with a problem, when it is another thing or does not. */
  text(
    value: Located | undefined,
    path: string,
    fits: (text: string) => boolean,
    expected: string,
  ): string | null {
    if (value !== undefined) this.places.set(path, value.at);
    const text =
      value?.kind === "scalar" && typeof value.value === "string" ? value.value.trim() : null;
    if (text !== null && fits(text)) return text;
    const found = value === undefined ? "nothing" : text === null ? kindOf(value) : quoted(text);
    this.problem(
      value?.at ?? this.placeOf(path),
      path,
      `${expected} belongs here, there is ${found}`,
      "see `loop graph show --definition` for a graph that is complete",
    );
    return null;
  }

  truth(value: Located | undefined, path: string): boolean {
    if (value === undefined) return false;
    if (value.kind === "scalar" && typeof value.value === "boolean") return value.value;
    this.problem(
      value.at,
      path,
      `true or false belongs here, there is ${kindOf(value)}`,
      "write true or false without quotes",
    );
    return false;
  }
}

const nodeKeys = [
  "id",
  "title",
  "persona",
  "task",
  "produces",
  "gate",
  "critics",
  "scope",
  "optional",
  "terminal",
];

/** A name of a graph or node: letters, digits and dashes, as labels and folders take it. */
export function isName(text: string): boolean {
  return /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/.test(text);
}

/** One node of the list; null when it has no id, and the problem says so. */
export function readNode(value: Located, path: string, reading: Reading): GraphNode | null {
  const entries = reading.map(value, path, nodeKeys);
  const id = reading.text(
    entries.get("id"),
    `${path}.id`,
    isName,
    "a name of small letters, digits and dashes",
  );
  if (id === null) return null;
  const produces = reading.list(entries.get("produces"), `${path}.produces`, (item, at) =>
    readArtifact(item, at, reading),
  );
  const gate = entries.has("gate")
    ? reading.text(entries.get("gate"), `${path}.gate`, (text) => text === "human", "`human`")
    : null;
  const scope = entries.has("scope")
    ? reading.text(
        entries.get("scope"),
        `${path}.scope`,
        (text) => text === "node" || text === "work-item",
        "`node` or `work-item`",
      )
    : null;
  const title = entries.get("title");
  const task = entries.get("task");
  return {
    id,
    title:
      (title === undefined
        ? null
        : reading.text(title, `${path}.title`, isSentence, "a short text")) ?? id,
    personas: readPersonas(entries.get("persona"), `${path}.persona`, reading),
    task:
      (task === undefined
        ? null
        : reading.text(
            task,
            `${path}.task`,
            (text) => text.length <= 4_000,
            "a text of at most 4,000 characters",
          )) ?? "",
    produces,
    gate: gate === null ? null : "human",
    critics: readCritics(entries.get("critics"), `${path}.critics`, reading),
    // What produces nothing of its own has the whole work item to look at.
    scope:
      scope === "node" || scope === "work-item"
        ? scope
        : produces.length > 0
          ? "node"
          : "work-item",
    optional: reading.truth(entries.get("optional"), `${path}.optional`),
    terminal: reading.truth(entries.get("terminal"), `${path}.terminal`),
  };
}

const isSentence = (text: string): boolean => text.length > 0 && text.length <= 200;

function readPersonas(
  value: Located | undefined,
  path: string,
  reading: Reading,
): readonly Persona[] {
  if (value === undefined) return [];
  const one = (item: Located, at: string): Persona | null => {
    const text = reading.text(
      item,
      at,
      (word) => personas.some((known) => known === word),
      `one of ${personas.join(", ")}`,
    );
    return personas.find((known) => known === text) ?? null;
  };
  return value.kind === "scalar"
    ? [one(value, path)].flatMap((each) => each ?? [])
    : reading.list(value, path, one);
}

function readCritics(
  value: Located | undefined,
  path: string,
  reading: Reading,
): GraphNode["critics"] {
  if (value === undefined) return [];
  if (value.kind === "scalar")
    return reading.text(value, path, (text) => text === "all", "`all` or a list of names") === null
      ? []
      : "all";
  return reading.list(value, path, (item, at) =>
    reading.text(item, at, isSentence, "the name of a critic"),
  );
}

function readArtifact(value: Located, path: string, reading: Reading): ArtifactRule | null {
  const entries = reading.map(value, path, ["file", "headings"]);
  const file = reading.text(
    entries.get("file"),
    `${path}.file`,
    isFileName,
    "the name of a Markdown file, without a folder",
  );
  const headings = reading.list(entries.get("headings"), `${path}.headings`, (item, at) =>
    reading.text(item, at, isSentence, "the text of a heading"),
  );
  return file === null ? null : { file, headings };
}

/** One file of the work item's folder: no way leads out of it, and nothing is hidden. */
function isFileName(text: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{0,98}\.md$/.test(text);
}

/** `[from, to]`, or a map with `when: rejected`. */
export function readEdge(value: Located, path: string, reading: Reading): GraphEdge | null {
  reading.places.set(path, value.at);
  if (value.kind === "list" && value.items.length === 2) {
    const [from, to] = [0, 1].map((end) =>
      reading.text(value.items[end], `${path}[${end}]`, isName, "the id of a node"),
    );
    return from == null || to == null ? null : { from, to, when: "complete" };
  }
  const entries = reading.map(value, path, ["from", "to", "when"]);
  const from = reading.text(entries.get("from"), `${path}.from`, isName, "the id of a node");
  const to = reading.text(entries.get("to"), `${path}.to`, isName, "the id of a node");
  const when = entries.has("when")
    ? reading.text(
        entries.get("when"),
        `${path}.when`,
        (text) => text === "complete" || text === "rejected",
        "`complete` or `rejected`",
      )
    : null;
  return from === null || to === null
    ? null
    : { from, to, when: when === "rejected" ? "rejected" : "complete" };
}
