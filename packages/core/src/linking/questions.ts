import type { Policy } from "../config/policy.ts";
import { canMatter, type Familiarity } from "../control/relevance.ts";
import type { CiEvent, InboundEvent } from "../event/event.ts";
import type { Candidate, Origin, LookupQuestions } from "./lookups.ts";
import { inferredIssues, issueOfBranch, noCandidates, refIn } from "./links.ts";
import { parseRef, type Ref } from "../ref/ref.ts";

/** What inference depends on. */
export type LinkPolicy = Pick<
  Policy,
  | "trustForkBranches"
  | "authorizedUsers"
  | "defaultHost"
  | "autoExecuteLabel"
  | "ciWakeOn"
  | "keywords"
>;

/**
 * Reads out of an event what there is to look up. Pure; looks into a pull request's text, so it is
 * called once. Events that can only be remembered, such as a milestone, name recorded links alone:
 * nothing is inferred for them, nobody asked. The same goes for all that cannot begin anything in a
 * repository of which nothing is on record.
 */
export function questionsOf(
  event: InboundEvent,
  policy: LinkPolicy,
  repository: Familiarity = "known",
): LookupQuestions {
  switch (event.kind) {
    case "ci":
      return questionsOfCheck(event, policy, repository);
    case "control": {
      const ref = parseRef(event.target, policy.defaultHost);
      return ref === null
        ? noQuestions
        : { pullRequests: [ref], headSha: null, candidates: noCandidates, ask: "nothing" };
    }
    default: {
      const { item } = event;
      if (item.type === "issue") return noQuestions;
      const pullRequests = [refIn(event.repository, item.number)];
      if (!canMatter(event, policy, repository))
        return { pullRequests, headSha: null, candidates: noCandidates, ask: "nothing" };
      const candidates = inferredIssues(item, event.repository, policy);
      const origin: Origin = {
        fork: item.branches === null ? null : !item.branches.sameRepository,
        author: item.author,
      };
      return {
        pullRequests,
        headSha: null,
        candidates,
        ask: item.branches === null ? "closing-references-and-head" : "closing-references",
        origin,
      };
    }
  }
}

/**
 * A check names pull requests of its repository, or only a commit; the branch is the base
 * repository's only in the first case. One that is named has its issues as its comments have them,
 * by the same questions (ADR 0009): the payload says next to nothing about it.
 */
function questionsOfCheck(
  event: CiEvent,
  policy: LinkPolicy,
  familiarity: Familiarity,
): LookupQuestions {
  const { check, repository } = event;
  const named = check.pullRequests.length > 0;
  const pullRequests = named
    ? check.pullRequests.map((number) => refIn(repository, number))
    : noRefs;
  const issue =
    (named || policy.trustForkBranches) && check.headBranch !== null
      ? issueOfBranch(check.headBranch)
      : 0;
  const candidates: readonly Candidate[] =
    issue === 0 ? noCandidates : [{ ref: refIn(repository, issue), provenance: "head-branch" }];
  const ask = !canMatter(event, policy, familiarity)
    ? "nothing"
    : named
      ? "closing-references-and-head"
      : "pull-requests-of-commit";
  return {
    pullRequests,
    headSha: check.headSha,
    candidates,
    ask,
    ...(named ? { origin: { fork: check.pullRequestFork ?? null, author: null } } : {}),
  };
}

const noRefs: readonly Ref[] = [];
const noQuestions: LookupQuestions = {
  pullRequests: noRefs,
  headSha: null,
  candidates: noCandidates,
  ask: "nothing",
};
