import { chooseHead, type HeadChoice, type InboundEvent, type PullFacts } from "@loopwork/core";
import {
  formatRef,
  type ItemState,
  parseRef,
  type Ref,
  sameName,
  sameRef,
  type Turn,
} from "@loopwork/core/ports";
import type { RuntimeParts } from "../parts.ts";
import { authorsOf } from "./authors.ts";

/**
 * Where the checkout of a turn starts: facts from its events, the records and, where both are
 * silent, the host; then one pure choice.
 */
export async function headFor(
  turn: Turn,
  item: ItemState,
  endpoint: Ref,
  parts: RuntimeParts,
): Promise<HeadChoice> {
  const pull = pullOf(turn, item, endpoint);
  const own = pull === null ? null : await parts.host.ownAccount().catch(() => null);
  const policy = {
    authors: await authorsOf(item, parts),
    checkoutAnyHead: parts.settings().config.routing.workspace.checkoutAnyHead,
    own,
  };
  return pull === null
    ? (pushedBranch(item, endpoint) ?? chooseHead(null, policy))
    : chooseHead(await factsOf(pull, turn, item, parts), policy);
}

/**
 * Of work that was begun on another machine only what was pushed is there; who pushed it nobody
 * knows.
 */
function pushedBranch({ workItem }: ItemState, endpoint: Ref): HeadChoice | null {
  if (workItem?.control.adoptedFrom === undefined || workItem.ref !== formatRef(endpoint))
    return null;
  return {
    headBranch: `issue-${endpoint.number}`,
    headPull: null,
    restoreFrom: { branch: null },
    note: null,
  };
}

/**
 * The pull request that the checkout is about: the endpoint itself, else one recorded in the same
 * repository, else the one that an event is about.
 */
function pullOf(turn: Turn, item: ItemState, endpoint: Ref): Ref | null {
  if (turn.lane !== turn.workItem || item.workItem?.type === "pull-request") return endpoint;
  const recorded = item.pullRequests
    .filter(({ open }) => open)
    .flatMap(({ pullRequest }) => parseRef(pullRequest) ?? []);
  const own = recorded.find((ref) => sameRef({ ...ref, number: endpoint.number }, endpoint));
  if (own !== undefined) return own;
  for (const { event } of turn.inputs) {
    const about = itemOf(event);
    if (about?.type === "pull-request") return { ...endpoint, number: about.number };
  }
  return null;
}

async function factsOf(
  pull: Ref,
  turn: Turn,
  item: ItemState,
  parts: RuntimeParts,
): Promise<PullFacts> {
  const link = item.pullRequests.find(({ pullRequest }) => sameName(pullRequest, formatRef(pull)));
  const recorded = link !== undefined;
  const shown = turn.inputs
    .map(({ event }) => itemOf(event))
    .findLast((about) => about?.number === pull.number && about.branches !== null);
  if (shown?.branches)
    return {
      number: pull.number,
      head: shown.branches.head,
      base: shown.branches.base,
      sameRepository: shown.branches.sameRepository,
      headOwner: shown.branches.headOwner ?? null,
      author: shown.author,
      recorded,
    };
  const asked = await parts.host.pullRequest(pull).catch(() => null);
  if (asked !== null)
    return {
      number: pull.number,
      head: asked.headBranch,
      base: null,
      sameRepository: asked.sameRepository,
      headOwner: asked.headOwner,
      author: asked.author,
      recorded,
    };
  // Only a head in the same repository is ever written to the record by its branch.
  const head = link?.headBranch ?? null;
  return {
    number: pull.number,
    head,
    base: null,
    sameRepository: head !== null,
    headOwner: null,
    author: null,
    recorded,
  };
}

const itemOf = (event: InboundEvent) =>
  event.kind === "ci" || event.kind === "control" ? null : event.item;
