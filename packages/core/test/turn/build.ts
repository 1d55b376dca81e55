import type { Authority } from "../../src/control/authority-type.ts";
import { defaultConfig } from "../../src/config/defaults.ts";
import { settingsOf } from "../../src/config/derive-policy.ts";
import type { LaneFacts } from "../../src/turn/next.ts";
import type { DispatchSettings } from "../../src/config/turn-settings.ts";
import type { Attempt, AttemptKind, Turn, TurnInput } from "../../src/turn/turn.ts";
import type { Actor, CommentEvent, CiEvent, InboundEvent, Item } from "../../src/event/event.ts";
import { type RefText, toRefText } from "../../src/ref/ref.ts";

/** 2026-01-01. */
export const now = 1_767_225_600_000;
export const settings: DispatchSettings = settingsOf(defaultConfig);

export function ref(text: string): RefText {
  const made = toRefText(text);
  if (made === null) throw new Error(`no ref: ${text}`);
  return made;
}

export const lane: RefText = ref("host:acme/widgets#7");
export const alice: Actor = { login: "alice", id: "1", bot: false };
export const mallory: Actor = { login: "mallory", id: "666", bot: false };

export const item: Item = {
  type: "issue",
  number: 7,
  id: "70",
  title: "Broken widget",
  body: "It squeaks.",
  url: "https://code.example/acme/widgets/issues/7",
  open: true,
  labels: ["loop: auto-execute"],
  author: alice,
  updatedAt: null,
  branches: null,
  merged: false,
  editors: [],
};

const common = {
  deliveryId: "d-1",
  source: "webhook",
  action: "created",
  repository: {
    host: null,
    owner: "acme",
    name: "widgets",
    id: null,
    defaultBranch: "main",
    cloneUrl: null,
  },
  actor: alice,
  at: "2026-01-01T00:00:00Z",
  key: "k",
} as const;

export function comment(body: string, over: Partial<CommentEvent> = {}): CommentEvent {
  return {
    ...common,
    kind: "comment",
    event: "issue_comment",
    item,
    surface: "conversation",
    change: "created",
    comment: {
      id: "1",
      body,
      author: over.actor === undefined ? alice : over.actor,
      url: null,
      createdAt: null,
      reviewState: null,
      path: null,
      line: null,
    },
    ...over,
  };
}

export function ci(over: Partial<CiEvent["check"]> = {}): CiEvent {
  return {
    ...common,
    kind: "ci",
    event: "check_run",
    action: "completed",
    actor: null,
    check: {
      name: "build",
      headSha: "a".repeat(40),
      headBranch: "issue-7",
      phase: "completed",
      conclusion: "failure",
      url: null,
      pullRequests: [],
      ...over,
    },
  };
}

export function activity(action: string, over: Partial<Item> = {}): InboundEvent {
  return { ...common, kind: "activity", event: "issues", action, item: { ...item, ...over } };
}

export function said(text: string): InboundEvent {
  return {
    ...common,
    kind: "control",
    event: "control",
    source: "cli",
    action: "say",
    target: lane,
    request: { verb: "say", text },
  };
}

export function input(
  event: InboundEvent,
  over: Partial<TurnInput> & { readonly authority?: Authority } = {},
): TurnInput {
  return {
    seq: 1,
    deliveryId: event.deliveryId,
    event,
    authority: event.kind === "ci" ? "none" : "authorized",
    receivedAt: now - 60_000,
    steered: null,
    ...over,
  };
}

export function attempt(kind: AttemptKind = "first", over: Partial<Attempt> = {}): Attempt {
  return {
    receipt: "11111111-1111-4111-8111-111111111111",
    kind,
    harnessSessionId: "22222222-2222-4222-8222-222222222222",
    startedAt: now - 1000,
    child: null,
    ...over,
  };
}

export function turn(over: Partial<Turn> = {}): Turn {
  return {
    id: 1,
    lane,
    workItem: lane,
    mode: "resume",
    state: "ready",
    inputs: [input(comment("hello"))],
    attempt: null,
    attempts: 0,
    notBefore: 0,
    next: "first",
    note: null,
    createdAt: now - 60_000,
    ...over,
  };
}

/** The input of a start, as it stands on a lane. */
export function starting(event: InboundEvent): TurnInput {
  return input(event, { steered: event.deliveryId });
}

/** A turn whose attempt is under way. */
export function injecting(kind: AttemptKind = "first", attempts = 1): Turn {
  return turn({ state: "injecting", attempt: attempt(kind), attempts });
}

export function facts(over: Partial<LaneFacts> = {}): LaneFacts {
  return { harness: "A", sessionBegun: true, hold: null, closing: false, evidence: null, ...over };
}
