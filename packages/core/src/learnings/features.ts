import { compareSlots, denyTheSame, differInSubject, isDenied } from "./compare-claims.ts";
import { areContrary, forceWords, negations } from "./lexicon.ts";
import type { NormalForm, Token } from "./normal-form.ts";
import { alike, best, containment, dice, type Weigh } from "./similarity.ts";

/**
 * What is looked at when a candidate is compared with the fact that is nearest to it; the order is
 * the order of the weights. "mine" is the candidate, "theirs" the fact, "there" the way from the
 * first into the second.
 */
export const featureNames = [
  "bias",
  "there",
  "back",
  "both",
  "order",
  "head",
  "tail",
  "newIds",
  "lostIds",
  "sharedIds",
  "swap",
  "swapAlike",
  "numberSwap",
  "subject",
  "value",
  "sameSubject",
  "sameValue",
  "flip",
  "flipBack",
  "retire",
  "retireThere",
  "permit",
  "except",
  "contrary",
  "longer",
  "shorter",
  "margin",
  "newWords",
  "lostWords",
  "force",
  "extends",
  "firstSame",
  "chars",
  "near",
  "lastSame",
  "bothNeg",
  "subset",
  "mainThere",
  "orderFlip",
  "unorder",
  "saysNot",
  "turnsDown",
  "keepsDown",
  "list",
  "goneThere",
  "noShared",
  "headOnly",
  "tailOnly",
  "newReason",
  "lostReason",
  "change",
  "samePlace",
  "joins",
  "narrows",
  "restThere",
  "otherNot",
  "sameNot",
  "otherSubject",
] as const;

export type Features = Readonly<Record<(typeof featureNames)[number], number>>;

/**
 * Compares a candidate with a fact. `margin` says by how much that fact is nearer than the next
 * one.
 */
export function features(
  candidate: NormalForm,
  fact: NormalForm,
  weigh: Weigh,
  margin: number,
): Features {
  const [mine, theirs] = [candidate.content, fact.content];
  const there = containment(mine, theirs, weigh);
  const back = containment(theirs, mine, weigh);
  const news = mine.filter((token) => best(token, theirs) < sameFrom);
  const lost = theirs.filter((token) => best(token, mine) < sameFrom);
  const swap = swapped(mine, theirs);
  const slots = compareSlots(candidate, fact, weigh);
  const agrees = denyTheSame(candidate, fact, weigh);
  const flip = candidate.negative !== fact.negative && !agrees ? 1 : 0;
  const retire =
    candidate.retires &&
    !fact.retires &&
    !(candidate.absent && isDenied(candidate.gone, fact, weigh))
      ? 1
      : 0;
  const permit = candidate.permits && fact.negative ? 1 : 0;
  const [head, tail] = ends(mine, theirs);
  const mainThere = containment(candidate.main, theirs, weigh);
  const length = Math.log((mine.length + 1) / (theirs.length + 1));
  return {
    bias: 1,
    there,
    back,
    both: there * back,
    order: order(mine, theirs),
    head,
    tail,
    newIds: capped(news.filter(isIdentifier).length, 2),
    lostIds: capped(lost.filter(isIdentifier).length, 2),
    sharedIds: sharedIds(candidate, fact),
    swap: swap === null ? 0 : 1,
    swapAlike: swap ?? 0,
    numberSwap: news.some(isNumber) && lost.some(isNumber) ? 1 : 0,
    ...slots,
    flip,
    flipBack: flip * Math.max(there, back),
    retire,
    retireThere: retire * there,
    permit,
    except: candidate.excepts && !fact.excepts ? 1 : 0,
    contrary: news.some((one) =>
      lost.some((other) => areContrary(one.stem, other.stem) || areContrary(one.text, other.text)),
    )
      ? 1
      : 0,
    longer: Math.max(0, length),
    shorter: Math.max(0, -length),
    margin,
    newWords: capped(news.filter((token) => !isIdentifier(token) && !isForce(token)).length, 5),
    lostWords: capped(lost.filter((token) => !isIdentifier(token) && !isForce(token)).length, 5),
    force: differInForce(candidate, fact) ? 1 : 0,
    extends: lost.length === 0 && news.length > 0 ? 1 : 0,
    firstSame: isSame(mine[0], theirs[0]) ? 1 : 0,
    lastSame: isSame(mine.at(-1), theirs.at(-1)) ? 1 : 0,
    chars: dice(
      candidate.tokens.map(({ stem }) => stem).join(" "),
      fact.tokens.map(({ stem }) => stem).join(" "),
    ),
    near: Math.max(there, back),
    bothNeg: candidate.negative && fact.negative ? 1 : 0,
    subset: news.length === 0 ? 1 : 0,
    mainThere,
    orderFlip:
      candidate.prohibits && !fact.negative && !agrees
        ? containment(candidate.main, fact.main, weigh)
        : 0,
    unorder: fact.prohibits && !candidate.negative ? containment(theirs, candidate.main, weigh) : 0,
    saysNot:
      candidate.negative && !candidate.prohibits && !fact.negative && !agrees ? mainThere : 0,
    turnsDown: fact.negative ? 0 : containment(candidate.rejected, theirs, weigh),
    keepsDown:
      fact.prohibits && !candidate.negative ? containment(candidate.rejected, theirs, weigh) : 0,
    list: lists(candidate, fact) ? 1 : 0,
    goneThere: containment(candidate.gone, theirs, weigh),
    headOnly: head * (1 - tail),
    tailOnly: tail * (1 - head),
    newReason: containment(candidate.claim, theirs, weigh) - there,
    lostReason: containment(fact.claim, mine, weigh) - back,
    change: candidate.changes && !fact.changes ? Math.max(there, back) : 0,
    samePlace: standInOnePlace(mine, theirs) ? 1 : 0,
    joins: joinsNew(candidate.tokens, new Set(news)) ? 1 : 0,
    narrows:
      candidate.rejected.length > 0 && fact.rejected.length === 0 && !fact.negative
        ? 1 - containment(candidate.rejected, theirs, weigh)
        : 0,
    noShared: Math.max(there, back) < 0.35 ? 1 : 0,
    restThere: containment(
      mine.filter(({ stem }) => !candidate.main.some((token) => token.stem === stem)),
      theirs,
      weigh,
    ),
    otherNot: candidate.prohibits && fact.prohibits && news.length > 0 && lost.length > 0 ? 1 : 0,
    sameNot: agrees ? 1 : 0,
    otherSubject: differInSubject(candidate, fact, slots.value) ? 1 : 0,
  };
}

/** As alike as two tokens must be to stand for one. */
const sameFrom = 0.75;

function isSame(one: Token | undefined, other: Token | undefined): boolean {
  return one !== undefined && other !== undefined && alike(one, other) > sameFrom;
}

function isIdentifier({ kind }: Token): boolean {
  return kind !== "word";
}

function isNumber({ kind }: Token): boolean {
  return kind === "number" || kind === "version";
}

function isForce({ text }: Token): boolean {
  return forceWords.has(text) || negations.has(text);
}

function capped(count: number, most: number): number {
  return Math.min(count, most) / most;
}

/** Longest common subsequence of the content, as a share of the longer one. */
function order(mine: readonly Token[], theirs: readonly Token[]): number {
  let row: readonly number[] = [];
  for (const token of mine) {
    const next = [0];
    for (const [at, other] of theirs.entries())
      next.push(
        isSame(token, other) ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0),
      );
    row = next;
  }
  return (row.at(-1) ?? 0) / Math.max(1, mine.length, theirs.length);
}

/** Shares of the shorter one that agree from the front and from the back. */
function ends(
  mine: readonly Token[],
  theirs: readonly Token[],
): readonly [head: number, tail: number] {
  const most = Math.min(mine.length, theirs.length);
  let head = 0;
  while (isSame(mine[head], theirs[head])) head += 1;
  let tail = 0;
  while (tail < most - head && isSame(mine.at(-1 - tail), theirs.at(-1 - tail))) tail += 1;
  return [head / Math.max(1, most), tail / Math.max(1, most)];
}

function sharedIds(candidate: NormalForm, fact: NormalForm): number {
  const all = new Set(
    [...candidate.identifiers, ...fact.identifiers].map((id) => id.toLowerCase()),
  );
  if (all.size === 0) return 0.5;
  const theirs = new Set(fact.identifiers.map((id) => id.toLowerCase()));
  return candidate.identifiers.filter((id) => theirs.has(id.toLowerCase())).length / all.size;
}

/**
 * Where one identifier stands in the place of another: how alike these two are, from 0 to 1; null
 * where none does.
 */
function swapped(mine: readonly Token[], theirs: readonly Token[]): number | null {
  const left = mine.filter(
    (token) => isIdentifier(token) && !theirs.some(({ stem }) => stem === token.stem),
  );
  const right = theirs.filter(
    (token) => isIdentifier(token) && !mine.some(({ stem }) => stem === token.stem),
  );
  if (left.length === 0 || right.length === 0) return null;
  return Math.max(
    ...left.map((one) => Math.max(...right.map((other) => dice(one.stem, other.stem)))),
  );
}

/** Whether "and" or "or" adds something that the other fact does not name. */
function joinsNew(tokens: readonly Token[], news: ReadonlySet<Token>): boolean {
  return tokens.some(
    ({ text }, at) =>
      joining.has(text) &&
      [
        tokens.slice(at + 1).find(({ filler }) => !filler),
        tokens.slice(0, at).findLast(({ filler }) => !filler),
      ].some((token) => token !== undefined && news.has(token)),
  );
}

const joining: ReadonlySet<string> = new Set(["and", "or", "plus", "also", "too"]);

/** Whether an identifier stands where another one of its kind stood, beside the same word. */
function standInOnePlace(mine: readonly Token[], theirs: readonly Token[]): boolean {
  return mine.some(
    (token, at) =>
      isIdentifier(token) &&
      theirs.some(
        (other, place) =>
          other.kind === token.kind &&
          other.stem !== token.stem &&
          (isSame(mine[at - 1], theirs[place - 1]) || isSame(mine[at + 1], theirs[place + 1])),
      ),
  );
}

function differInForce(candidate: NormalForm, fact: NormalForm): boolean {
  const force = ({ tokens }: NormalForm): string =>
    [...new Set(tokens.filter(isForce).map(({ text }) => text))].toSorted().join(" ");
  return force(candidate) !== force(fact);
}

/** Both enumerate, and not the same things. */
function lists(candidate: NormalForm, fact: NormalForm): boolean {
  if (candidate.commas < 2 || fact.commas < 2) return false;
  const stems = ({ content }: NormalForm): ReadonlySet<string> =>
    new Set(content.map(({ stem }) => stem));
  const [mine, theirs] = [stems(candidate), stems(fact)];
  return mine.size !== theirs.size || [...mine].some((stem) => !theirs.has(stem));
}
