import {
  authorIn,
  closedByText,
  type Familiarity,
  type Guests,
  type InboundEvent,
  type KnownAuthor,
  type LookedUp,
  type LookupAnswers,
  type LookupQuestions,
  mayBeHeard,
  noAnswers,
  noGuests,
  type Policy,
  refsToLoad,
  type Repository,
  type UnansweredQuestion,
  wantsAuthor,
} from "@loopwork/core";
import {
  type CodeHost,
  foldLogin,
  formatRef,
  type ItemState,
  type Ref,
  type RefText,
  sameAccount,
} from "@loopwork/core/ports";
import { createHostQuestions, type HostQuestions } from "./host-questions.ts";
import type { RuntimeParts } from "./parts.ts";
import { pinnedOf } from "./pinned-account.ts";
import { createRecent, type Recent } from "./recent-cache.ts";

/**
 * The runtime's parts, a way to ask the host that never holds up deciding for long, and what it
 * told of pull requests that checks named.
 */
export type AskingParts = RuntimeParts & {
  readonly questions: HostQuestions;
  readonly checked: Recent<HostAnswers>;
  readonly guests: Recent<Guests>;
};

export function askingParts(parts: RuntimeParts): AskingParts {
  return {
    ...parts,
    questions: createHostQuestions(parts),
    checked: createRecent(parts.clock),
    guests: createRecent(parts.clock),
  };
}

/**
 * Looks up what finding the work item needs: records first, the host only where they do not answer,
 * and never about the comment of somebody who is not heard wherever it belongs.
 */
export async function readAnswers(
  event: InboundEvent,
  questions: LookupQuestions,
  policy: Policy,
  pinnedAs: readonly string[],
  parts: AskingParts,
  unanswered: UnansweredQuestion[],
): Promise<Omit<LookedUp, "own" | "confirmed">> {
  if (questions.pullRequests.length === 0 && questions.headSha === null)
    return { answers: noAnswers, asked: "nothing", loaded: [] };
  const known = await onRecord(questions, parts.store.items);
  const wanted = known.linked.length > 0 || known.heads.length > 0 ? "nothing" : questions.ask;
  const unheard = wanted !== "nothing" && !(await isHeard(event, policy, pinnedAs, parts));
  const asked = unheard ? "nothing" : wanted;
  const told =
    asked === "nothing"
      ? known
      : { ...known, ...(await askHost(questions, event.repository, policy, parts, unanswered)) };
  const answers =
    unheard || !wantsAuthor(questions, told, policy)
      ? told
      : { ...told, author: await knownAuthor(questions, told, parts, unanswered) };
  return {
    ...(await withStates(answers, questions, parts.store.items)),
    asked,
    ...(unheard ? { unheard } : {}),
  };
}

/** By what the author of a pull request may vouch for what that says of itself. */
async function knownAuthor(
  questions: LookupQuestions,
  answers: LookupAnswers,
  parts: AskingParts,
  unanswered: UnansweredQuestion[],
): Promise<KnownAuthor> {
  const author = authorIn(questions, answers);
  if (author === null) return { pinned: { id: null, as: [] }, own: false };
  const own = await parts.questions.ownAccount(() => parts.host.ownAccount(), unanswered);
  return {
    pinned: await pinnedOf(author, parts.store.items),
    own: own !== null && sameAccount(own, author),
  };
}

/**
 * Whether anybody listens to who made the event. Grants are looked for only where nothing else lets
 * somebody be heard.
 */
export async function isHeard(
  event: InboundEvent,
  policy: Policy,
  pinnedAs: readonly string[],
  parts: AskingParts,
): Promise<boolean> {
  return (
    mayBeHeard(event, policy, noGuests, pinnedAs) ||
    mayBeHeard(event, policy, await guestsOf(parts), pinnedAs)
  );
}

/**
 * Everybody with a grant on any item; read again after a minute, and after each grant that is
 * decided here.
 */
async function guestsOf({ guests, store }: AskingParts): Promise<Guests> {
  const known = guests.get("all");
  if (known !== undefined) return known;
  const found = { logins: new Set<string>(), ids: new Set<string>() };
  for (let after: string | null = null, last = false; !last;) {
    const page: readonly ItemState[] = await store.items.page({ after, limit: pageItems });
    for (const { login, id } of page.flatMap(({ collaborators }) => collaborators)) {
      found.logins.add(foldLogin(login));
      if (id !== null) found.ids.add(id);
    }
    const end = page.at(-1);
    after = end?.workItem?.ref ?? end?.sessions[0]?.workItem ?? null;
    last = page.length < pageItems || after === null;
  }
  guests.put("all", found);
  return found;
}

const pageItems = 200;

/**
 * Whether anything of the event's repository is on record. Issues place themselves, and a person's
 * request names its item: nobody looks.
 */
export async function familiarityOf(event: InboundEvent, items: Items): Promise<Familiarity> {
  if (event.kind === "control" || (event.kind !== "ci" && event.item.type === "issue"))
    return "known";
  const { host, owner, name: repo } = event.repository;
  return (await items.knowsRepository({ host, owner, repo })) ? "known" : "new";
}

/** The same from the records alone: what stays open when nobody asks the host. */
export async function recordedAnswers(
  questions: LookupQuestions,
  items: Items,
): Promise<LookupAnswers> {
  return (await withStates(await onRecord(questions, items), questions, items)).answers;
}

type Items = RuntimeParts["store"]["items"];

async function onRecord(questions: LookupQuestions, items: Items): Promise<LookupAnswers> {
  const endpoints = questions.pullRequests.map((ref) => formatRef(ref));
  const linked = (await Promise.all(endpoints.map((ref) => items.linkedTo(ref)))).flat();
  const owners = await ownersOf(endpoints, items);
  const heads =
    questions.headSha === null
      ? []
      : (await items.linksBySha(questions.headSha)).map(({ workItem }) => workItem);
  return { ...noAnswers, linked, owners, heads };
}

/** The sessions that these pull requests feed by themselves. */
async function ownersOf(
  endpoints: readonly RefText[],
  items: Items,
): Promise<LookupAnswers["owners"]> {
  const found = await Promise.all(
    endpoints.map(async (endpoint) => ({
      endpoint,
      workItem: await items.ownerOfEndpoint(endpoint),
    })),
  );
  return found.flatMap(({ endpoint, workItem }) =>
    workItem === null ? [] : [{ endpoint, workItem }],
  );
}

async function withStates(
  answers: LookupAnswers,
  questions: LookupQuestions,
  items: Items,
): Promise<Pick<LookedUp, "answers" | "loaded">> {
  const loaded = refsToLoad(questions, answers);
  const states = await Promise.all(loaded.map((ref) => items.load(ref)));
  return {
    answers: {
      ...answers,
      items: states.filter((item) => item.workItem !== null || item.sessions.length > 0),
    },
    loaded,
  };
}

export type HostAnswers = Partial<
  Pick<LookupAnswers, "closing" | "head" | "heads" | "owners" | "pulls">
>;

/**
 * A host that does not answer costs precision, never the event: what the payload itself says still
 * counts.
 */
async function askHost(
  questions: LookupQuestions,
  repository: Repository,
  policy: Policy,
  parts: AskingParts,
  unanswered: UnansweredQuestion[],
): Promise<HostAnswers> {
  const { headSha, ask } = questions;
  const pullRequest = questions.pullRequests[0];
  if (ask === "pull-requests-of-commit" && headSha !== null)
    return askForCommit(headSha, repository, parts, unanswered);
  if (pullRequest === undefined || ask === "nothing") return {};
  if (headSha !== null) return askForCheck(pullRequest, repository, policy, parts, unanswered);
  const closing = await askForClosing(pullRequest, parts, unanswered);
  if (ask !== "closing-references-and-head") return { closing };
  const found = await askForPull(pullRequest, parts, unanswered);
  return {
    closing,
    head:
      found === null
        ? null
        : { branch: found.headBranch, sameRepository: found.sameRepository, author: found.author },
  };
}

/** A pull request may also be a work item of its own, or have a session of its own. */
async function askForCommit(
  headSha: string,
  { host, owner, name: repo }: Repository,
  parts: AskingParts,
  unanswered: UnansweredQuestion[],
): Promise<HostAnswers> {
  const numbers =
    (await parts.questions.ask(
      "pull-requests-of-commit",
      () => parts.host.pullRequestsOfCommit({ host, owner, repo }, headSha),
      unanswered,
    )) ?? [];
  const pulls = numbers.map((number) => ({ host, owner, repo, number }));
  const refs = pulls.map((ref) => formatRef(ref));
  return {
    heads: (await Promise.all(refs.map((ref) => parts.store.items.linkedTo(ref)))).flat(),
    owners: await ownersOf(refs, parts.store.items),
    pulls,
  };
}

/**
 * Dozens of checks follow on a push, and all ask the same of their pull request: within a minute
 * the first answer holds for all.
 */
async function askForCheck(
  pullRequest: Ref,
  repository: Repository,
  policy: Policy,
  parts: AskingParts,
  unanswered: UnansweredQuestion[],
): Promise<HostAnswers> {
  const known = parts.checked.get(formatRef(pullRequest));
  if (known !== undefined) return known;
  const open: UnansweredQuestion[] = [];
  const closing = await askForClosing(pullRequest, parts, open);
  const found = await askForPull(pullRequest, parts, open);
  const head =
    found === null
      ? null
      : {
          branch: found.headBranch,
          sameRepository: found.sameRepository,
          closes: closedByText(found.body, repository, policy),
          author: found.author,
        };
  if (open.length === 0) parts.checked.put(formatRef(pullRequest), { closing, head });
  unanswered.push(...open);
  return { closing, head };
}

async function askForClosing(
  pullRequest: Ref,
  parts: AskingParts,
  unanswered: UnansweredQuestion[],
): Promise<readonly Ref[]> {
  return (
    (await parts.questions.ask(
      "closing-references",
      () => parts.host.closingReferences(pullRequest),
      unanswered,
    )) ?? []
  );
}

function askForPull(
  pullRequest: Ref,
  parts: AskingParts,
  unanswered: UnansweredQuestion[],
): Promise<Awaited<ReturnType<CodeHost["pullRequest"]>>> {
  return parts.questions.ask("head", () => parts.host.pullRequest(pullRequest), unanswered);
}
