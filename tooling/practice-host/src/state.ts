import type { Clock } from "./clock.ts";

/**
 * Everything the host knows. Actions change it and announce what they changed; nothing else writes
 * to it.
 */
export type HostState = {
  readonly clock: Clock;
  readonly users: User[];
  readonly repositories: Repository[];
  nextId: number;
};

export type User = {
  readonly id: number;
  readonly login: string;
  readonly bot: boolean;
  readonly token: string | null;
};

export type Repository = {
  readonly id: number;
  readonly owner: User;
  name: string;
  /** Names that still lead here, until another repository takes one. */
  readonly formerNames: string[];
  readonly defaultBranch: string;
  /** Bare repository on disk. */
  readonly directory: string;
  readonly parent: Repository | null;
  readonly createdAt: string;
  readonly labels: Label[];
  readonly items: Item[];
  readonly checks: Check[];
  readonly hooks: Hook[];
  /** What changed about items, oldest first: the host's list of events. */
  readonly events: ItemEvent[];
  /** What was pushed to branches of pull requests, oldest first; absent where nobody can push. */
  readonly pushes?: Push[];
  nextNumber: number;
};

export type Push = {
  readonly id: number;
  readonly branch: string;
  readonly before: string;
  readonly after: string;
  readonly by: User;
  readonly at: string;
};

/** `event` is the host's word in that list, which is not always the webhook's action. */
export type ItemEvent = {
  readonly id: number;
  readonly item: Item;
  readonly event: string;
  readonly actor: User;
  readonly at: string;
  readonly label: Label | null;
  readonly renamedFrom: string | null;
};

/** A webhook as the interface shows it; its secret is kept by whoever sends. */
export type Hook = {
  readonly id: number;
  readonly type: string;
  readonly name: string;
  readonly active: boolean;
  readonly events: readonly string[];
  readonly config: {
    readonly url: string;
    readonly content_type: string;
    readonly insecure_ssl: string;
    readonly secret?: string;
  };
};

export type Label = {
  readonly id: number;
  readonly name: string;
  readonly color: string;
  readonly description: string | null;
};

/** An issue, or a pull request when `pull` is set: the host numbers both in one row. */
export type Item = {
  readonly id: number;
  readonly number: number;
  readonly author: User;
  readonly createdAt: string;
  title: string;
  body: string | null;
  labels: Label[];
  open: boolean;
  stateReason: "completed" | "not_planned" | "reopened" | null;
  updatedAt: string;
  closedAt: string | null;
  /** Who changed its text last, and when; absent when nobody did. */
  edited?: { readonly by: User; readonly at: string };
  /** Every change of its text, oldest first. */
  readonly edits: { readonly by: User; readonly at: string }[];
  readonly comments: Comment[];
  readonly pull: Pull | null;
};

export type Pull = {
  readonly id: number;
  /** The repository is null once a fork was deleted; its owner stays. */
  head: {
    readonly repository: Repository | null;
    readonly owner: User;
    readonly ref: string;
    sha: string;
  };
  readonly base: { readonly ref: string; sha: string };
  readonly reviews: Review[];
  mergedAt: string | null;
  mergeSha: string | null;
};

export type Comment = {
  readonly id: number;
  /** `diff`: on a line of a pull request. */
  readonly surface: "conversation" | "diff";
  readonly author: User;
  readonly createdAt: string;
  readonly place: {
    readonly path: string;
    readonly line: number;
    readonly sha: string;
    readonly replyTo: number | null;
    readonly review: number;
  } | null;
  body: string;
  updatedAt: string;
  /** Who changed it last; null when nobody did. */
  editor: User | null;
  /** Every change of its text, oldest first. */
  readonly edits: { readonly by: User; readonly at: string }[];
  readonly reactions: Reaction[];
};

export type Review = {
  readonly id: number;
  readonly author: User;
  body: string | null;
  readonly state: ReviewState;
  readonly sha: string;
  readonly submittedAt: string;
  /** Who changed its text last, and when; absent while nobody has. */
  edited?: { readonly by: User; readonly at: string };
  /** Every change of its text, oldest first. */
  readonly edits: { readonly by: User; readonly at: string }[];
  readonly reactions: Reaction[];
};
export type ReviewState = "approved" | "changes_requested" | "commented";
export type Reaction = {
  readonly id: number;
  readonly user: User;
  readonly content: string;
  readonly createdAt: string;
};

/** One line of CI about a commit, in one of the four ways in which the host tells of it. */
export type Check = {
  readonly id: number;
  readonly kind: "check_run" | "check_suite" | "workflow_run" | "status";
  readonly name: string;
  readonly sha: string;
  readonly at: string;
  status: "queued" | "in_progress" | "completed";
  conclusion: string | null;
};

export function createState(clock: Clock): HostState {
  return { clock, users: [], repositories: [], nextId: 1001 };
}

/** The next id; ids grow over all kinds of objects and never repeat. */
export function takeId(state: HostState): number {
  return state.nextId++;
}

/** The user of that login, made on first use. */
export function userNamed(state: HostState, login: string): User {
  const known = state.users.find((user) => sameName(user.login, login));
  if (known !== undefined) return known;
  const user: User = { id: takeId(state), login, bot: login.endsWith("[bot]"), token: null };
  state.users.push(user);
  return user;
}

/** Somebody else has the login from now on, under an id of their own. */
export function reregister(state: HostState, login: string): void {
  const known = userNamed(state, login);
  state.users[state.users.indexOf(known)] = { ...known, id: takeId(state) };
}

/**
 * The account is called otherwise from now on, and nobody has the old login. What was written
 * before keeps it.
 */
export function renameUser(state: HostState, login: string, to: string): void {
  const known = userNamed(state, login);
  state.users[state.users.indexOf(known)] = { ...known, login: to };
}

export function findRepository(state: HostState, owner: string, name: string): Repository | null {
  const owned = state.repositories.filter((repository) => sameName(repository.owner.login, owner));
  const named = owned.find((repository) => sameName(repository.name, name));
  return (
    named ??
    owned.find(({ formerNames }) => formerNames.some((former) => sameName(former, name))) ??
    null
  );
}

export function findItem(repository: Repository, number: number): Item | null {
  return repository.items.find((item) => item.number === number) ?? null;
}

/** A label of the repository, made on first use. */
export function labelNamed(state: HostState, repository: Repository, name: string): Label {
  const known = repository.labels.find((label) => sameName(label.name, name));
  if (known !== undefined) return known;
  const label: Label = { id: takeId(state), name, color: "ededed", description: null };
  repository.labels.push(label);
  return label;
}

export const fullName = (repository: Repository): string =>
  `${repository.owner.login}/${repository.name}`;

/** The host's time, ISO 8601 with whole seconds. */
export const timeNow = (state: HostState): string =>
  new Date(Math.floor(state.clock.now() / 1000) * 1000).toISOString().replace(".000Z", "Z");

/** The host compares names of people, repositories and labels without case. */
export const sameName = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase();
