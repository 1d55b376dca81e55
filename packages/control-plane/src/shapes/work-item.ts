import type {
  Collaborator,
  ControlRecord,
  GraphWaits,
  ItemState,
  LaneState,
  PullRequestLink,
  RefText,
  Session,
  WorkItem,
} from "@loopwork/core/ports";
import { z } from "zod";
import { instant, writtenByAnyone } from "./words.ts";

/** A work item in a list. */
export type WorkItemRow = Pick<WorkItem, "ref" | "type" | "title" | "url" | "open" | "armed"> & {
  readonly status: ControlRecord["status"];
  /** Open sessions. */
  readonly sessions: number;
  readonly held: readonly HeldLane[];
  /** Node of its process graph that the work is at; null where it goes through none. */
  readonly node: string | null;
  /** When somebody asked for something last. */
  readonly at: number | null;
};

/** Where a work item is in its process graph, and whom it waits for there. */
export type GraphView = {
  readonly name: string;
  readonly node: string;
  readonly waits: GraphWaits | null;
};

/** A lane that waits; `until` is null where somebody has to act. */
export type HeldLane = {
  readonly lane: RefText;
  readonly reason: string;
  readonly until: number | null;
  readonly detail: string;
};

/** A work item with everything on record but its turns. */
export type WorkItemView = Pick<
  WorkItem,
  "ref" | "type" | "title" | "url" | "open" | "armed" | "closeDeferred" | "spend"
> & {
  readonly control: Pick<
    ControlRecord,
    "status" | "instance" | "requestedBy" | "source" | "deliveryId" | "at"
  >;
  readonly sessions: readonly SessionView[];
  readonly pullRequests: readonly Pick<
    PullRequestLink,
    "pullRequest" | "headSha" | "open" | "at"
  >[];
  readonly collaborators: readonly Pick<Collaborator, "login" | "grantedBy" | "at">[];
  readonly held: readonly HeldLane[];
  readonly graph: GraphView | null;
};

export type SessionView = Pick<
  Session,
  | "endpoint"
  | "workItem"
  | "harness"
  | "harnessSessionId"
  | "status"
  | "runner"
  | "workdir"
  | "createdAt"
> & {
  /** What its agent asked and nobody has answered. */
  readonly asked: { readonly text: string; readonly at: number } | null;
};

export const refText: z.ZodType<RefText> = z
  .custom<RefText>((value) => typeof value === "string")
  .meta({ type: "string" });
const held: z.ZodType<HeldLane> = z.object({
  lane: refText,
  reason: z.string(),
  until: instant.nullable(),
  detail: writtenByAnyone,
});
const status: z.ZodType<ControlRecord["status"]> = z.enum([
  "idle",
  "started",
  "paused",
  "stopped",
  "closed",
]);

const common = {
  ref: refText,
  type: z.enum(["issue", "pull-request"]),
  title: writtenByAnyone,
  url: z.string().nullable(),
  open: z.boolean(),
  armed: z.boolean(),
};

export const workItemRow: z.ZodType<WorkItemRow> = z.object({
  ...common,
  status,
  sessions: z.number().int(),
  held: z.array(held).readonly(),
  node: z.string().nullable(),
  at: instant.nullable(),
});

const waits: z.ZodType<GraphWaits> = z.object({
  for: z.enum(["approval", "unfinished"]),
  node: z.string(),
  detail: writtenByAnyone,
  since: instant,
});
const graph: z.ZodType<GraphView> = z.object({
  name: z.string(),
  node: z.string(),
  waits: waits.nullable(),
});

export const sessionView: z.ZodType<SessionView> = z.object({
  endpoint: refText,
  workItem: refText,
  harness: z.enum(["A", "B"]),
  harnessSessionId: z.string(),
  status: z.enum(["active", "closing", "closed", "lost"]),
  runner: z.enum(["headless", "tmux"]),
  workdir: z.string().nullable(),
  createdAt: instant,
  asked: z.object({ text: z.string(), at: instant }).nullable(),
});

export const workItemView: z.ZodType<WorkItemView> = z.object({
  ...common,
  closeDeferred: z.boolean(),
  spend: z.object({ turns: z.number(), usd: z.number(), minutes: z.number() }),
  control: z.object({
    status,
    instance: z.string().nullable(),
    requestedBy: z.string().nullable(),
    source: z.enum(["comment", "activity", "cli", "api"]).nullable(),
    deliveryId: z.string().nullable(),
    at: instant.nullable(),
  }),
  sessions: z.array(sessionView).readonly(),
  pullRequests: z
    .array(
      z.object({
        pullRequest: refText,
        headSha: z.string().nullable(),
        open: z.boolean(),
        at: instant,
      }),
    )
    .readonly(),
  collaborators: z
    .array(z.object({ login: z.string(), grantedBy: z.string(), at: instant }))
    .readonly(),
  held: z.array(held).readonly(),
  graph: graph.nullable().meta({
    description: "where the work is in its process graph; null where it goes through none",
  }),
});

/** Null for an item of which nothing is on record. */
export function rowOf(item: ItemState): WorkItemRow | null {
  const { workItem } = item;
  if (workItem === null) return null;
  const { ref, type, title, url, open, armed, control } = workItem;
  return {
    ref,
    type,
    title,
    url,
    open,
    armed,
    status: control.status,
    sessions: item.sessions.filter((session) => session.status !== "closed").length,
    held: heldOf(item.lanes),
    node: workItem.graph?.node ?? null,
    at: control.at,
  };
}

export function viewOf(item: ItemState): WorkItemView | null {
  const { workItem } = item;
  return workItem === null
    ? null
    : {
        ...workItem,
        sessions: item.sessions.map(sessionViewOf),
        pullRequests: item.pullRequests,
        collaborators: item.collaborators.map(({ calledNow, ...each }) => ({
          ...each,
          login: calledNow ?? each.login,
        })),
        held: heldOf(item.lanes),
        graph: graphOf(workItem),
      };
}

function graphOf({ graph: record }: WorkItem): GraphView | null {
  return record === undefined
    ? null
    : { name: record.graph, node: record.node, waits: record.waits ?? null };
}

export function sessionViewOf(session: Session): SessionView {
  return { ...session, asked: session.asked ?? null };
}

function heldOf(lanes: readonly LaneState[]): readonly HeldLane[] {
  return lanes.flatMap(({ endpoint, hold }) =>
    hold === null
      ? []
      : [{ lane: endpoint, reason: hold.reason, until: hold.until, detail: hold.detail }],
  );
}
