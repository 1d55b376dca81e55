import { type Book, holds, overflow } from "./book.ts";
import { score } from "./budget.ts";
import {
  type Classification,
  classify,
  type Fact,
  safeOperation,
} from "./classify-against-facts.ts";
import { type Counted, countedBefore, endedByPerson, fateOf } from "./already-counted.ts";
import {
  endedBy,
  hasEnded,
  kindOf,
  type Learning,
  learningOf,
  withOccurrences,
} from "./learning.ts";
import type { Operation } from "./model.ts";
import { type NormalForm, normalForm } from "./normal-form.ts";
import type { LearningChange, ConsolidationFacts, Known, Plan } from "./plan.ts";
import { type Cluster, opensAt, writeGate } from "./write-gate.ts";

/**
 * Decides what becomes of candidates, by small changes alone: nothing is ever rewritten as a whole.
 * What is known already counts at once; anything new has to pass the write-gate.
 */
export function consolidate({
  book,
  candidates,
  rules,
  verdicts,
  lastId,
  now,
}: ConsolidationFacts): Plan {
  const { counted, left } = countedBefore(book.learnings, candidates);
  const { open, waiting, expired } = writeGate(left, now);
  const draft = createDraft(book, lastId);
  for (const each of counted) countAgain(draft, each);
  const formed = rules.map((rule) => ({ ...rule, form: normalForm(rule.text) }));
  for (const cluster of waiting) agree(draft, cluster, formed);
  for (const cluster of open) admit(draft, cluster, formed, verdicts);
  makeRoom(draft, now);
  return {
    changes: draft.changes,
    waiting: draft.waiting,
    expired: expired.map(({ id }) => id),
    known: draft.known,
    unsure: draft.unsure,
    tooLarge: !holds(draft.book, now),
  };
}

/** A book with a plan's changes made. Making them twice is making them once. */
export function applyPlan(book: Book, { changes }: Pick<Plan, "changes">): Book {
  const learnings = new Map(book.learnings.map((each) => [each.id, each]));
  for (const { learning } of changes) learnings.set(learning.id, learning);
  return {
    ...book,
    learnings: [...learnings.values()].toSorted((one, other) => one.id - other.id),
  };
}

type Draft = {
  book: Book;
  readonly lastId: number;
  readonly changes: LearningChange[];
  readonly waiting: string[];
  readonly known: Known[];
  readonly unsure: Plan["unsure"][number][];
  /** Normal forms by text: each is read once. */
  readonly forms: Map<string, NormalForm>;
};

function createDraft(book: Book, lastId: number): Draft {
  return { book, lastId, changes: [], waiting: [], known: [], unsure: [], forms: new Map() };
}

function change(draft: Draft, made: LearningChange): void {
  draft.changes.push(made);
  draft.book = applyPlan(draft.book, { changes: [made] });
}

/** What was counted before changes nothing, but that it may be said more severely. */
function countAgain(draft: Draft, { learning, candidates }: Counted): void {
  const [ids, raised] = [candidates.map(({ id }) => id), withOccurrences(learning, candidates)];
  if (hasEnded(learning) || raised.severity === learning.severity)
    draft.known.push({ candidates: ids, rule: fateOf(learning) });
  else
    change(draft, {
      kind: "seen",
      learning: raised,
      candidates: ids,
      why: "it says the same, more severely",
    });
}

/** A cluster before its third occurrence: it strengthens what says the same, or waits. */
function agree(draft: Draft, cluster: Cluster, rules: readonly Fact[]): void {
  const verdict = classify(cluster.medoid.text, factsOf(draft, rules));
  if (verdict.op === "NOOP" && !verdict.needsReview)
    return strengthen(draft, cluster, verdict.target, rules);
  if (staysEnded(draft, cluster)) return;
  draft.waiting.push(...idsOf(cluster));
}

/** A cluster that passed the gate. */
function admit(
  draft: Draft,
  cluster: Cluster,
  rules: readonly Fact[],
  verdicts: ConsolidationFacts["verdicts"],
): void {
  const { text, id } = cluster.medoid;
  const facts = factsOf(draft, rules);
  const { op, target } = decided(draft, cluster, classify(text, facts), verdicts.get(id), facts);
  const old = learningAt(draft, target);
  if (op === "NOOP") return strengthen(draft, cluster, target, rules);
  if (staysEnded(draft, cluster)) return;
  if (old === undefined)
    return add(
      draft,
      cluster,
      [],
      target === null
        ? "nothing said it before"
        : `it differs from ${target}, which people wrote and which stays`,
    );
  if (op === "UPDATE") return update(draft, cluster, old);
  return retire(draft, cluster, old);
}

/** Whether a person ended what a cluster says: then it is known. */
function staysEnded(draft: Draft, cluster: Cluster): boolean {
  const ended = endedByPerson(draft.book.learnings, cluster.medoid.text);
  if (ended !== undefined) draft.known.push({ candidates: idsOf(cluster), rule: fateOf(ended) });
  return ended !== undefined;
}

type Decided = { readonly op: Operation; readonly target: string | null };

/**
 * The classification, or what a classifier said of the three that were retrieved, or what loses
 * least.
 */
function decided(
  draft: Draft,
  cluster: Cluster,
  found: Classification,
  verdict: Decided | undefined,
  facts: readonly Fact[],
): Decided {
  if (!found.needsReview) return found;
  if (verdict !== undefined && allows(found, verdict)) return verdict;
  const safe = safeOperation(found);
  const retrieved = found.retrieved.flatMap((id) =>
    facts.filter((fact) => fact.id === id).map(({ text }) => ({ id, text })),
  );
  draft.unsure.push({
    candidates: idsOf(cluster),
    text: cluster.medoid.text,
    likely: found.op,
    done: safe.op,
    retrieved,
  });
  return safe;
}

/**
 * A verdict counts within what the words allow: of what was retrieved, and an end only of the
 * nearest fact, where the candidate speaks of one.
 */
function allows({ retrieved, alternatives }: Classification, { op, target }: Decided): boolean {
  if (op === "ADD") return target === null;
  const possible = alternatives.some((each) => each.op === op && each.probability > 0);
  return (
    possible &&
    (op === "DELETE" ? target === retrieved[0] : target !== null && retrieved.includes(target))
  );
}

function strengthen(
  draft: Draft,
  cluster: Cluster,
  target: string | null,
  rules: readonly Fact[],
): void {
  const old = learningAt(draft, target);
  const rule = rules.find(({ id }) => id === target);
  if (old === undefined) draft.known.push({ candidates: idsOf(cluster), rule: rule?.id ?? "" });
  else
    change(draft, {
      kind: old.status === "evicted" ? "promote" : "seen",
      learning: { ...withOccurrences(old, cluster.members), status: "active" },
      candidates: idsOf(cluster),
      why: old.status === "evicted" ? "it was met again" : "it says the same",
    });
}

function add(draft: Draft, cluster: Cluster, supersedes: readonly Learning[], why: string): void {
  change(draft, {
    kind: "add",
    learning: {
      ...learningOf(
        nextId(draft),
        cluster.medoid,
        cluster.members,
        supersedes.map(({ id }) => id),
      ),
      pinned: supersedes.some(({ pinned }) => pinned),
    },
    candidates: idsOf(cluster),
    why: `${gateOf(cluster)}; ${why}`,
  });
}

/** By what a cluster passed the gate, in words. */
function gateOf({ members, seen }: Cluster): string {
  const reason =
    members.find(({ severity, severityReason }) => severity === "high" && severityReason !== null)
      ?.severityReason ?? null;
  return seen < opensAt && reason !== null ? `severe (${reason})` : `met in ${seen} runs`;
}

/** The candidate's text takes the place of the old one, which is kept in the detail file. */
function update(draft: Draft, cluster: Cluster, old: Learning): void {
  const { text } = cluster.medoid;
  const learning = {
    ...withOccurrences(old, cluster.members),
    text,
    kind: kindOf(text),
    status: "active" as const,
    keys: normalForm(text).identifiers,
    earlier: [...old.earlier, old.text],
  };
  change(draft, {
    kind: "update",
    learning,
    candidates: idsOf(cluster),
    why: `it says something else than ${JSON.stringify(old.text)}`,
  });
}

/**
 * Ends a learning, and in the same step puts the candidate in its place where that says more than
 * that the old one is gone.
 */
function retire(draft: Draft, cluster: Cluster, old: Learning): void {
  const { text } = cluster.medoid;
  const replaced = saysMore(text);
  const id = replaced ? nextId(draft) : null;
  const learning = {
    ...withOccurrences(old, cluster.members),
    status: replaced ? ("superseded" as const) : ("retired" as const),
    supersededBy: id,
    earlier: [...old.earlier, `${endedBy}${text}`],
  };
  change(draft, {
    kind: "retire",
    learning,
    candidates: replaced ? [] : idsOf(cluster),
    why: `${JSON.stringify(text)} ends it`,
  });
  if (replaced) add(draft, cluster, [old], `it takes the place of ${JSON.stringify(old.text)}`);
}

/** "X was removed" says nothing to follow; "do not use X" and "use Y, X was removed" do. */
function saysMore(text: string): boolean {
  const { retires, prohibits, main, content } = normalForm(text);
  return prohibits || !retires || content.length > main.length + 1;
}

function makeRoom(draft: Draft, now: number): void {
  const leaving = overflow(draft.book, now);
  const gone = new Set(leaving.map(({ id }) => id));
  const least = Math.min(
    ...draft.book.learnings
      .filter(({ id, status }) => status === "active" && !gone.has(id))
      .map((each) => score(each, now)),
  );
  for (const learning of leaving)
    change(draft, {
      kind: "evict",
      learning: { ...learning, status: "evicted" },
      candidates: [],
      why: `the index has no room for it: it is worth ${score(learning, now).toFixed(2)}, and the least that stays ${least.toFixed(2)}`,
    });
}

function factsOf({ book, forms }: Draft, rules: readonly Fact[]): readonly Fact[] {
  const formOf = (text: string): NormalForm => {
    const form = forms.get(text) ?? normalForm(text);
    forms.set(text, form);
    return form;
  };
  return [
    ...book.learnings
      .filter(({ status }) => status === "active" || status === "evicted")
      .map(({ id, text }) => ({ id: String(id), text, form: formOf(text) })),
    ...rules,
  ];
}

/** The learning that a target names; undefined where it is a rule of a file, or nothing. */
function learningAt({ book }: Draft, target: string | null): Learning | undefined {
  return book.learnings.find(({ id }) => String(id) === target);
}

/**
 * Ids are never used again: retired learnings stay in the book, and what other branches gave
 * counts.
 */
function nextId({ book: { learnings }, lastId }: Draft): number {
  return Math.max(lastId, ...learnings.map(({ id }) => id)) + 1;
}

function idsOf({ members }: Cluster): readonly string[] {
  return members.map(({ id }) => id);
}
