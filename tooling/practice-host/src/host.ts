import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { thread } from "./http/pages.ts";
import { createHostServer } from "./http/server.ts";
import { createRepositories, type Repositories } from "./repositories.ts";
import type { RepositoryHandle } from "./repository-handle.ts";
import {
  createState,
  fullName,
  type HostState,
  type Repository,
  renameUser,
  reregister,
  takeId,
} from "./state.ts";
import { createTraffic, type Traffic } from "./traffic.ts";
import type { Delivery, Disorder, WebhookTarget } from "./webhooks/delivery.ts";
import { createSender, type Sender } from "./webhooks/sender.ts";
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
  /**
   * Folder for the bare repositories; a temporary one, removed at the end, unless said otherwise.
   */
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
  addRepository(repository: {
    readonly owner: string;
    readonly repo: string;
    readonly files?: Readonly<Record<string, string>>;
    readonly defaultBranch?: string;
  }): Promise<RepositoryHandle>;
  fork(owner: string, of?: string): Promise<RepositoryHandle>;
  /** The fork disappears; its open pull requests have a null head repository from then on. */
  removeFork(owner: string, of?: string): void;
  /**
   * The account is deleted, and somebody else takes its login: what was written before keeps the
   * old id.
   */
  reregister(login: string): void;
  /** The account gets another login: what was written before keeps the old one. */
  renameUser(login: string, to: string): void;
  /** One thread as plain text. */
  thread(number: number): string;
  aim(target: WebhookTarget | null): void;
  disturb(disorder: Disorder | null): void;
  deliveries(): readonly Delivery[];
  /** What the interface was asked, and what calls cost; makes it fail where a test wants that. */
  readonly traffic: Traffic;
  redeliver(id: string): Promise<number | null>;
  /** Resolves when every webhook was answered or failed, pushes included. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a practice host on 127.0.0.1. Rejects when the port is taken or git is missing. */
export async function createPracticeHost(options: PracticeHostOptions = {}): Promise<PracticeHost> {
  const state = createState({ now: options.now ?? Date.now });
  for (const { login, token } of options.users ?? [])
    state.users.push({ id: takeId(state), login, bot: login.endsWith("[bot]"), token });
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), "practice-host-")));
  const sender = createSender(state.clock.now);
  sender.aim(
    options.webhookUrl == null ? null : { url: options.webhookUrl, secret: options.secret ?? null },
  );
  sender.disturb(options.disorder ?? null);
  let url = "";
  const origin = (): Origin => ({ url, apiUrl: `${url}/api/v3` });
  const repositories = createRepositories(state, directory, origin, sender);
  const traffic = createTraffic(state.clock.now);
  const server = createHostServer({
    state,
    origin,
    announceOf: repositories.announceOf,
    pushed: repositories.pushed,
    aim: sender.aim,
    sent: sender,
    traffic,
  });
  url = await listen(server, options.port ?? 0);
  const first = await repositories.create({
    owner: options.owner ?? "practice",
    repo: options.repo ?? "garden",
    defaultBranch: options.defaultBranch ?? "main",
    files: options.files ?? { "README.md": "# Garden\n" },
  });
  const stop = async (): Promise<void> => {
    sender.stop();
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    if (options.directory === undefined) await rm(directory, { recursive: true, force: true });
  };
  return assemble(state, first, origin(), repositories, sender, traffic, stop);
}

function assemble(
  state: HostState,
  first: Repository,
  origin: Origin,
  repositories: Repositories,
  sender: Sender,
  traffic: Traffic,
  stop: () => Promise<void>,
): PracticeHost {
  const { handleOf, named } = repositories;
  return {
    ...handleOf(first),
    ...origin,
    cloneUrl: `${origin.url}/${fullName(first)}.git`,
    repository: (name) => handleOf(named(name)),
    addRepository: async ({
      owner,
      repo,
      files = { "README.md": `# ${repo}\n` },
      defaultBranch = "main",
    }) => handleOf(await repositories.create({ owner, repo, files, defaultBranch })),
    fork: async (owner, of = fullName(first)) =>
      handleOf(await repositories.fork(named(of), owner)),
    removeFork: (owner, of = fullName(first)) =>
      repositories.remove(named(`${owner}/${named(of).name}`)),
    reregister: (login) => reregister(state, login),
    renameUser: (login, to) => renameUser(state, login, to),
    thread: (number) => thread(handleOf(first).issue(number), first),
    aim: sender.aim,
    disturb: sender.disturb,
    deliveries: sender.deliveries,
    traffic,
    redeliver: async (id) => (await sender.redeliver(id)).status,
    async idle() {
      await repositories.idle();
      await sender.idle();
    },
    stop,
  };
}

/** The address of the server once it listens. */
async function listen(server: Server, port: number): Promise<string> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null)
    throw new Error("the practice host has no port");
  return `http://127.0.0.1:${address.port}`;
}
