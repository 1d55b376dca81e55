import {
  type Announce,
  createAnnounce,
  createState,
  type Delivery,
  fullName,
  type HostState,
  type Item,
  type JsonObject,
  newItem,
  pushed,
  type Repository,
  takeId,
  timeNow,
  type User,
  userNamed,
} from "@loopwork-tooling/practice-host/world";
import type { Random } from "../random.ts";

/**
 * A code host in memory: the practice host's own state, payloads and interface, without HTTP and
 * git.
 */
export type Host = {
  readonly state: HostState;
  readonly repository: Repository;
  readonly announce: Announce;
  user(login: string): User;
  /** Whose token the service has: an account of its own, or the operator's. */
  readonly agent: User;
  /** A commit of this name on a branch, and a pull request for it. */
  openPull(branch: string, body: string, by: User): Item;
  push(item: Item, by: User): void;
  /** What CI says about a commit, by the event that names no pull request. */
  status(sha: string, context: string, state: "success" | "failure", by: User): void;
};

export const agentToken = "simulated-token";
export const label = "loop: auto-execute";
/** Where the host sends webhooks; the receiver's path is the default one. */
export const webhookUrl = "https://loop.example/host-webhook";
export const origin = { url: "https://code.example", apiUrl: "https://code.example/api/v3" };

/**
 * `now` is the host's clock in milliseconds since 1970; `emit` gets each webhook that it wants to
 * send.
 */
export function createHost(
  now: () => number,
  random: Random,
  login: string,
  emit: (delivery: Delivery) => void,
): Host {
  const state = createState({ now });
  const hook = {
    id: takeId(state),
    type: "Repository",
    name: "web",
    active: true,
    events: ["*"],
    config: { url: webhookUrl, content_type: "json", insecure_ssl: "0" },
  };
  const agent: User = { id: takeId(state), login, bot: false, token: agentToken };
  state.users.push(agent);
  const repository: Repository = {
    id: takeId(state),
    owner: userNamed(state, "practice"),
    name: "garden",
    formerNames: [],
    defaultBranch: "main",
    directory: "",
    parent: null,
    createdAt: timeNow(state),
    labels: [],
    items: [],
    checks: [],
    hooks: [hook],
    events: [],
    nextNumber: 1,
  };
  state.repositories.push(repository);
  const send = (event: string, action: string, payload: JsonObject): Delivery => {
    const delivery: Delivery = {
      id: random.uuid(),
      event,
      action,
      payload,
      body: JSON.stringify(payload),
      attempts: [],
    };
    emit(delivery);
    return delivery;
  };
  const announce = createAnnounce(state, repository, () => origin, { emit: send });
  const sha = (): string => `${random.uuid()}${random.uuid()}`.replaceAll("-", "").slice(0, 40);
  return {
    state,
    repository,
    announce,
    user: (login) => userNamed(state, login),
    agent,
    openPull(branch, body, by) {
      const pull = {
        id: takeId(state),
        head: { repository, owner: repository.owner, ref: branch, sha: sha() },
        base: { ref: "main", sha: sha() },
        reviews: [],
        mergedAt: null,
        mergeSha: null,
      };
      const item = newItem(
        state,
        repository,
        { title: `Work on ${branch}`, body, labels: [], by },
        pull,
      );
      announce.pull("opened", item, by);
      return item;
    },
    push(item, by) {
      const { pull } = item;
      if (pull === null) return;
      const before = pull.head.sha;
      pull.head = { ...pull.head, sha: sha() };
      item.updatedAt = timeNow(state);
      announce.pull("synchronize", item, by, pushed(item, before));
    },
    status(commit, context, conclusion, by) {
      const at = timeNow(state);
      const owner = { id: repository.owner.id, login: repository.owner.login, type: "User" };
      const whole = {
        id: repository.id,
        name: repository.name,
        full_name: fullName(repository),
        owner,
        html_url: `${origin.url}/${fullName(repository)}`,
        clone_url: `${origin.url}/${fullName(repository)}.git`,
        default_branch: "main",
      };
      send("status", "", {
        id: takeId(state),
        sha: commit,
        name: fullName(repository),
        context,
        state: conclusion,
        description: null,
        target_url: null,
        commit: { sha: commit },
        branches: [],
        created_at: at,
        updated_at: at,
        repository: whole,
        sender: { id: by.id, login: by.login, type: "User" },
      });
    },
  };
}
