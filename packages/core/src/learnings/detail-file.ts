import { stringify } from "yaml";
import { fieldsOf, isFields, severities, signalKinds, textOf, whyUnfit } from "./candidate.ts";
import { idText } from "./block.ts";
import { type Learning, kinds, type Source, type Status, statuses } from "./learning.ts";
import { categories, oneOf } from "./vocabulary.ts";

/**
 * The detail file of one learning: front matter of ours, and a body that belongs to people once it
 * is written.
 */
export type Detail = { readonly learning: Learning; readonly body: string };

export type ParsedDetail =
  | { readonly ok: true; readonly detail: Detail }
  | { readonly ok: false; readonly problem: string };

/**
 * The body that a new learning gets. What happened is told by where it was seen, never in words
 * that came from outside.
 */
export function bodyOf({ text, sources }: Learning): string {
  const seen = sources.map(
    ({ workItem, signal, ref }) => `- ${signal} in ${workItem}${ref === "" ? "" : ` (${ref})`}`,
  );
  return `\n## What happened\n\n${seen.join("\n")}\n\n## Learning\n\n${text}\n\n## Action\n\n${actionOf("active", null)}\n`;
}

/**
 * The detail file after a learning changed: what we wrote into its body and holds no longer gives
 * way, line by line; what people wrote there stays. `before` is the file as it stands; undefined
 * for a learning that has none yet.
 */
export function detailAfter(before: Detail | undefined, learning: Learning): Detail {
  if (before === undefined) return { learning, body: bodyOf(learning) };
  const ours = new Map([
    [before.learning.text, learning.text],
    [
      actionOf(before.learning.status, before.learning.supersededBy),
      actionOf(learning.status, learning.supersededBy),
    ],
  ]);
  return {
    learning,
    body: before.body
      .split("\n")
      .map((line) => ours.get(line) ?? line)
      .join("\n"),
  };
}

function actionOf(status: Status, supersededBy: number | null): string {
  if (status === "retired") return "None: it holds no longer.";
  return status === "superseded"
    ? `None: [${idText(supersededBy ?? 0)}] stands in its place.`
    : "Follow it in every session of this repository.";
}

export function formatDetail({ learning, body }: Detail): string {
  return `---\n${stringify(learning, { lineWidth: 0 })}---\n${body}`;
}

export function parseDetail(text: string): ParsedDetail {
  const end = text.startsWith("---\n") ? text.indexOf("\n---\n", 3) : -1;
  if (end === -1)
    return {
      ok: false,
      problem: "it does not begin with front matter between two lines of three hyphens",
    };
  const fields = fieldsOf(text.slice(4, end + 1));
  if (fields === null) return { ok: false, problem: "its front matter is no YAML map" };
  const learning = learningFrom(fields);
  return typeof learning === "string"
    ? { ok: false, problem: learning }
    : { ok: true, detail: { learning, body: text.slice(end + "\n---\n".length) } };
}

type Fields = Readonly<Record<string, unknown>>;

function learningFrom(fields: Fields): Learning | string {
  const words = textOf(fields["text"]);
  const fault = whyUnfit(words);
  if (fault !== null) return `text: ${fault}`;
  const [category, kind, status, severity] = [
    oneOf(fields["category"], categories),
    oneOf(fields["kind"], kinds),
    oneOf(fields["status"], statuses),
    oneOf(fields["severity"], severities),
  ];
  if (category === null) return `category is one of ${categories.join(", ")}`;
  if (kind === null || status === null || severity === null)
    return `kind is one of ${kinds.join(", ")}, status of ${statuses.join(", ")}, severity of ${severities.join(", ")}`;
  const numbers = ["id", "seen", "firstSeen", "lastSeen"].map((name) => fields[name]);
  if (!numbers.every(isCount)) return "id, seen, firstSeen and lastSeen are whole numbers from 0";
  const [id = 0, seen = 0, firstSeen = 0, lastSeen = 0] = numbers;
  if (id < 1) return "ids start at 1";
  const sources = listOf(fields["sources"]).map(sourceFrom);
  if (!sources.every((source): source is Source => source !== null))
    return "a source has workItem, run, signal, at and ref";
  return {
    id,
    text: words,
    category,
    kind,
    status,
    severity,
    seen,
    firstSeen,
    lastSeen,
    pinned: fields["pinned"] === true,
    supersedes: listOf(fields["supersedes"]).filter(isCount),
    supersededBy: isCount(fields["supersededBy"]) ? fields["supersededBy"] : null,
    keys: listOf(fields["keys"]).map(textOf),
    sources,
    earlier: listOf(fields["earlier"]).map(textOf),
  };
}

function sourceFrom(value: unknown): Source | null {
  if (!isFields(value)) return null;
  const signal = oneOf(value["signal"], signalKinds);
  const { workItem, run, at, ref } = value;
  if (signal === null || !isCount(at) || textOf(workItem) === "" || textOf(run) === "") return null;
  const words = listOf(value["words"]).map(textOf);
  return {
    workItem: textOf(workItem),
    run: textOf(run),
    signal,
    at,
    ref: textOf(ref),
    ...(words.length === 0 ? {} : { words }),
  };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
