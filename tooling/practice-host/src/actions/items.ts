import type { Announce } from "../announce.ts";
import {
  type HostState,
  type Item,
  labelNamed,
  type Repository,
  sameName,
  takeId,
  timeNow,
  type User,
} from "../state.ts";

export type NewIssue = {
  readonly title: string;
  readonly body: string | null;
  readonly labels: readonly string[];
  readonly by: User;
};

/** Opens an issue; each of its labels is announced after the opening, as on the real host. */
export function openIssue(
  state: HostState,
  repository: Repository,
  announce: Announce,
  wanted: NewIssue,
): Item {
  const item = newItem(state, repository, wanted, null);
  announce.issue("opened", item, wanted.by);
  for (const label of item.labels) announce.label("labeled", item, label, wanted.by);
  return item;
}

/** A row of the repository, numbered; nothing is announced. */
export function newItem(
  state: HostState,
  repository: Repository,
  wanted: NewIssue,
  pull: Item["pull"],
): Item {
  const at = timeNow(state);
  const labels = wanted.labels.map((name) => labelNamed(state, repository, name));
  const item: Item = {
    id: takeId(state),
    number: repository.nextNumber++,
    author: wanted.by,
    createdAt: at,
    title: wanted.title,
    body: wanted.body,
    labels,
    open: true,
    stateReason: null,
    updatedAt: at,
    closedAt: null,
    edits: [],
    comments: [],
    pull,
  };
  repository.items.push(item);
  return item;
}

/** Adds a label; adding one that is there changes nothing. */
export function addLabel(
  state: HostState,
  repository: Repository,
  announce: Announce,
  item: Item,
  name: string,
  by: User,
): void {
  if (item.labels.some((label) => sameName(label.name, name))) return;
  const label = labelNamed(state, repository, name);
  item.labels.push(label);
  item.updatedAt = timeNow(state);
  announce.label("labeled", item, label, by);
}

/** Removes a label; false when the item has none of that name. */
export function removeLabel(
  state: HostState,
  announce: Announce,
  item: Item,
  name: string,
  by: User,
): boolean {
  const label = item.labels.find((one) => sameName(one.name, name));
  if (label === undefined) return false;
  item.labels = item.labels.filter((one) => one !== label);
  item.updatedAt = timeNow(state);
  announce.label("unlabeled", item, label, by);
  return true;
}

/** Closes or reopens an issue or pull request; doing it twice changes nothing. */
export function setOpen(
  state: HostState,
  announce: Announce,
  item: Item,
  open: boolean,
  by: User,
  reason: Item["stateReason"] = open ? "reopened" : "completed",
): void {
  if (item.open === open) return;
  item.open = open;
  item.stateReason = item.pull === null ? reason : null;
  item.updatedAt = timeNow(state);
  item.closedAt = open ? null : item.updatedAt;
  const action = open ? "reopened" : "closed";
  if (item.pull === null) announce.issue(action, item, by);
  else announce.pull(action, item, by);
}

/** Changes title or body. */
export function editItem(
  state: HostState,
  announce: Announce,
  item: Item,
  edit: { readonly title?: string; readonly body?: string | null },
  by: User,
): void {
  const changes = {
    ...(edit.title === undefined ? {} : { title: { from: item.title } }),
    ...(edit.body === undefined ? {} : { body: { from: item.body ?? "" } }),
  };
  item.title = edit.title ?? item.title;
  item.body = edit.body === undefined ? item.body : edit.body;
  item.updatedAt = timeNow(state);
  if (edit.body !== undefined) {
    item.edited = { by, at: item.updatedAt };
    item.edits.push(item.edited);
  }
  if (item.pull === null) announce.issue("edited", item, by, { changes });
  else announce.pull("edited", item, by, { changes });
}
