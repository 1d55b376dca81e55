import { type Announce, pushed } from "../announce.ts";
import { branchesWith, headOf, mergeInto } from "../git/bare.ts";
import {
  type HostState,
  type Item,
  type Repository,
  takeId,
  timeNow,
  type User,
} from "../state.ts";
import { pullOf } from "../wire/pull.ts";
import { newItem } from "./items.ts";

export type NewPull = {
  readonly title: string;
  readonly body: string | null;
  readonly head: string;
  readonly headRepository: Repository;
  readonly base: string;
  readonly labels: readonly string[];
  readonly by: User;
};

/**
 * Opens a pull request from a branch that exists; rejects when a branch is missing or the pair is
 * open already.
 */
export async function openPull(
  state: HostState,
  repository: Repository,
  announce: Announce,
  wanted: NewPull,
): Promise<Item> {
  const head = await headOf(wanted.headRepository.directory, wanted.head);
  const base = await headOf(repository.directory, wanted.base);
  if (head === null || base === null)
    throw new Error(`there is no branch ${head === null ? wanted.head : wanted.base}`);
  const twin = repository.items.find(
    (item) =>
      item.open &&
      item.pull?.head.ref === wanted.head &&
      item.pull.head.repository === wanted.headRepository &&
      item.pull.base.ref === wanted.base,
  );
  if (twin !== undefined)
    throw new Error(
      `A pull request already exists for ${wanted.headRepository.owner.login}:${wanted.head}.`,
    );
  const pull = {
    id: takeId(state),
    head: {
      repository: wanted.headRepository,
      owner: wanted.headRepository.owner,
      ref: wanted.head,
      sha: head,
    },
    base: { ref: wanted.base, sha: base },
    reviews: [],
    mergedAt: null,
    mergeSha: null,
  };
  const item = newItem(state, repository, wanted, pull);
  announce.pull("opened", item, wanted.by);
  for (const label of item.labels) announce.label("labeled", item, label, wanted.by);
  return item;
}

/** Looks where the branches of the open pull requests stand now and announces those that moved. */
export async function followPush(
  state: HostState,
  target: Repository,
  pushedTo: Repository,
  announce: Announce,
  by: User,
): Promise<void> {
  for (const item of target.items) {
    const pull = item.pull;
    if (pull === null || !item.open || pull.head.repository !== pushedTo) continue;
    const sha = await headOf(pushedTo.directory, pull.head.ref);
    if (sha === null || sha === pull.head.sha) continue;
    const before = pull.head.sha;
    pull.head = { ...pull.head, sha };
    item.updatedAt = timeNow(state);
    if (!(pushedTo.pushes ?? []).some((push) => push.before === before && push.after === sha))
      pushedTo.pushes?.push({
        id: takeId(state),
        branch: pull.head.ref,
        before,
        after: sha,
        by,
        at: item.updatedAt,
      });
    announce.pull("synchronize", item, by, pushed(item, before));
  }
}

/**
 * Merges with a merge commit and closes the pull request. Issues are not closed by it: the host's
 * own reading of closing words is not copied here.
 */
export async function mergePull(
  state: HostState,
  repository: Repository,
  announce: Announce,
  item: Item,
  by: User,
): Promise<string> {
  const pull = pullOf(item);
  if (!item.open) throw new Error(`#${item.number} is not open`);
  if (pull.head.repository === null)
    throw new Error(`the repository of #${item.number}'s head is gone`);
  const known = await branchesWith(repository.directory, pull.head.sha);
  if (known.length === 0 && pull.head.repository !== repository)
    throw new Error("merging from a fork is not practised here");
  pull.mergeSha = await mergeInto(
    repository.directory,
    pull.base.ref,
    pull.head.sha,
    `Merge pull request #${item.number}`,
    state.clock.now(),
  );
  pull.mergedAt = timeNow(state);
  item.open = false;
  item.closedAt = pull.mergedAt;
  item.updatedAt = pull.mergedAt;
  announce.pull("closed", item, by);
  return pull.mergeSha;
}
