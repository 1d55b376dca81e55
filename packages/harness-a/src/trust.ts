import { type JsonMember, type JsonNode, JsonTextError, parseJsonText } from "./json-text.ts";

/** One value to be `true` in a file of the harness, by the names that lead to it. */
export type TrustKey = readonly [string, ...string[]];

export type TrustPatch =
  | { readonly kind: "patched"; readonly text: string; readonly keys: readonly string[] }
  | { readonly kind: "already" }
  | { readonly kind: "refused"; readonly why: string };

/** Keys of the trust dialog for directories, each for exactly that directory. */
export function trustKeys(directories: readonly string[]): readonly TrustKey[] {
  return [...new Set(directories)].map((directory) => [
    "projects",
    directory,
    "hasTrustDialogAccepted",
  ]);
}

/** Key of the harness's settings that skips the warning of bypass mode. */
export const bypassKey: TrustKey = ["skipDangerousModePermissionPrompt"];

/**
 * Sets every key to `true` in the text of the file and leaves all other bytes as they are:
 * comments, order, foreign keys. Refuses a text that does not parse, and one whose parts on the way
 * are no objects.
 */
export function patchTrust(text: string, keys: readonly TrustKey[]): TrustPatch {
  try {
    let patched = text;
    const written: string[] = [];
    for (const key of keys) {
      const next = setTrue(patched, key);
      if (next === patched) continue;
      patched = next;
      written.push(key.join(" > "));
    }
    return written.length === 0
      ? { kind: "already" }
      : { kind: "patched", text: patched, keys: written };
  } catch (error) {
    if (error instanceof JsonTextError) return { kind: "refused", why: error.message };
    throw error;
  }
}

function setTrue(text: string, key: TrustKey): string {
  let node = parseJsonText(text);
  for (const [depth, name] of key.entries()) {
    if (node.kind !== "object") throw new JsonTextError("An object was expected", node.start);
    const member = node.members.find((candidate) => candidate.name === name);
    if (member === undefined) return insert(text, node, { name, rest: key.slice(depth + 1) });
    node = member.value;
  }
  return text.slice(node.start, node.end) === "true"
    ? text
    : `${text.slice(0, node.start)}true${text.slice(node.end)}`;
}

/** Puts a member at the end of an object, in the style of its neighbours. */
function insert(
  text: string,
  object: Extract<JsonNode, { kind: "object" }>,
  member: { readonly name: string; readonly rest: readonly string[] },
): string {
  const last = object.members.at(-1);
  const tail = blanksBefore(text, object.end - 1);
  const style = styleOf(text, object, last);
  const added = `${style.before}${JSON.stringify(member.name)}${style.colon}${renderRest(member.rest, style)}`;
  const closing =
    last === undefined && style.lineBreak !== null && tail === object.end - 1
      ? `${style.lineBreak}${style.closeIndent}`
      : "";
  const comma = last === undefined ? "" : ",";
  const afterLast = last?.value.end ?? object.start + 1;
  return `${text.slice(0, afterLast)}${comma}${text.slice(afterLast, tail)}${added}${closing}${text.slice(tail)}`;
}

type Style = {
  readonly lineBreak: string | null;
  readonly before: string;
  readonly colon: string;
  readonly indent: string;
  readonly closeIndent: string;
  readonly unit: string;
};

function styleOf(text: string, object: JsonNode, last: JsonMember | undefined): Style {
  const root = parseJsonText(text);
  const spread =
    text.slice(root.start, root.end).includes("\n") &&
    (last === undefined || text.slice(object.start, object.end).includes("\n"));
  const unit = unitOf(text, root);
  if (!spread)
    return {
      lineBreak: null,
      before: "",
      colon:
        last !== undefined &&
        text[endOfName(text, last)] === ":" &&
        text[endOfName(text, last) + 1] === " "
          ? ": "
          : ":",
      indent: "",
      closeIndent: "",
      unit,
    };
  const lineBreak = text.includes("\r\n") ? "\r\n" : "\n";
  const closeIndent = indentOfLine(text, object.start);
  const indent = last === undefined ? closeIndent + unit : indentOfLine(text, last.nameStart);
  return { lineBreak, before: lineBreak + indent, colon: ": ", indent, closeIndent, unit };
}

/** `true` inside of the objects that are still missing on the way. */
function renderRest(rest: readonly string[], style: Style): string {
  return rest.reduceRight<{ readonly text: string; readonly depth: number }>(
    ({ text, depth }, name) => {
      if (style.lineBreak === null)
        return { text: `{${JSON.stringify(name)}${style.colon}${text}}`, depth: depth - 1 };
      const outer = style.lineBreak + style.indent + style.unit.repeat(depth - 1);
      return {
        text: `{${outer}${style.unit}${JSON.stringify(name)}${style.colon}${text}${outer}}`,
        depth: depth - 1,
      };
    },
    { text: "true", depth: rest.length },
  ).text;
}

function unitOf(text: string, root: JsonNode): string {
  const first = root.kind === "object" ? root.members[0] : undefined;
  const indent = first === undefined ? "" : indentOfLine(text, first.nameStart);
  return indent === "" ? "  " : indent;
}

function endOfName(text: string, member: JsonMember): number {
  return text.indexOf(":", member.nameStart + JSON.stringify(member.name).length);
}

/** The blanks at the beginning of the line that holds `at`. */
function indentOfLine(text: string, at: number): string {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  let end = start;
  while (text[end] === " " || text[end] === "\t") end += 1;
  return text.slice(start, end);
}

/** Where the run of blanks that ends at `end` begins. */
function blanksBefore(text: string, end: number): number {
  let at = end;
  while (at > 0 && " \t\r\n".includes(text[at - 1] ?? "")) at -= 1;
  return at;
}
