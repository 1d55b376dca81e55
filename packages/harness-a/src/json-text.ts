/**
 * A JSON text with the places of its parts, so that one value can be put in without touching
 * another byte. Comments are allowed between parts; everything else is strict, and a name that
 * stands twice in one object is refused.
 */
export type JsonNode =
  | {
      readonly kind: "object";
      readonly start: number;
      readonly end: number;
      readonly members: readonly JsonMember[];
    }
  | { readonly kind: "other"; readonly start: number; readonly end: number };

export type JsonMember = {
  readonly name: string;
  readonly nameStart: number;
  readonly value: JsonNode;
};

/** Why a text is not JSON; `at` is the offset in UTF-16 units. */
export class JsonTextError extends Error {
  override readonly name: string = "JsonTextError";
  readonly at: number;

  constructor(sentence: string, at: number) {
    super(`${sentence} at offset ${at}`);
    this.at = at;
  }
}

/** Deeper nesting is refused: no settings file needs it, and the reader is recursive. */
const maxDepth = 200;

/** Parses the text to the tree of its objects; throws `JsonTextError`. */
export function parseJsonText(text: string): JsonNode {
  const start = skipTrivia(text, 0);
  const root = parseValue(text, start, 0);
  const end = skipTrivia(text, root.end);
  if (end < text.length) throw new JsonTextError("More text after the value", end);
  return root;
}

function parseValue(text: string, start: number, depth: number): JsonNode {
  if (depth > maxDepth) throw new JsonTextError("Nested too deep", start);
  switch (text[start]) {
    case "{":
      return parseMembers(text, start, depth);
    case "[":
      return parseElements(text, start, depth);
    case '"':
      return { kind: "other", start, end: endOfString(text, start) };
    default:
      return { kind: "other", start, end: endOfScalar(text, start) };
  }
}

function parseMembers(text: string, start: number, depth: number): JsonNode {
  const members: JsonMember[] = [];
  const names = new Set<string>();
  let at = skipTrivia(text, start + 1);
  if (text[at] === "}") return { kind: "object", start, end: at + 1, members };
  for (;;) {
    const nameStart = at;
    const nameEnd = endOfString(text, nameStart);
    const name = String(JSON.parse(text.slice(nameStart, nameEnd)));
    if (names.has(name))
      throw new JsonTextError(`The name ${JSON.stringify(name)} stands twice`, nameStart);
    names.add(name);
    const value = parseValue(
      text,
      skipTrivia(text, expect(text, skipTrivia(text, nameEnd), ":")),
      depth + 1,
    );
    members.push({ name, nameStart, value });
    at = skipTrivia(text, value.end);
    if (text[at] === "}") return { kind: "object", start, end: at + 1, members };
    at = skipTrivia(text, expect(text, at, ","));
  }
}

function parseElements(text: string, start: number, depth: number): JsonNode {
  let at = skipTrivia(text, start + 1);
  if (text[at] === "]") return { kind: "other", start, end: at + 1 };
  for (;;) {
    at = skipTrivia(text, parseValue(text, at, depth + 1).end);
    if (text[at] === "]") return { kind: "other", start, end: at + 1 };
    at = skipTrivia(text, expect(text, at, ","));
  }
}

function endOfString(text: string, start: number): number {
  if (text[start] !== '"') throw new JsonTextError("A string was expected", start);
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text[at];
    if (char === "\\") at += 1;
    else if (char === '"') return checked(text, start, at + 1);
  }
  throw new JsonTextError("A string has no end", start);
}

function endOfScalar(text: string, start: number): number {
  let end = start;
  while (end < text.length && !" \t\r\n,]}/".includes(text[end] ?? "")) end += 1;
  return checked(text, start, end);
}

/** Strings and scalars are checked by the language's own parser. */
function checked(text: string, start: number, end: number): number {
  try {
    JSON.parse(text.slice(start, end));
    return end;
  } catch {
    throw new JsonTextError("No JSON value", start);
  }
}

function expect(text: string, at: number, char: string): number {
  if (text[at] !== char) throw new JsonTextError(`A ${char} was expected`, at);
  return at + 1;
}

/** Offset of the next part: after blanks and comments. */
export function skipTrivia(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (at < text.length && " \t\r\n".includes(text[at] ?? "")) at += 1;
    const end = endOfComment(text, at);
    if (end === at) return at;
    at = end;
  }
}

function endOfComment(text: string, at: number): number {
  if (text.startsWith("//", at)) {
    const end = text.indexOf("\n", at);
    return end < 0 ? text.length : end;
  }
  if (!text.startsWith("/*", at)) return at;
  const end = text.indexOf("*/", at + 2);
  if (end < 0) throw new JsonTextError("A comment has no end", at);
  return end + 2;
}
