import type { Foreign, Target } from "./target.ts";
import type { Actor, InboundEvent } from "../event/event.ts";
import type { LookupAnswers, Candidate, LookupQuestions } from "./lookups.ts";
import { issueOfBranch, refIn } from "./links.ts";
import { type LinkPolicy, questionsOf } from "./questions.ts";
import { emptyItemState, type ItemState } from "../work-item/records.ts";
import { formatRef, parseRef, type Ref, type RefText, sameRef } from "../ref/ref.ts";
import { isVouchedFor } from "./vouched.ts";

export const noAnswers: LookupAnswers = {
  linked: [],
  heads: [],
  owners: [],
  closing: [],
  head: null,
  items: [],
};

/**
 * Work items whose states decide which of several is meant: load these last, and hand them in as
 * `items`.
 */
export function refsToLoad(
  questions: LookupQuestions,
  answers: Omit<LookupAnswers, "items">,
): readonly RefText[] {
  const refs = new Set<RefText>();
  for (const { ref } of candidatesOf(questions, answers)) refs.add(formatRef(ref));
  for (const { workItem } of answers.owners) refs.add(workItem);
  for (const ref of pullsOf(questions, answers)) refs.add(formatRef(ref));
  return [...refs];
}

/**
 * The work item that an event belongs to, and the endpoint whose session it is for; null when there
 * is none (ADR 0009). For a pull request, in this order:
 *
 * 1. its closing ends its own session, whatever it is linked to: only the object that closed ends;
 * 2. the first of its issues that is at work: recorded links, then the host's closing references,
 *    the head branch, closing
 *    keywords; the order is fixed, so the same event always has the same target;
 * 3. its own session, or itself where it was started as a work item of its own;
 * 4. the first of its issues, so that a spawn is against the issue;
 * 5. the pull request itself.
 *
 * What a pull request says of itself, by closing references, branch and keywords, counts only where
 * somebody vouches for it (`isVouchedFor`); else it stands alone. A check goes the same way by the
 * pull requests that it names, then by its commit. It never becomes a work item's start.
 */
export function resolve(
  event: InboundEvent,
  answers: LookupAnswers,
  policy: LinkPolicy,
  questions: LookupQuestions = questionsOf(event, policy),
): Target | null {
  if (event.kind === "control") return resolveNamed(questions, answers);
  if (event.kind !== "ci" && event.item.type === "issue") {
    const ref = refIn(event.repository, event.item.number);
    return { workItem: ref, endpoint: ref, provenance: "itself" };
  }
  if (event.kind === "closed") {
    const own = ownSession(questions, answers);
    if (own !== null) return own;
  }
  const all = candidatesOf(questions, answers);
  const candidates = all.filter((candidate) => counts(candidate, questions, answers, policy));
  const atWork =
    answers.items.length === 0
      ? undefined
      : candidates.find(({ ref }) => isAtWork(ref, answers.items));
  if (atWork !== undefined) return targetOf(atWork);
  const own = ownSession(questions, answers) ?? startedAlone(questions, answers);
  if (own !== null) return own;
  const first = candidates[0];
  if (first !== undefined) return targetOf(first);
  const self = questions.pullRequests[0];
  return self === undefined
    ? null
    : {
        workItem: self,
        endpoint: self,
        provenance: "itself",
        ...(all.length === 0 ? {} : { foreign: foreignOf(all, questions, answers) }),
      };
}

/** Whether what a pull request says of itself counts for the issue, or it is on record there. */
function counts(
  { ref, provenance }: Candidate,
  questions: LookupQuestions,
  answers: LookupAnswers,
  policy: LinkPolicy,
): boolean {
  if (provenance === "recorded-link" || provenance === "head-sha") return true;
  const text = formatRef(ref);
  const item = answers.items.find(({ workItem }) => workItem?.ref === text) ?? emptyItemState;
  const [fork, author] = [isFork(questions, answers), authorIn(questions, answers)];
  return isVouchedFor({ fork, author, known: answers.author ?? null }, policy, item);
}

/**
 * Whether somebody must be asked who the author of a pull request is, because its links count by
 * nothing else.
 */
export function wantsAuthor(
  questions: LookupQuestions,
  answers: Omit<LookupAnswers, "items">,
  policy: LinkPolicy,
): boolean {
  if (
    policy.trustForkBranches ||
    isFork(questions, answers) === false ||
    authorIn(questions, answers) === null
  )
    return false;
  return candidatesOf(questions, answers).some(
    ({ provenance }) => provenance !== "recorded-link" && provenance !== "head-sha",
  );
}

/** Payload and host may each tell; one that says so is enough. Null where neither tells. */
function isFork(
  { origin }: LookupQuestions,
  { head }: Pick<LookupAnswers, "head">,
): boolean | null {
  const told = [origin?.fork ?? null, head === null ? null : !head.sameRepository];
  return told.includes(true) ? true : told.includes(false) ? false : null;
}

/** Who opened the pull request, by the payload or else by the host. */
export function authorIn(
  { origin }: LookupQuestions,
  { head }: Pick<LookupAnswers, "head">,
): Actor | null {
  return origin?.author ?? head?.author ?? null;
}

function foreignOf(
  candidates: readonly Candidate[],
  questions: LookupQuestions,
  answers: LookupAnswers,
): Foreign {
  const issues = new Map(candidates.map(({ ref }) => [formatRef(ref), ref] as const));
  return {
    issues: [...issues.values()],
    atWork: candidates.some(({ ref }) => isAtWork(ref, answers.items)),
    told: isFork(questions, answers) === true,
    author: authorIn(questions, answers)?.login ?? null,
  };
}

/**
 * All issues that may be meant, heaviest first; of one that stands there twice the first place
 * counts.
 */
function candidatesOf(
  questions: LookupQuestions,
  answers: Omit<LookupAnswers, "items">,
): readonly Candidate[] {
  const { linked, heads, closing, head } = answers;
  const found: Candidate[] = [];
  const add = (ref: Ref | null, provenance: Candidate["provenance"]): void => {
    if (ref === null) return;
    if (
      provenance !== "recorded-link" &&
      provenance !== "head-sha" &&
      questions.pullRequests.some((self) => sameRef(self, ref))
    )
      return;
    found.push({ ref, provenance });
  };
  for (const text of linked) add(parseRef(text), "recorded-link");
  for (const text of heads) add(parseRef(text), "head-sha");
  const self = questions.pullRequests[0];
  for (const ref of closing)
    if (self !== undefined && sameRef({ ...ref, number: self.number }, self))
      add(ref, "closing-reference");
  if (head !== null && self !== undefined) {
    const issue = issueOfBranch(head.branch);
    if (issue !== 0) add({ ...self, number: issue }, "head-branch");
  }
  for (const { ref, provenance } of questions.candidates) add(ref, provenance);
  if (self !== undefined)
    for (const number of head?.closes ?? []) add({ ...self, number }, "closing-keyword");
  return found;
}

/** The session that one of the pull requests feeds by itself. */
function ownSession(questions: LookupQuestions, answers: LookupAnswers): Target | null {
  const { owners } = answers;
  if (owners.length === 0) return null;
  for (const endpoint of pullsOf(questions, answers)) {
    const text = formatRef(endpoint);
    const owner = owners.find((each) => each.endpoint === text);
    const workItem = owner === undefined ? null : parseRef(owner.workItem);
    if (workItem !== null)
      return {
        workItem,
        endpoint,
        provenance: sameRef(workItem, endpoint) ? "itself" : "recorded-link",
      };
  }
  return null;
}

/**
 * A pull request that was started as a work item of its own, although its session may not stand
 * yet.
 */
function startedAlone(questions: LookupQuestions, answers: LookupAnswers): Target | null {
  const { items } = answers;
  if (items.length === 0) return null;
  const self = pullsOf(questions, answers).find((ref) => isAtWork(ref, items));
  return self === undefined ? null : { workItem: self, endpoint: self, provenance: "itself" };
}

/**
 * The pull requests that an event is about: those that it names, else those that the host names for
 * its commit.
 */
function pullsOf(
  { pullRequests }: LookupQuestions,
  { pulls }: Pick<LookupAnswers, "pulls">,
): readonly Ref[] {
  return pullRequests.length === 0 && pulls !== undefined ? pulls : pullRequests;
}

/**
 * Whether a conversation for the ref lives or was asked for: also a paused one keeps its events.
 */
function isAtWork(ref: Ref, items: readonly ItemState[]): boolean {
  const text = formatRef(ref);
  for (const { workItem, sessions } of items) {
    if (
      workItem?.ref === text &&
      (workItem.control.status === "started" || workItem.control.status === "paused")
    )
      return true;
    if (sessions.some((session) => session.endpoint === text && session.status === "active"))
      return true;
  }
  return false;
}

/**
 * What a person named: a pull request with a session means that session, a recorded one its work
 * item, else it is the work item.
 */
function resolveNamed(questions: LookupQuestions, answers: LookupAnswers): Target | null {
  const named = questions.pullRequests[0];
  if (named === undefined) return null;
  const own = ownSession(questions, answers);
  if (own !== null) return { ...own, provenance: "named" };
  const first = answers.linked[0];
  const linked = first === undefined || isAtWork(named, answers.items) ? null : parseRef(first);
  const workItem = linked ?? named;
  return { workItem, endpoint: workItem, provenance: "named" };
}

function targetOf({ ref, provenance }: Candidate): Target {
  return { workItem: ref, endpoint: ref, provenance };
}
