import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { followPush } from "./actions/pulls.ts";
import type { Announce } from "./announce.ts";
import { createBare, git } from "./git/bare.ts";
import { createRepositoryHandle, type RepositoryHandle } from "./repository-handle.ts";
import {
  findRepository,
  type HostState,
  type Repository,
  takeId,
  timeNow,
  type User,
  userNamed,
} from "./state.ts";
import type { Sender } from "./webhooks/sender.ts";
import type { Origin } from "./wire/origin.ts";

export type NewRepository = {
  readonly owner: string;
  readonly repo: string;
  readonly defaultBranch: string;
  readonly files: Readonly<Record<string, string>>;
};

/** All repositories of a host, on disk and as handles. */
export interface Repositories {
  create(wanted: NewRepository): Promise<Repository>;
  fork(parent: Repository, owner: string): Promise<Repository>;
  /** The repository disappears; open pull requests from it have no head repository from then on. */
  remove(repository: Repository): void;
  /** Throws when there is none of that name. */
  named(name: string): Repository;
  handleOf(repository: Repository): RepositoryHandle;
  announceOf(repository: Repository): Announce;
  /**
   * Announces what a push moved, in the repository itself and in the one that it was forked from.
   */
  pushed(repository: Repository, by: User): Promise<void>;
  /** Resolves when every push was announced. */
  idle(): Promise<void>;
}

export function createRepositories(
  state: HostState,
  directory: string,
  origin: () => Origin,
  sender: Sender,
): Repositories {
  const opened = new Map<
    Repository,
    { readonly handle: RepositoryHandle; readonly announce: Announce }
  >();
  const pushes = new Set<Promise<void>>();
  const open = (repository: Repository) => {
    const known =
      opened.get(repository) ?? createRepositoryHandle(state, repository, origin, sender, pushed);
    opened.set(repository, known);
    return known;
  };
  const pushed = async (repository: Repository, by: User): Promise<void> => {
    const targets = state.repositories.filter(
      (target) => target === repository || target === repository.parent,
    );
    const work = Promise.all(
      targets.map((target) => followPush(state, target, repository, open(target).announce, by)),
    ).then(() => undefined);
    pushes.add(work);
    await work.finally(() => pushes.delete(work));
  };
  const add = async (
    owner: string,
    name: string,
    defaultBranch: string,
    parent: Repository | null,
  ): Promise<Repository> => {
    const folder = join(directory, owner);
    await mkdir(folder, { recursive: true });
    const id = takeId(state);
    const taken = state.repositories.some((each) => each.directory === join(folder, `${name}.git`));
    const repository: Repository = {
      id,
      owner: userNamed(state, owner),
      name,
      formerNames: [],
      defaultBranch,
      directory: join(folder, taken ? `${name}.${id}.git` : `${name}.git`),
      parent,
      createdAt: timeNow(state),
      labels: [],
      items: [],
      checks: [],
      hooks: [],
      events: [],
      pushes: [],
      nextNumber: 1,
    };
    state.repositories.push(repository);
    return repository;
  };
  return {
    async create({ owner, repo, defaultBranch, files }) {
      const repository = await add(owner, repo, defaultBranch, null);
      await createBare(repository.directory, defaultBranch, files, state.clock.now());
      return repository;
    },
    async fork(parent, owner) {
      const repository = await add(owner, parent.name, parent.defaultBranch, parent);
      await git(".", ["clone", "--quiet", "--bare", parent.directory, repository.directory]);
      await git(repository.directory, ["config", "http.receivepack", "true"]);
      return repository;
    },
    remove(repository) {
      state.repositories.splice(state.repositories.indexOf(repository), 1);
      for (const item of state.repositories.flatMap((each) => each.items)) {
        if (item.pull?.head.repository === repository)
          item.pull.head = { ...item.pull.head, repository: null };
      }
    },
    named(name) {
      const [owner, repo] = name.split("/");
      const found = findRepository(state, owner ?? "", repo ?? "");
      if (found === null) throw new Error(`there is no repository ${name}`);
      return found;
    },
    handleOf: (repository) => open(repository).handle,
    announceOf: (repository) => open(repository).announce,
    pushed,
    async idle() {
      while (pushes.size > 0) await Promise.all(pushes);
    },
  };
}
