import type { WordList } from "./clauses.ts";
import type { NormalForm, Token } from "./normal-form.ts";
import { alike } from "./similarity.ts";

/** By which words a sentence shows what it is about. */
export type SlotShape = "label" | "condition" | "order" | "claim";

/**
 * A fact as a question and its answer: what it is about, and what it says of that. "PRs target the
 * main branch" is about pull requests; "Use pnpm to install" is about installing. Two facts of one
 * subject with two values exclude each other; one value of two subjects is two facts.
 */
export type Slot = {
  readonly shape: SlotShape;
  readonly subject: readonly Token[];
  readonly value: readonly Token[];
};

/** Reads subject and value by the shape of the sentence; null where it shows none. */
export function slotOf({ tokens, label }: NormalForm): Slot | null {
  return (
    split("label", tokens, 0, label, label) ??
    conditionSlot(tokens) ??
    claimSlot(tokens, copulas) ??
    orderSlot(tokens) ??
    claimSlot(tokens, claimVerbs)
  );
}

const conditions: WordList = new Set([
  "if",
  "when",
  "whenever",
  "after",
  "before",
  "for",
  "on",
  "once",
  "with",
  "to",
  "in",
  "during",
]);

/**
 * "After X do Y": the condition is the subject, as far as the first verb that commands something.
 */
function conditionSlot(tokens: readonly Token[]): Slot | null {
  if (!conditions.has(tokens[0]?.text)) return null;
  const at = tokens.findIndex(({ text }, place) => place > 1 && commanding.has(text));
  return split("condition", tokens, 1, at, at);
}

const commanding: ReadonlySet<string> = new Set([
  "run",
  "use",
  "call",
  "set",
  "create",
  "keep",
  "write",
  "add",
  "read",
  "prefer",
  "never",
  "always",
  "do",
  "must",
  "check",
  "ask",
  "pass",
  "update",
  "throw",
  "start",
  "put",
  "build",
  "avoid",
  "ensure",
  "make",
]);
const means: ReadonlySet<string> = new Set([
  "use",
  "run",
  "prefer",
  "call",
  "set",
  "add",
  "pass",
  "employ",
  "choose",
  "pick",
]);
const purposes: ReadonlySet<string> = new Set([
  "to",
  "for",
  "when",
  "if",
  "instead",
  "whenever",
  "before",
  "after",
  "on",
  "over",
  "in",
  "inside",
]);
const instruments: ReadonlySet<string> = new Set([
  "with",
  "using",
  "via",
  "through",
  "from",
  "by",
  "in",
  "into",
  "at",
  "under",
  "on",
  "to",
  "inside",
]);

/** "Use X to do Y" is about Y; "Do Y with X" is about Y, too. */
function orderSlot(tokens: readonly Token[]): Slot | null {
  const start = tokens.findIndex(({ text }) => !lead.has(text));
  const verb = tokens[start];
  if (
    verb === undefined ||
    verb.kind !== "word" ||
    determiners.has(verb.text) ||
    isOneOf(tokens[start + 1], claimVerbs)
  )
    return null;
  if (means.has(verb.text)) {
    const at = tokens.findIndex(({ text }, place) => place > start + 1 && purposes.has(text));
    if (at !== -1)
      return {
        shape: "order",
        subject: tokens.slice(at + 1).filter(isContent),
        value: tokens.slice(start + 1, at).filter(isContent),
      };
  }
  const at = tokens.findIndex(({ text }, place) => place > start + 1 && instruments.has(text));
  return split("order", tokens, start, at, at + 1);
}

const lead: ReadonlySet<string> = new Set([
  "do",
  "not",
  "never",
  "always",
  "must",
  "please",
  "only",
  "should",
]);
const determiners: ReadonlySet<string> = new Set([
  "the",
  "a",
  "an",
  "all",
  "every",
  "each",
  "no",
  "any",
  "our",
  "this",
  "these",
  "it",
  "we",
  "there",
]);
const copulas: ReadonlySet<string> = new Set([
  "is",
  "are",
  "was",
  "were",
  "must",
  "should",
  "may",
  "can",
  "has",
  "have",
  "does",
  "will",
]);
const claimVerbs: ReadonlySet<string> = new Set([
  ...copulas,
  "live",
  "lives",
  "holds",
  "uses",
  "use",
  "needs",
  "need",
  "requires",
  "targets",
  "target",
  "goes",
  "go",
  "runs",
  "run",
  "returns",
  "takes",
  "take",
  "defaults",
  "do",
  "gets",
  "contains",
  "lists",
  "gives",
  "starts",
  "means",
  "breaks",
  "covers",
  "focuses",
  "follows",
  "happens",
  "expires",
  "stays",
  "owns",
]);
/** Behind these begins a side clause, whose verb says nothing of the subject. */
const sideClauses: ReadonlySet<string> = new Set([
  "if",
  "when",
  "whenever",
  "that",
  "which",
  "who",
  "where",
  "because",
  "so",
  "unless",
  "until",
  "while",
  "after",
  "before",
]);

/** "X is Y", "X lives in Y". */
function claimSlot(tokens: readonly Token[], verbs: ReadonlySet<string>): Slot | null {
  const side = tokens.findIndex((token) => isOneOf(token, sideClauses));
  const at = tokens.findIndex((token, place) => place > 0 && isOneOf(token, verbs));
  return side >= 0 && side < at ? null : split("claim", tokens, 0, at, at + 1);
}

function isOneOf(token: Token | undefined, words: ReadonlySet<string>): boolean {
  return token?.kind === "word" && words.has(token.text);
}

function split(
  shape: SlotShape,
  tokens: readonly Token[],
  from: number,
  to: number,
  rest: number,
): Slot | null {
  if (to === -1) return null;
  const subject = tokens.slice(from, to).filter(isContent);
  const value = tokens.slice(rest).filter(isContent);
  return subject.length === 0 || value.length === 0 ? null : { shape, subject, value };
}

function isContent({ filler }: Token): boolean {
  return !filler;
}

/**
 * Whether two facts say something of two subjects that differ in one word at one place: the port of
 * the mailer, and that of the importer. Such facts stand beside each other, however much else they
 * share.
 */
export function areSiblings(one: NormalForm, other: NormalForm): boolean {
  const [mine, theirs] = [slotOf(one), slotOf(other)];
  if (one.retires && other.retires) return differInOneThing(one.gone, other.gone);
  if (one.retires)
    return (
      theirs !== null && theirs.shape === "claim" && differInOneThing(one.gone, theirs.subject)
    );
  return (
    mine !== null &&
    theirs !== null &&
    mine.shape === theirs.shape &&
    one.negative === other.negative &&
    differInOneThing(mine.subject, theirs.subject)
  );
}

function differInOneThing(mine: readonly Token[], theirs: readonly Token[]): boolean {
  if (mine.length !== theirs.length || mine.length < 2) return false;
  const different = mine.flatMap((token, at) => (token.stem === theirs[at]?.stem ? [] : [at]));
  const [at] = different;
  return different.length === 1 && at !== undefined && isOtherThing(mine[at], theirs[at]);
}

/** Words that share no root; what is an identifier in both may have been renamed. */
function isOtherThing(one: Token | undefined, other: Token | undefined): boolean {
  return (
    one !== undefined &&
    other !== undefined &&
    one.kind === "word" &&
    other.kind === "word" &&
    alike(one, other) === 0
  );
}
