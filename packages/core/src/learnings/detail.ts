import { stringify } from "yaml";
import { categories, fieldsOf, isFields, oneOf, severities, signalKinds, textOf, unfit } from "./candidate.ts";
import { type Learning, kinds, type Source, statuses } from "./learning.ts";

/** The detail file of one learning: front matter of ours, and a body that belongs to people once it is written. */
export type Detail = { readonly learning: Learning; readonly body: string };

export type ParsedDetail = { readonly ok: true; readonly detail: Detail } | { readonly ok: false; readonly problem: string };

/** The body that a new learning gets. What happened is told by where it was seen, never in words that came from outside. */
export function bodyOf({ text, sources }: Learning): string {
  const seen = sources.map(({ workItem, signal, ref }) => `- ${signal} in ${workItem}${ref === "" ? "" : ` (${ref})`}`);
  return `\n## What happened\n\n${seen.join("\n")}\n\n## Learning\n\n${text}\n\n## Action\n\nFollow it in every session of this repository.\n`;
}

export function formatDetail({ learning, body }: Detail): string {
  return `---\n${stringify(learning, { lineWidth: 0 })}---\n${body}`;
}

export function parseDetail(text: string): ParsedDetail {
  const end = text.startsWith("---\n") ? text.indexOf("\n---\n", 3) : -1;
  if (end < 0) return { ok: false, problem: "it does not begin with front matter between two lines of three hyphens" };
  const fields = fieldsOf(text.slice(4, end + 1));
  if (fields === null) return { ok: false, problem: "its front matter is no YAML map" };
  const learning = learningFrom(fields);
  return typeof learning === "string" ? { ok: false, problem: learning } : { ok: true, detail: { learning, body: text.slice(end + "\n---\n".length) } };
}

type Fields = Readonly<Record<string, unknown>>;

function learningFrom(fields: Fields): Learning | string {
  const words = textOf(fields["text"]);
  const fault = unfit(words);
  if (fault !== null) return `text: ${fault}`;
  const [category, kind, status, severity] = [oneOf(fields["category"], categories), oneOf(fields["kind"], kinds), oneOf(fields["status"], statuses), oneOf(fields["severity"], severities)];
  if (category === null) return `category is one of ${categories.join(", ")}`;
  if (kind === null || status === null || severity === null) return `kind is one of ${kinds.join(", ")}, status of ${statuses.join(", ")}, severity of ${severities.join(", ")}`;
  const numbers = ["id", "seen", "firstSeen", "lastSeen", "helpful", "harmful"].map((name) => fields[name]);
  if (!numbers.every(isCount)) return "id, seen, firstSeen, lastSeen, helpful and harmful are whole numbers from 0";
  const [id = 0, seen = 0, firstSeen = 0, lastSeen = 0, helpful = 0, harmful = 0] = numbers;
  if (id < 1) return "ids start at 1";
  const sources = listOf(fields["sources"]).map(sourceFrom);
  if (!sources.every((source): source is Source => source !== null)) return "a source has workItem, run, signal, at and ref";
  return {
    id, text: words, category, kind, status, severity, seen, firstSeen, lastSeen, helpful, harmful,
    lastInjected: isCount(fields["lastInjected"]) ? fields["lastInjected"] : null,
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
  return signal === null || !isCount(at) || textOf(workItem) === "" || textOf(run) === "" ? null : { workItem: textOf(workItem), run: textOf(run), signal, at, ref: textOf(ref) };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
