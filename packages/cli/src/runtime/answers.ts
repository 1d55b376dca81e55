import { type Answers, noAnswers, type Policy, type Questions, refsToLoad, type Repository, formatRef } from "@loopwork/core";
import { CodeHostError } from "@loopwork/core/ports";
import type { RuntimeParts } from "./parts.ts";

/** Looks up what finding the work item needs: records first, the host only where they do not answer (decisions.md 5). */
export async function readAnswers(questions: Questions, repository: Repository, policy: Policy, parts: RuntimeParts): Promise<Answers> {
  if (questions.pullRequests.length === 0 && questions.headSha === null) return noAnswers;
  const { items } = parts.store;
  const endpoints = questions.pullRequests.map((ref) => formatRef(ref));
  const linked = (await Promise.all(endpoints.map((ref) => items.linkedTo(ref)))).flat();
  const owners = (await Promise.all(endpoints.map(async (endpoint) => ({ endpoint, workItem: await items.ownerOfEndpoint(endpoint) })))).flatMap(({ endpoint, workItem }) => (workItem === null ? [] : [{ endpoint, workItem }]));
  const heads = questions.headSha === null ? [] : (await items.linksBySha(questions.headSha)).map(({ workItem }) => workItem);
  const known = { linked, owners, heads, closing: [], head: null };
  const answers = linked.length > 0 || heads.length > 0 ? known : { ...known, ...(await askHost(questions, repository, parts)) };
  const states = await Promise.all(refsToLoad(questions, answers, policy).map((ref) => items.load(ref)));
  return { ...answers, items: states.filter((item) => item.workItem !== null || item.sessions.length > 0) };
}

type HostAnswers = Partial<Pick<Answers, "closing" | "head" | "heads">>;

/** A host that cannot be asked costs precision, never the event: what the payload itself says still counts. */
async function askHost(questions: Questions, repository: Repository, parts: RuntimeParts): Promise<HostAnswers> {
  try {
    return await askFor(questions, repository, parts);
  } catch (error) {
    if (!(error instanceof CodeHostError)) throw error;
    if (error.code !== "LOOP_E_HOST_NO_TOKEN") parts.log("warn", `the code host could not be asked for what an event belongs to: ${error.message}`);
    return {};
  }
}

async function askFor(questions: Questions, repository: Repository, parts: RuntimeParts): Promise<HostAnswers> {
  const pullRequest = questions.pullRequests[0];
  if (questions.ask === "pull-requests-of-commit" && questions.headSha !== null) {
    const numbers = await parts.host.pullRequestsOfCommit({ host: repository.host, owner: repository.owner, repo: repository.name }, questions.headSha);
    const refs = numbers.map((number) => formatRef({ host: repository.host, owner: repository.owner, repo: repository.name, number }));
    return { heads: (await Promise.all(refs.map((ref) => parts.store.items.linkedTo(ref)))).flat() };
  }
  if (pullRequest === undefined || questions.ask === "nothing") return {};
  const closing = await parts.host.closingReferences(pullRequest);
  if (questions.ask !== "closing-references-and-head") return { closing };
  const found = await parts.host.pullRequest(pullRequest);
  return { closing, head: found === null ? null : { branch: found.headBranch, sameRepository: found.sameRepository } };
}
