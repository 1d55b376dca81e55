import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { followPush } from "./actions/pulls.ts";
import type { Announce } from "./announce.ts";
import { createBare, git } from "./git/bare.ts";
import { createHostServer } from "./http/server.ts";
import { thread } from "./http/pages.ts";
import { createRepositoryHandle, type RepositoryHandle } from "./repository-handle.ts";
import { createState, findItem, findRepository, fullName, type HostState, type Repository, takeId, timeNow, type User, userNamed } from "./state.ts";
import type { Delivery, Disorder, WebhookTarget } from "./webhooks/delivery.ts";
import { createSender } from "./webhooks/sender.ts";
import type { Origin } from "./wire/origin.ts";

export type PracticeHostOptions = {
  /** Where webhooks go; without it none are sent until `aim`. */
  readonly webhookUrl?: string | null;
  readonly secret?: string | null;
  /** The first repository; `practice/garden` unless said otherwise. */
  readonly owner?: string;
  readonly repo?: string;
  readonly defaultBranch?: string;
  /** Files of its first commit. */
  readonly files?: Readonly<Record<string, string>>;
  /** Logins that may call the interface, with their tokens. */
  readonly users?: readonly { readonly login: string; readonly token: string }[];
  /** Port on 127.0.0.1; a free one unless said otherwise. */
  readonly port?: number;
  /** Folder for the bare repositories; a temporary one, removed at the end, unless said otherwise. */
  readonly directory?: string;
  /** The host's time in milliseconds since 1970. */
  readonly now?: () => number;
  readonly disorder?: Disorder | null;
};

/** A running practice host. It is the handle of its first repository, too. */
export interface PracticeHost extends RepositoryHandle {
  /** Pages for people, and the base of clone addresses. */
  readonly url: string;
  /** Base of the interface, for `integrations.codeHost.apiBaseUrl`. */
  readonly apiUrl: string;
  /** Address to clone the first repository from. */
  readonly cloneUrl: string;
  repository(fullName: string): RepositoryHandle;
  addRepository(repository: { readonly owner: string; readonly repo: string; readonly files?: Readonly<Record<string, string>>; readonly defaultBranch?: string }): Promise<RepositoryHandle>;
  fork(owner: string, of?: string): Promise<RepositoryHandle>;
  /** The fork disappears; its open pull requests have a null head repository from then on. */
  removeFork(owner: string, of?: string): void;
  /** One thread as plain text. */
  thread(number: number): string;
  aim(target: WebhookTarget | null): void;
  disturb(disorder: Disorder | null): void;
  deliveries(): readonly Delivery[];
  redeliver(id: string): Promise<number | null>;
  /** Resolves when every webhook was answered or failed, pushes included. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a practice host on 127.0.0.1. Rejects when the port is taken or git is missing. */
export async function createPracticeHost(options: PracticeHostOptions = {}): Promise<PracticeHost> {
  const state = createState({ now: options.now ?? Date.now });
  for (const { login, token } of options.users ?? []) state.users.push({ id: takeId(state), login, bot: login.endsWith("[bot]"), token });
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), "practice-host-")));
  const sender = createSender(state.clock.now);
  if (options.webhookUrl != null) sender.aim({ url: options.webhookUrl, secret: options.secret ?? null });
  sender.disturb(options.disorder ?? null);
  let url = "";
  const origin = (): Origin => ({ url, apiUrl: `${url}/api/v3` });
  const open = new Map<Repository, { readonly handle: RepositoryHandle; readonly announce: Announce }>();
  const opened = (repository: Repository) => {
    const known = open.get(repository) ?? createRepositoryHandle(state, repository, origin, sender);
    open.set(repository, known);
    return known;
  };
  const pushes = new Set<Promise<void>>();
  const pushed = async (repository: Repository, by: User): Promise<void> => {
    const targets = state.repositories.filter((target) => target === repository || target === repository.parent);
    const work = Promise.all(targets.map((target) => followPush(state, target, repository, opened(target).announce, by))).then(() => undefined);
    pushes.add(work);
    await work.finally(() => pushes.delete(work));
  };
  const server = createHostServer({ state, origin, announceOf: (repository) => opened(repository).announce, pushed });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${portOf(server.address())}`;

  const add = async (owner: string, repo: string, defaultBranch: string, parent: Repository | null): Promise<Repository> => {
    const folder = join(directory, owner);
    await mkdir(folder, { recursive: true });
    const repository: Repository = { id: takeId(state), owner: userNamed(state, owner), name: repo, defaultBranch, directory: join(folder, `${repo}.git`), parent, createdAt: timeNow(state), labels: [], items: [], checks: [], nextNumber: 1 };
    state.repositories.push(repository);
    return repository;
  };
  const named = (name: string): Repository => findRepository(state, name.split("/")[0] ?? "", name.split("/")[1] ?? "") ?? fail(`there is no repository ${name}`);
  const first = await add(options.owner ?? "practice", options.repo ?? "garden", options.defaultBranch ?? "main", null);
  await createBare(first.directory, first.defaultBranch, options.files ?? { "README.md": "# Garden\n" }, state.clock.now());

  return {
    ...opened(first).handle,
    url,
    apiUrl: `${url}/api/v3`,
    cloneUrl: `${url}/${fullName(first)}.git`,
    repository: (name) => opened(named(name)).handle,
    async addRepository({ owner, repo, files = { "README.md": `# ${repo}\n` }, defaultBranch = "main" }) {
      const repository = await add(owner, repo, defaultBranch, null);
      await createBare(repository.directory, defaultBranch, files, state.clock.now());
      return opened(repository).handle;
    },
    async fork(owner, of = fullName(first)) {
      const parent = named(of);
      const repository = await add(owner, parent.name, parent.defaultBranch, parent);
      await git(".", ["clone", "--quiet", "--bare", parent.directory, repository.directory]);
      await git(repository.directory, ["config", "http.receivepack", "true"]);
      return opened(repository).handle;
    },
    removeFork(owner, of = fullName(first)) {
      const fork = named(`${owner}/${named(of).name}`);
      state.repositories.splice(state.repositories.indexOf(fork), 1);
      forgetHeads(state, fork);
    },
    thread: (number) => thread(findItem(first, number) ?? fail(`there is no #${number}`), first),
    aim: sender.aim,
    disturb: sender.disturb,
    deliveries: sender.deliveries,
    redeliver: async (id) => (await sender.redeliver(id)).status,
    async idle() {
      while (pushes.size > 0) await Promise.all(pushes);
      await sender.idle();
    },
    async stop() {
      sender.stop();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      if (options.directory === undefined) await rm(directory, { recursive: true, force: true });
    },
  };
}

function forgetHeads(state: HostState, fork: Repository): void {
  for (const item of state.repositories.flatMap((repository) => repository.items)) {
    if (item.pull?.head.repository === fork) item.pull.head = { ...item.pull.head, repository: null };
  }
}

const portOf = (address: AddressInfo | string | null): number => (typeof address === "object" && address !== null ? address.port : fail("the practice host has no port"));

function fail(why: string): never {
  throw new Error(why);
}
