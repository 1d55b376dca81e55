import { applied, type Book, type Candidate, consolidate, emptyBook, formatBlock, indexOf, type Learning, type Plan, sizeOfText } from "@loopwork/core/learnings";
import type { Planted, Stream } from "./generate.ts";

/** What became of a generated stream. */
export type Replayed = {
  readonly candidates: number;
  readonly consolidations: number;
  readonly largest: { readonly lines: number; readonly bytes: number };
  /** Of each kind that was planted: how many there were, and how many ended as they should. */
  readonly kinds: Readonly<Record<Planted["kind"], { readonly planted: number; readonly right: number; readonly inIndex: number; readonly inTopics: number }>>;
  /** Candidates that no plan accounts for. */
  readonly lost: number;
  readonly unsure: number;
  readonly waiting: number;
  readonly told: readonly string[];
};

const dayMs = 24 * 60 * 60 * 1000;

/** Consolidates a stream day by day, as ends of sessions would, and looks at what stands at the end. */
export function replay({ candidates, planted }: Stream): Replayed {
  const [first, last] = [candidates[0]?.at ?? 0, candidates.at(-1)?.at ?? 0];
  const told: string[] = [];
  let [book, waiting, consolidations, unsure, settled]: [Book, readonly Candidate[], number, number, number] = [emptyBook, [], 0, 0, 0];
  let largest = { lines: 0, bytes: 0 };
  for (let from = first; from <= last; from += dayMs) {
    const now = from + dayMs;
    const queue = [...waiting, ...candidates.filter(({ at }) => at >= from && at < now)];
    const plan = consolidate({ book, candidates: queue, rules: [], verdicts: new Map(), now });
    book = applied(book, plan);
    consolidations += 1;
    unsure += plan.unsure.length;
    const left = new Set(plan.waiting);
    settled += accounted(plan) - plan.waiting.length;
    waiting = queue.filter(({ id }) => left.has(id));
    for (const { kind, learning, why } of plan.changes) if (kind !== "seen") told.push(`day ${consolidations}: ${kind} [${learning.id}] ${learning.text}: ${why}`);
    const size = sizeOfText(formatBlock(indexOf(book, now)));
    largest = { lines: Math.max(largest.lines, size.lines), bytes: Math.max(largest.bytes, size.bytes) };
  }
  return { candidates: candidates.length, consolidations, largest, kinds: judged(planted, book), lost: candidates.length - settled - waiting.length, unsure, waiting: waiting.length, told };
}

function accounted({ changes, waiting, expired, known }: Plan): number {
  return changes.reduce((all, { candidates }) => all + candidates.length, 0) + waiting.length + expired.length + known.reduce((all, { candidates }) => all + candidates.length, 0);
}

function judged(planted: readonly Planted[], { learnings }: Book): Replayed["kinds"] {
  const of = (kind: Planted["kind"]): Replayed["kinds"]["true"] => {
    const those = planted.filter((each) => each.kind === kind);
    const standing = (each: Planted): Learning | undefined => learnings.find(({ text, status }) => stands(status) && each.texts.slice(kind === "changed" ? -1 : 0).includes(text));
    const old = (each: Planted): boolean => kind === "changed" && learnings.some(({ text, status }) => stands(status) && text === each.texts[0]);
    const right = those.filter((each) => (kind === "false" || kind === "ended" ? standing(each) === undefined : standing(each) !== undefined && !old(each)));
    return { planted: those.length, right: right.length, inIndex: those.filter((each) => standing(each)?.status === "active").length, inTopics: those.filter((each) => standing(each)?.status === "evicted").length };
  };
  return { true: of("true"), severe: of("severe"), false: of("false"), changed: of("changed"), ended: of("ended") };
}

function stands(status: Learning["status"]): boolean {
  return status === "active" || status === "evicted";
}
