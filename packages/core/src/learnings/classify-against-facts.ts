import { type Features, features } from "./features.ts";
import { type Operation, operations, probabilities, type Weights } from "./model.ts";
import { type NormalForm, normalForm } from "./normal-form.ts";
import { areSiblings } from "./slot.ts";
import { nearness, weights as weighing } from "./similarity.ts";

/** A fact that stands already, with an id that is unique among those it is compared with. */
export type Fact = {
  readonly id: string;
  readonly text: string;
  /** Its normal form, where that is at hand already. */ readonly form?: NormalForm;
};

export type Classification = {
  readonly op: Operation;
  /** The fact that it is about; null for ADD alone. */
  readonly target: string | null;
  /** How sure this is, from 0 to 1. */
  readonly confidence: number;
  /** Every operation with its probability, the likeliest first. */
  readonly alternatives: readonly { readonly op: Operation; readonly probability: number }[];
  /** It is not sure enough: somebody should look, or the optional classifier be asked. */
  readonly needsReview: boolean;
  /** The nearest facts, at most three, nearest first: nothing else may be a target. */
  readonly retrieved: readonly string[];
};

/**
 * Below this confidence a classification abstains. Chosen where, on every table that was left out
 * of the fitting, more than 0.91 of what is covered was right.
 */
export const reviewBelow = 0.75;

/** A candidate beside the fact that it is nearest to. */
export type Comparison = {
  readonly candidate: NormalForm;
  readonly fact: NormalForm;
  readonly features: Features;
  readonly retrieved: readonly [string, ...string[]];
};

/**
 * A fact about the same subject is looked at before a nearer one about another subject, if it is
 * not much farther away.
 */
const nearlyAsNear = 0.7;

/**
 * Looks for the fact that a candidate is nearest to, and at what they share; null where it shares
 * nothing with any.
 */
export function compare(text: string, facts: readonly Fact[]): Comparison | null {
  const candidate = normalForm(text);
  const forms = facts.map((fact) => ({ id: fact.id, form: fact.form ?? normalForm(fact.text) }));
  const weigh = weighing(forms.map(({ form }) => form));
  const ranked = forms
    .map(({ id, form }) => ({ id, form, near: nearness(candidate, form, weigh) }))
    .toSorted((one, other) => other.near - one.near);
  const [first] = ranked;
  if (first === undefined || first.near === 0) return null;
  const nearest =
    ranked
      .slice(0, 5)
      .find(
        ({ form, near }) => near >= nearlyAsNear * first.near && !areSiblings(candidate, form),
      ) ?? first;
  const others = ranked.filter((each) => each !== nearest);
  const seen = features(candidate, nearest.form, weigh, nearest.near - (others[0]?.near ?? 0));
  return {
    candidate,
    fact: nearest.form,
    features: seen,
    retrieved: [nearest.id, ...others.slice(0, 2).map(({ id }) => id)],
  };
}

/**
 * Says what a candidate means for the facts that stand. `weights` are the ones that ship, unless
 * somebody measures others.
 */
export function classify(text: string, facts: readonly Fact[], weights?: Weights): Classification {
  const seen = compare(text, facts);
  if (seen === null)
    return {
      op: "ADD",
      target: null,
      confidence: 1,
      alternatives: [{ op: "ADD", probability: 1 }],
      needsReview: false,
      retrieved: [],
    };
  const alternatives = weighed(ruled(seen, weights));
  const [{ op, probability }] = alternatives;
  return {
    op,
    target: op === "ADD" ? null : seen.retrieved[0],
    confidence: probability,
    alternatives,
    needsReview: probability < reviewBelow,
    retrieved: seen.retrieved,
  };
}

/**
 * What is done where nobody can be asked about an unsure classification: of the two likeliest
 * operations the one that loses least, ADD before UPDATE before DELETE; a NOOP would lose the
 * candidate.
 */
export function safeOperation({
  op,
  target,
  alternatives,
  needsReview,
  retrieved,
}: Classification): { readonly op: Operation; readonly target: string | null } {
  if (!needsReview) return { op, target };
  const likeliest = alternatives.slice(0, 2).map((each) => each.op);
  const safest = operations.find((each) => likeliest.includes(each)) ?? op;
  return { op: safest, target: safest === "ADD" ? null : (retrieved[0] ?? null) };
}

type Chances = Readonly<Record<Operation, number>>;

/** What the weights say, within what the words allow. */
function ruled(
  { candidate, fact, features: seen }: Comparison,
  weights: Weights | undefined,
): Chances {
  const certain = certainly(candidate, fact, seen);
  if (certain !== null) return { ...impossible, [certain]: 1 };
  const chances = probabilities(seen, weights);
  return {
    ...chances,
    DELETE: saysItEnds(seen) ? chances.DELETE : 0,
    NOOP: saysMore(candidate, fact, seen) ? 0 : chances.NOOP,
  };
}

/**
 * What the fact cannot hold already: a list of other names, and what may be done where it tells
 * something else.
 */
function saysMore(candidate: NormalForm, fact: NormalForm, { list, lostIds }: Features): boolean {
  return (list > 0 && lostIds > 0) || (candidate.permits && !fact.permits);
}

const impossible: Chances = { ADD: 0, UPDATE: 0, DELETE: 0, NOOP: 0 };

/** Where the words alone decide. */
function certainly(candidate: NormalForm, fact: NormalForm, seen: Features): Operation | null {
  if (candidate.key === fact.key && candidate.retires === fact.retires) return "NOOP";
  if (areSiblings(candidate, fact)) return "ADD";
  if (seen.permit > 0 && seen.unorder > 0.4 && seen.newWords === 0) return "DELETE";
  if (seen.orderFlip > 0.85) return "DELETE";
  return seen.retire > 0 && Math.max(seen.there, seen.goneThere - 0.2) > 0.55 ? "DELETE" : null;
}

/**
 * A fact ends only where the candidate says so: what it tells is gone, forbidden now, allowed now,
 * or not so.
 */
function saysItEnds({
  retire,
  orderFlip,
  permit,
  flip,
  saysNot,
  restThere,
  newWords,
}: Features): boolean {
  return (
    retire > 0 ||
    (orderFlip > 0.25 && (orderFlip > 0.75 || restThere < 0.6)) ||
    (permit > 0 && flip > 0 && newWords === 0) ||
    saysNot > 0.5
  );
}

/** Sums up to one, the likeliest first; of two that are equal the one that loses less. */
function weighed(
  chances: Chances,
): readonly [
  { readonly op: Operation; readonly probability: number },
  ...{ readonly op: Operation; readonly probability: number }[],
] {
  const total = operations.reduce((all, op) => all + chances[op], 0);
  const [first, ...others] = operations
    .map((op) => ({ op, probability: chances[op] / total }))
    .toSorted((one, other) => other.probability - one.probability);
  return [first ?? { op: "ADD", probability: 1 }, ...others];
}
