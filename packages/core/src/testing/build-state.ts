import { defaultWords } from "../control/reason-sentences.ts";
import type { Policy } from "../config/policy.ts";
import type { State } from "../decide/state.ts";
import type { Target } from "../linking/target.ts";
import type { Authors } from "../turn/authored-text.ts";
import { hostEventNames } from "../event/host-events.ts";
import { emptyRecord } from "../work-item/empty-record.ts";
import {
  type ControlRecord,
  type ControlStatus,
  emptyItemState,
  type Hold,
  idleControl,
  type ItemState,
  type LaneState,
  type PullRequestLink,
  type Session,
  type WorkItem,
} from "../work-item/records.ts";
import { formatRef, type Ref } from "../ref/ref.ts";
import { hostNoon, hostNoonMs } from "./build-event.ts";

/** Issue 7 and pull request 12 of the builders. */
export const issueRef: Ref = { host: null, owner: "octo", repo: "shop", number: 7 };
export const pullRef: Ref = { host: null, owner: "octo", repo: "shop", number: 12 };

/** The default configuration with `alice` authorized. */
export function policyOf(over: Partial<Policy> = {}): Policy {
  return {
    enabled: true,
    events: new Set(hostEventNames),
    repositories: new Set(),
    ...defaultWords,
    harnessBLabel: "loop: harness-b",
    defaultHarness: "A",
    spawnOnUnmatched: "labeled",
    requireStartCommand: true,
    authorizedUsers: new Set(["alice"]),
    instance: { name: "default", scope: "open", workItems: new Set() },
    ciWakeOn: "changes",
    ownActivity: "ignore",
    trustForkBranches: false,
    defaultHost: "github.com",
    ...over,
  };
}

/**
 * A state in which the event belongs to issue 7, about which nothing is known. Ten seconds passed
 * since the event.
 */
export function stateOf(over: Partial<State> = {}): State {
  return {
    target: targetOf(),
    item: emptyItemState,
    own: "no",
    pinnedActorId: null,
    seenAs: null,
    ownedBy: null,
    now: hostNoonMs + 10_000,
    ...over,
  };
}

/** By what authors are judged: `alice` may steer, `carol` may speak, and nothing is pinned. */
export function authorsOf(over: Partial<Authors> = {}): Authors {
  return {
    authorizedUsers: new Set(["alice"]),
    collaborators: [{ login: "carol", id: null, grantedBy: "alice", at: 0 }],
    pins: new Map(),
    ...over,
  };
}

export function targetOf(over: Partial<Target> = {}): Target {
  return { workItem: issueRef, endpoint: issueRef, provenance: "itself", ...over };
}

/** Issue 7 as it stands after people asked for something; armed and open unless said otherwise. */
export function itemOf(
  status: ControlStatus,
  over: Partial<Omit<ItemState, "workItem">> & {
    readonly workItem?: Partial<WorkItem>;
    readonly control?: Partial<ControlRecord>;
  } = {},
): ItemState {
  const { workItem, control, ...rest } = over;
  const record: WorkItem = {
    ...emptyRecord(formatRef(issueRef)),
    hostId: "10007",
    repositoryId: "500",
    url: "https://github.com/octo/shop/issues/7",
    cloneUrl: "https://github.com/octo/shop.git",
    defaultBranch: "main",
    title: "Cart forgets its items",
    armed: true,
    labels: ["loop: auto-execute"],
    open: status !== "closed",
    hostUpdatedAt: hostNoon,
    ...workItem,
    control:
      status === "idle"
        ? idleControl
        : {
            ...idleControl,
            status,
            instance: "default",
            requestedBy: "alice",
            source: "comment",
            deliveryId: "earlier",
            at: hostNoonMs - 60_000,
            before: status === "paused" ? "started" : null,
            ...control,
          },
  };
  return {
    ...emptyItemState,
    lanes:
      status === "idle"
        ? []
        : [
            laneOf(
              issueRef,
              status === "paused"
                ? { reason: "paused", until: null, detail: "paused by alice" }
                : null,
            ),
          ],
    ...rest,
    workItem: record,
  };
}

export function sessionOf(over: Partial<Session> = {}): Session {
  return {
    endpoint: formatRef(issueRef),
    workItem: formatRef(issueRef),
    harness: "A",
    harnessSessionId: "5e551011-0000-4000-8000-000000000001",
    status: "active",
    runner: "headless",
    workdir: "/checkouts/issue-7",
    begun: true,
    createdAt: hostNoonMs - 50_000,
    ...over,
  };
}

export function laneOf(endpoint: Ref, hold: Hold | null = null): LaneState {
  return { endpoint: formatRef(endpoint), hold };
}

export function linkOf(over: Partial<PullRequestLink> = {}): PullRequestLink {
  return {
    pullRequest: formatRef(pullRef),
    headSha: "a".repeat(40),
    headBranch: "issue-7",
    open: true,
    at: hostNoonMs - 40_000,
    ...over,
  };
}
