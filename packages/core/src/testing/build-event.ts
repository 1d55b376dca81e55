import type {
  ActivityEvent,
  Actor,
  Branches,
  CiEvent,
  ClosedEvent,
  Comment,
  CommentEvent,
  ControlEvent,
  ControlRequest,
  Item,
  LabelEvent,
  Repository,
} from "../event/event.ts";

/**
 * The time of the code host at which events of these builders happen, and the same in milliseconds
 * since 1970.
 */
export const hostNoon = "2026-03-01T12:00:00Z";
export const hostNoonMs: number = 1_772_366_400_000;

/** `alice` may steer, `carol` is for collaborators, `mallory` is a stranger: see `policyOf`. */
export const alice: Actor = { login: "alice", id: "1", bot: false };
export const carol: Actor = { login: "carol", id: "3", bot: false };
export const mallory: Actor = { login: "mallory", id: "666", bot: false };
export const someBot: Actor = { login: "helper[bot]", id: "99", bot: true };

export const repository: Repository = {
  host: null,
  owner: "octo",
  name: "shop",
  id: "500",
  defaultBranch: "main",
  cloneUrl: "https://github.com/octo/shop.git",
};

/** Issue 7 of `octo/shop`, open and labelled. */
export function issueOf(over: Partial<Item> = {}): Item {
  const number = over.number ?? 7;
  return {
    type: "issue",
    number,
    id: `1000${number}`,
    title: "Cart forgets its items",
    body: "It does.",
    url: `https://github.com/octo/shop/issues/${number}`,
    open: true,
    labels: ["loop: auto-execute"],
    author: alice,
    updatedAt: hostNoon,
    branches: null,
    merged: false,
    ...over,
  };
}

/** Pull request 12 of `octo/shop`, open, from a branch of the same repository. */
export function pullRequestOf(over: Partial<Item> = {}): Item {
  const number = over.number ?? 12;
  const branches: Branches = {
    head: "issue-7",
    headSha: "a".repeat(40),
    headRepository: "octo/shop",
    base: "main",
    sameRepository: true,
  };
  return {
    ...issueOf(),
    type: "pull-request",
    number,
    id: `2000${number}`,
    title: "Remember the cart",
    url: `https://github.com/octo/shop/pull/${number}`,
    labels: [],
    branches,
    ...over,
  };
}

/** A fresh comment on issue 7; `text` is its body. */
export function commentEvent(
  text: string,
  over: Omit<Partial<CommentEvent>, "comment"> & {
    readonly by?: Actor;
    readonly comment?: Partial<Comment>;
  } = {},
): CommentEvent {
  const { by = alice, comment, ...rest } = over;
  const id = comment?.id ?? "4242";
  return {
    ...common("issue_comment", "created", `comment:${id}:created`, by),
    kind: "comment",
    item: issueOf(),
    surface: "conversation",
    change: "created",
    comment: {
      id,
      body: text,
      author: by,
      url: null,
      createdAt: hostNoon,
      reviewState: null,
      path: null,
      line: null,
      ...comment,
    },
    ...rest,
  };
}

/** A label was put on issue 7, or taken off. */
export function labelEvent(over: Partial<LabelEvent> & { readonly by?: Actor } = {}): LabelEvent {
  const { by = alice, ...rest } = over;
  const change = rest.change ?? "added";
  const label = rest.label ?? "loop: auto-execute";
  const item = issueOf({ labels: change === "added" ? [label] : [] });
  return {
    ...common(
      "issues",
      change === "added" ? "labeled" : "unlabeled",
      `issue:10007:${change}:${label}`,
      by,
    ),
    kind: "label",
    item,
    label,
    change,
    ...rest,
  };
}

/** Something else happened to issue 7; `opened` unless said otherwise. */
export function activityEvent(
  over: Partial<ActivityEvent> & { readonly by?: Actor } = {},
): ActivityEvent {
  const { by = alice, ...rest } = over;
  const action = rest.action ?? "opened";
  const item = rest.item ?? issueOf();
  return {
    ...common(
      item.type === "issue" ? "issues" : "pull_request",
      action,
      `${item.type}:${item.id}:${action}`,
      by,
    ),
    kind: "activity",
    item,
    ...rest,
  };
}

/** Issue 7 was closed, or what `item` names. */
export function closedEvent(
  over: Partial<ClosedEvent> & { readonly by?: Actor | null } = {},
): ClosedEvent {
  const { by = alice, ...rest } = over;
  const item = { ...(rest.item ?? issueOf()), open: false };
  return {
    ...common(
      item.type === "issue" ? "issues" : "pull_request",
      "closed",
      `${item.type}:${item.id}:closed`,
      by,
    ),
    kind: "closed",
    ...rest,
    item,
  };
}

/**
 * A check run on the head of pull request 12 completed; it failed unless said otherwise. Another
 * event or time may be given.
 */
export function ciEvent(
  over: Partial<CiEvent["check"]> = {},
  told: Partial<Pick<CiEvent, "event" | "at">> = {},
): CiEvent {
  const check: CiEvent["check"] = {
    name: "test",
    headSha: "a".repeat(40),
    headBranch: "issue-7",
    phase: "completed",
    conclusion: "failure",
    url: null,
    pullRequests: [12],
    ...over,
  };
  const pullRequestHead =
    check.pullRequestHead === undefined && check.pullRequests.length > 0
      ? { pullRequestHead: check.headSha, pullRequestFork: false }
      : {};
  return {
    ...common<CiEvent["event"]>(
      "check_run",
      check.phase === "completed" ? "completed" : "created",
      `check-run:${check.name}:${check.headSha}:${check.conclusion}`,
      null,
    ),
    kind: "ci",
    check: { ...check, ...pullRequestHead },
    ...told,
  };
}

/** Somebody steered from the command line, at noon by this machine's clock. */
export function controlEvent(
  request: ControlRequest,
  over: Partial<Omit<ControlEvent, "request">> = {},
): ControlEvent {
  return {
    ...common("control", request.verb, `control:${request.verb}`, {
      login: "operator",
      id: null,
      bot: false,
    }),
    kind: "control",
    source: "cli",
    at: null,
    receivedAt: hostNoonMs,
    target: "host:octo/shop#7",
    request,
    ...over,
  };
}

function common<E extends string>(
  event: E,
  action: string,
  key: string,
  actor: Actor | null,
): {
  deliveryId: string;
  source: "webhook";
  event: E;
  action: string;
  repository: Repository;
  actor: Actor | null;
  at: string;
  key: string;
} {
  return {
    deliveryId: `delivery-${key.replaceAll(/[^A-Za-z0-9]/g, "-")}`,
    source: "webhook",
    event,
    action,
    repository,
    actor,
    at: hostNoon,
    key,
  };
}
