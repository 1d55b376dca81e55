import {
  applyPlan,
  type Book,
  type Candidate,
  consolidate,
  emptyBook,
  formatBlock,
  indexOf,
  type Learning,
  type Plan,
  sizeOfText,
} from "@loopwork/core/learnings";
import type { Planted, Stream } from "./generate.ts";

/** What became of a generated stream. */
export type Replayed = {
  readonly candidates: number;
  readonly consolidations: number;
  readonly largest: { readonly lines: number; readonly bytes: number };
  /** Of each kind that was planted: how many there were, and how many ended as they should. */
  readonly kinds: Readonly<
    Record<
      Planted["kind"],
      {
        readonly planted: number;
        readonly right: number;
        readonly inIndex: number;
        readonly inTopics: number;
      }
    >
  >;
  /** Candidates that no plan accounts for. */
  readonly lost: number;
  readonly unsure: number;
  readonly waiting: number;
  readonly told: readonly string[];
};

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Consolidates a stream day by day, as ends of sessions would, and looks at what stands at the end.
 */
export function replay({ candidates, planted }: Stream): Replayed {
  const [first, last] = [candidates[0]?.at ?? 0, candidates.at(-1)?.at ?? 0];
  const told: string[] = [];
  let [book, waiting, consolidations, unsure, settled, expired]: [
    Book,
    readonly Candidate[],
    number,
    number,
    number,
    number,
  ] = [emptyBook, [], 0, 0, 0, 0];
  let largest = { lines: 0, bytes: 0 };
  for (let from = first; from <= last; from += dayMs) {
    const now = from + dayMs;
    const queue = [...waiting, ...candidates.filter(({ at }) => at >= from && at < now)];
    const plan = consolidate({
      book,
      candidates: queue,
      rules: [],
      verdicts: new Map(),
      lastId: 0,
      now,
    });
    book = applyPlan(book, plan);
    consolidations += 1;
    unsure += plan.unsure.length;
    expired += plan.expired.length;
    const left = new Set(plan.waiting);
    settled += accounted(plan) - plan.waiting.length;
    waiting = queue.filter(({ id }) => left.has(id));
    for (const { kind, learning, why } of plan.changes)
      if (kind !== "seen")
        told.push(`day ${consolidations}: ${kind} [${learning.id}] ${learning.text}: ${why}`);
    const size = sizeOfText(formatBlock(indexOf(book, now)));
    largest = {
      lines: Math.max(largest.lines, size.lines),
      bytes: Math.max(largest.bytes, size.bytes),
    };
  }
  told.push(...toldAtEnd(planted, book, candidates.length, waiting.length, expired));
  return {
    candidates: candidates.length,
    consolidations,
    largest,
    kinds: judged(planted, book),
    lost: candidates.length - settled - waiting.length,
    unsure,
    waiting: waiting.length,
    told,
  };
}

function accounted({ changes, waiting, expired, known }: Plan): number {
  return (
    changes.reduce((all, { candidates }) => all + candidates.length, 0) +
    waiting.length +
    expired.length +
    known.reduce((all, { candidates }) => all + candidates.length, 0)
  );
}

/**
 * The end in sentences: what waits or expired and why, and each planted fact that did not end as it
 * should.
 */
function toldAtEnd(
  planted: readonly Planted[],
  book: Book,
  candidates: number,
  waiting: number,
  expired: number,
): readonly string[] {
  const missed = planted
    .filter((each) => !endedRight(each, book))
    .map(
      (each) => `not as planted (${each.kind}): ${each.texts.at(-1) ?? ""}: ${fateOf(each, book)}`,
    );
  return [
    ...missed,
    `of ${candidates} candidates ${waiting} wait, as they were met in fewer than three runs and are not severe; ${expired} waited for ninety days and expired`,
  ];
}

/** What became of a planted fact, from the learning that has or had one of its texts. */
function fateOf({ texts }: Planted, { learnings }: Book): string {
  const found = learnings.findLast(
    ({ text, earlier }) => texts.includes(text) || texts.some((each) => earlier.includes(each)),
  );
  return found === undefined
    ? "no learning ever had its words"
    : `[${found.id}] is ${found.status}, and says ${JSON.stringify(found.text)}`;
}

function judged(planted: readonly Planted[], book: Book): Replayed["kinds"] {
  const of = (kind: Planted["kind"]): Replayed["kinds"]["true"] => {
    const those = planted.filter((each) => each.kind === kind);
    const right = those.filter((each) => endedRight(each, book));
    const inPlace = (each: Planted, status: Learning["status"]): boolean =>
      standingOf(each, book)?.status === status;
    return {
      planted: those.length,
      right: right.length,
      inIndex: those.filter((each) => inPlace(each, "active")).length,
      inTopics: those.filter((each) => inPlace(each, "evicted")).length,
    };
  };
  return {
    true: of("true"),
    severe: of("severe"),
    false: of("false"),
    changed: of("changed"),
    ended: of("ended"),
  };
}

/** The learning that says now what was planted; of one that changed, what was said last. */
function standingOf({ kind, texts }: Planted, { learnings }: Book): Learning | undefined {
  return learnings.find(
    ({ text, status }) => stands(status) && texts.slice(kind === "changed" ? -1 : 0).includes(text),
  );
}

function endedRight(planted: Planted, book: Book): boolean {
  const { kind, texts } = planted;
  if (kind === "false" || kind === "ended") return standingOf(planted, book) === undefined;
  return (
    standingOf(planted, book) !== undefined &&
    !(
      kind === "changed" &&
      book.learnings.some(({ text, status }) => stands(status) && text === texts[0])
    )
  );
}

function stands(status: Learning["status"]): boolean {
  return status === "active" || status === "evicted";
}
