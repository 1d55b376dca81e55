import type { Waiting } from "@loopwork/core";
import type { ActivityStep, RefText, TranscriptEntry } from "@loopwork/core/ports";
import type { Activity } from "../../operations/show-activity.ts";
import type { UnownedStartView } from "../../operations/list-unowned-starts.ts";
import type { Sent, Why } from "../../ports.ts";
import type { DeliveryView } from "../../shapes/delivery.ts";
import type { EventView } from "../../shapes/event.ts";
import type { Page } from "../../shapes/page.ts";
import type { TurnView } from "../../shapes/turn.ts";
import type { HeldLane, SessionView, WorkItemRow, WorkItemView } from "../../shapes/work-item.ts";
import {
  type Decoder,
  fieldsOfAnyName,
  flag,
  list,
  nullable,
  number,
  object,
  oneOf,
  text,
} from "./decode.ts";

/**
 * What the operations answer, as far as this page shows it. The types are the service's own, so
 * that a field which changes there does not compile here. JSON knows no brands: a ref is a text
 * that this page only carries.
 */
type Plain<T> = T extends RefText
  ? string
  : T extends readonly (infer Each)[]
    ? readonly Plain<Each>[]
    : T extends object
      ? { readonly [Name in keyof T]: Plain<T[Name]> }
      : T;

export function pageOf<T>(item: Decoder<T>): Decoder<Page<T>> {
  return object<Page<T>>({ items: list(item), next: nullable(text) });
}

const status = oneOf("idle", "started", "paused", "stopped", "closed");
const held: Decoder<Plain<HeldLane>> = object<Plain<HeldLane>>({
  lane: text,
  reason: text,
  until: nullable(number),
  detail: text,
});
const common = {
  ref: text,
  title: text,
  url: nullable(text),
  open: flag,
  armed: flag,
  type: oneOf("issue", "pull-request"),
};

export type Row = Plain<WorkItemRow>;
export const row: Decoder<Row> = object<Row>({
  ...common,
  status,
  sessions: number,
  held: list(held),
  node: nullable(text),
  at: nullable(number),
});

export type Session = Plain<SessionView>;
const session: Decoder<Session> = object<Session>({
  endpoint: text,
  workItem: text,
  harness: oneOf("A", "B"),
  harnessSessionId: text,
  status: oneOf("active", "closing", "closed", "lost"),
  runner: oneOf("headless", "tmux"),
  workdir: nullable(text),
  createdAt: number,
  asked: nullable(object({ text, at: number })),
});

export type Item = Plain<WorkItemView>;
const item: Decoder<Item> = object<Item>({
  ...common,
  closeDeferred: flag,
  spend: object({ turns: number, usd: number, minutes: number }),
  control: object<Item["control"]>({
    status,
    instance: nullable(text),
    requestedBy: nullable(text),
    source: nullable(oneOf("comment", "activity", "cli", "api")),
    deliveryId: nullable(text),
    at: nullable(number),
  }),
  sessions: list(session),
  pullRequests: list(
    object<Item["pullRequests"][number]>({
      pullRequest: text,
      headSha: nullable(text),
      open: flag,
      at: number,
    }),
  ),
  collaborators: list(object({ login: text, grantedBy: text, at: number })),
  held: list(held),
  graph: nullable(
    object<NonNullable<Item["graph"]>>({
      name: text,
      node: text,
      waits: nullable(
        object({ for: oneOf("approval", "unfinished"), node: text, detail: text, since: number }),
      ),
    }),
  ),
});

export type Turn = Plain<TurnView>;
export const turn: Decoder<Turn> = object<Turn>({
  id: number,
  lane: text,
  workItem: text,
  mode: oneOf("spawn", "resume"),
  state: oneOf("ready", "injecting", "done", "failed", "uncertain", "dropped"),
  attempts: number,
  notBefore: number,
  note: nullable(text),
  createdAt: number,
  deliveries: list(
    object<Turn["deliveries"][number]>({
      delivery: text,
      event: text,
      action: text,
      actor: nullable(text),
      authority: text,
    }),
  ),
  attempt: nullable(object({ receipt: text, startedAt: number })),
});

export const itemAndTurns: Decoder<{
  readonly workItem: Item;
  readonly standing: readonly string[];
  readonly turns: readonly Turn[];
}> = object({ workItem: item, standing: list(text), turns: list(turn) });

/** A reason is only shown where words are missing, so a new one is no misfit. */
export type Wait = Omit<Plain<Waiting>, "reason"> & { readonly reason: string };
export const wait: Decoder<Wait> = object<Wait>({
  workItem: text,
  lane: text,
  reason: text,
  words: text,
  until: nullable(number),
  detail: text,
  turn: nullable(number),
  type: nullable(text),
});

export type UnownedStart = Plain<UnownedStartView>;
export const unownedStart: Decoder<UnownedStart> = object<UnownedStart>({
  workItem: text,
  address: nullable(text),
  addressee: nullable(oneOf("running", "away", "stopped", "unknown")),
  by: text,
  at: number,
  delivery: text,
  reason: text,
  words: text,
  type: text,
});

export type Delivery = Pick<
  Plain<DeliveryView>,
  | "id"
  | "event"
  | "verified"
  | "receivedAt"
  | "ignored"
  | "workItem"
  | "verdict"
  | "reason"
  | "sentence"
> & { readonly source: string };
export const delivery: Decoder<Delivery> = object<Delivery>({
  id: text,
  source: text,
  event: text,
  verified: flag,
  receivedAt: number,
  ignored: nullable(text),
  workItem: nullable(text),
  verdict: nullable(text),
  reason: nullable(text),
  sentence: nullable(text),
});

export type Reasoning = Plain<Why>;
export const why: Decoder<Reasoning> = object<Reasoning>({
  delivery: text,
  event: text,
  receivedAt: number,
  state: oneOf("decided", "ignored", "waiting"),
  workItem: nullable(text),
  verdict: nullable(text),
  reason: nullable(text),
  decidedAt: nullable(number),
  check: nullable(text),
  sentences: list(text),
});

export type Line = Omit<EventView, "kind"> & { readonly kind: string };
export const line: Decoder<Line> = object<Line>({
  summary: text,
  id: number,
  time: number,
  kind: text,
  level: oneOf("debug", "info", "warn", "error"),
  instance: text,
  workItem: nullable(text),
  delivery: nullable(text),
  reason: nullable(text),
  sentence: text,
  fields: fieldsOfAnyName,
});

export const sent: Decoder<Plain<Sent>> = object<Plain<Sent>>({
  workItem: text,
  delivery: text,
  state: oneOf("done", "refused", "stored"),
  reason: nullable(text),
  sentence: nullable(text),
  remedy: nullable(text),
  dispatching: flag,
});
export const linked: Decoder<{ readonly pullRequest: string; readonly recorded: boolean }> = object(
  { pullRequest: text, recorded: flag },
);
export const closed: Decoder<{ readonly closed: boolean }> = object({ closed: flag });
export const resolved: Decoder<{ readonly turn: number; readonly resolved: boolean }> = object({
  turn: number,
  resolved: flag,
});

export type Said = TranscriptEntry;
export const transcript: Decoder<{ readonly entries: Page<Said> }> = object({
  entries: pageOf(
    object<Said>({ at: nullable(number), who: oneOf("prompt", "agent", "tool"), text }),
  ),
});

export type Step = ActivityStep;
export type Counts = Activity;
export const counts: Decoder<Counts> = object<Counts>({
  stepMs: number,
  until: number,
  steps: list(object<Step>({ at: number, accepted: number, decided: number, failed: number })),
});

export const instance: Decoder<{ readonly name: string }> = object({ name: text });
