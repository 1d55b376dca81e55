import type { EventLine } from "../event-log/event-line.ts";
import type { Effect } from "../decide/effect.ts";
import { withLane } from "../decide/fold-lanes.ts";
import type { Policy } from "../config/policy.ts";
import type { AgentAtWork } from "../decide/state.ts";
import type { Target } from "../linking/target.ts";
import { isRunning } from "../decide/lifecycle-facts.ts";
import { turnFor } from "../decide/deliver-input.ts";
import type { InboundEvent } from "../event/event.ts";
import type { Decided } from "../decide/decision-row.ts";
import type { ItemState } from "../work-item/records.ts";
import { formatRef, type Ref, sameRef } from "../ref/ref.ts";
import { isAsking } from "./may-end-turn.ts";
import { gateReply, lacksAt } from "./gate-announcement.ts";
import { hear, type Heard } from "./hear.ts";
import { nodeOf } from "./model.ts";
import {
  answerSubjectOf,
  type ConfiguredGraph,
  deriveProgress,
  type NodeProgress,
  type ObservedWork,
  type GraphProgress,
  progressAt,
} from "./progress.ts";
import { pullRequestsOf } from "./pull-requests.ts";
import {
  type Announcement,
  emptyGraphRecord,
  type GraphRecord,
  type GraphWaits,
  type GraphSignal,
  withSignal,
} from "../work-item/graph-record.ts";
import { refuseRequest } from "./refuse.ts";

/**
 * What the shell read for an event that may move the work. `seen` is null while there is no
 * checkout to look at.
 */
export type GraphFacts = {
  readonly graph: ConfiguredGraph;
  readonly seen: Omit<ObservedWork, "pullRequests"> | null;
  /**
   * Commits of the checkout that were pushed nowhere, newest first; absent or null where nobody
   * could tell.
   */
  readonly unpushed?: readonly string[] | null;
  readonly agentAtWork: AgentAtWork | null | undefined;
};

type Understood = {
  readonly event: InboundEvent;
  readonly target: Target;
  readonly now: number;
  readonly after: ItemState & { readonly workItem: NonNullable<ItemState["workItem"]> };
  readonly workItem: Ref;
};

/**
 * Moves the work through its graph once an event was decided. The decision stays what it is; to it
 * are added:
 *
 *     the first turn, or one that was told something   → the node is remembered that the session is asked to do
 *     an authorized user's answer at an open gate      → a signal, which holds for what stands there now; or the thread is told
 *                                                        why it is not taken (hear.ts)
 *     an operator's `complete` or `skip`               → a signal, or the request is refused
 *     work that stands further than what was asked     → one node on, never more, and a turn with its task
 *     work that stands before it                       → back to where it stands
 *     a gate that is open now                          → the thread is told how to answer, once for each state of the work
 *
 * Where the work stands is derived from `seen` and the signals; the remembered node is only what is
 * compared with it.
 */
export function carryGraph(decided: Decided, facts: GraphFacts, policy: Policy): Decided {
  const understood = concerns(decided);
  if (understood === null) return decided;
  const { event, target, after, now } = understood;
  const before = recordOf(after.workItem.graph, facts.graph);
  const observed: ObservedWork | null =
    facts.seen === null ? null : { ...facts.seen, pullRequests: pullRequestsOf(after) };
  const found = observed === null ? null : deriveProgress(facts.graph, observed, before.signals);
  const heard = hear(
    { event, target, now, decision: decided.decision },
    { record: before, progress: found, observed, after },
    facts,
    policy,
  );
  const told = heard.kind === "signal" ? withSignal(before, heard.signal) : before;
  const progress = observed === null ? null : deriveProgress(facts.graph, observed, told.signals);
  const node = progress === null ? before.node : nextNode(told.node, progress);
  const moved = movedTo(node, told, progress);
  const open =
    progress === null || observed === null
      ? null
      : openGate(moved, progress, observed, facts.graph, now);
  const isNew = open !== null && open !== before.announced;
  const changed =
    after.workItem.graph === undefined ||
    after.workItem.graph.node !== node ||
    after.workItem.graph.graph !== moved.graph;
  const effects = [
    ...(changed ? [phaseLabel(understood.workItem, node, facts.graph)] : []),
    ...turnOf(
      understood,
      decided,
      changed,
      progress === null ? null : progressAt(progress, node),
      policy,
    ),
    ...gateReply(
      understood.workItem,
      node,
      { heard, open, isNew, loose: observed?.uncommitted != null, unpushed: facts.unpushed ?? [] },
      progress,
      facts.graph,
    ),
  ];
  const all = [...decided.decision.effects, ...effects];
  const waits = waitsOf({
    before,
    open,
    progress,
    node,
    goesOn: changed || all.some(({ kind }) => kind === "turn"),
  });
  const item: ItemState = {
    ...after,
    workItem: {
      ...after.workItem,
      graph: { ...moved, announced: open ?? moved.announced ?? null, waits },
    },
  };
  const carried: Decided = {
    ...decided,
    decision: { ...decided.decision, effects: all },
    after: effects.some(({ kind }) => kind === "turn")
      ? withLane(item, formatRef(understood.workItem))
      : item,
    lines: [
      ...decided.lines,
      ...linesOf(understood, decided, policy, {
        before,
        heard,
        node,
        changed,
        effects,
        opened: isNew ? waits : null,
      }),
    ],
  };
  return heard.kind === "not-taken"
    ? refuseRequest(carried, heard.why === "not-optional" ? "node-not-optional" : "no-such-node")
    : carried;
}

/**
 * Only what reaches a session, and an operator's request about the graph, on an item that is at
 * work.
 */
function concerns({ event, state, decision, after }: Decided): Understood | null {
  if (event === null || state?.target == null || after === null || after.workItem === null)
    return null;
  const { kind } = decision.verdict;
  const asksGraph = kind === "noted" && event.kind === "control" && event.request.verb === "graph";
  if (kind !== "started" && kind !== "delivered" && !asksGraph) return null;
  if (!asksGraph && !decision.effects.some((effect) => effect.kind === "turn")) return null;
  if (asksGraph && !isRunning(state)) return null;
  return {
    event,
    target: state.target,
    now: state.now,
    after: { ...after, workItem: after.workItem },
    workItem: state.target.workItem,
  };
}

/** The record, with a node that this graph has; at the entry where nothing was asked yet. */
function recordOf(known: GraphRecord | undefined, { definition }: ConfiguredGraph): GraphRecord {
  const entry = definition.nodes[0]?.id ?? "";
  if (known === undefined) return emptyGraphRecord(definition.name, entry);
  return {
    ...known,
    graph: definition.name,
    node: nodeOf(definition, known.node) === null ? entry : known.node,
  };
}

/** One node on at most, over those that were skipped; back at once. */
function nextNode(asked: string, { nodes, position }: GraphProgress): string {
  const at = nodes.findIndex(({ node }) => node.id === asked);
  const open = nodes.findIndex(({ node }) => node.id === position.id);
  if (open <= at) return position.id;
  return nodes.slice(at + 1).find(({ state }) => state !== "skipped")?.node.id ?? position.id;
}

/**
 * The record at the node. What an operator left out after it is left out no more where the work
 * goes back: it is entered again.
 */
function movedTo(
  node: string,
  { node: from, ...record }: GraphRecord,
  progress: GraphProgress | null,
): GraphRecord {
  const at = (id: string): number => progress?.nodes.findIndex((each) => each.node.id === id) ?? -1;
  const isOver = (signal: GraphSignal): boolean =>
    signal.kind === "waived" &&
    signal.how === "skipped" &&
    at(node) < at(from) &&
    at(signal.node) > at(node);
  return { ...record, node, signals: record.signals.filter((signal) => !isOver(signal)) };
}

/** The gate that waits for a person now, as it was announced or is to be; null where none does. */
function openGate(
  { node, announced }: GraphRecord,
  progress: GraphProgress,
  observed: ObservedWork,
  { definition }: ConfiguredGraph,
  now: number,
): Announcement | null {
  const at = progressAt(progress, node);
  if (at?.state !== "waiting") return null;
  const subject = answerSubjectOf(at.node, definition, observed);
  return announced?.node === node && announced.subject === subject
    ? announced
    : { node, subject, at: now };
}

type Opened = {
  readonly before: GraphRecord;
  readonly open: Announcement | null;
  readonly progress: GraphProgress | null;
  readonly node: string;
  readonly goesOn: boolean;
};

/**
 * Whom the work waits for from here on. A gate that nobody could look at stays as it was; work that
 * was left undone waits until somebody is told something.
 */
function waitsOf({ before, open, progress, node, goesOn }: Opened): GraphWaits | null {
  const known = before.waits ?? null;
  if (open !== null)
    return { for: "approval", node, detail: lacksAt(progress, node).join("; "), since: open.at };
  if (known?.for === "approval") return progress === null && !goesOn ? known : null;
  return goesOn ? null : known;
}

/**
 * The session is asked where it is not told anything anyway: a new node that has something for it
 * to do, or a node at which hooks or critics have found something since. One that waits for an
 * answer is asked nothing: the answer brings the task.
 */
function turnOf(
  { event, after, workItem }: Understood,
  { decision }: Decided,
  changed: boolean,
  at: NodeProgress | null,
  policy: Policy,
): readonly Effect[] {
  const told = decision.effects.some(
    (effect) => effect.kind === "turn" && sameRef(effect.endpoint, workItem),
  );
  const found = at?.lacks.some(({ kind }) => kind === "hook" || kind === "finding") === true;
  if (
    told ||
    isAsking(formatRef(workItem), after) ||
    at === null ||
    at.node.terminal ||
    at.state === "waiting" ||
    !(changed || found)
  )
    return [];
  return [{ ...turnFor(event, workItem, after, "authorized", policy), node: at.node.id }];
}

function phaseLabel(workItem: Ref, node: string, { definition }: ConfiguredGraph): Effect {
  return {
    kind: "phase-label",
    workItem,
    phase: node,
    phases: definition.nodes.map(({ id }) => id),
  };
}

type Moved = {
  readonly before: GraphRecord;
  readonly heard: Heard;
  readonly node: string;
  readonly changed: boolean;
  readonly effects: readonly Effect[];
  /** The gate that was opened just now. */ readonly opened: GraphWaits | null;
};

function linesOf(
  { event, now, workItem }: Understood,
  { decision }: Decided,
  policy: Policy,
  { before, heard, node, changed, effects, opened }: Moved,
): readonly EventLine[] {
  const common = {
    time: now,
    level: "info",
    instance: policy.instance.name,
    workItem: formatRef(workItem),
    delivery: event.deliveryId,
    reason: decision.reason,
  } as const;
  const said = heard.kind === "signal" ? heard.signal : null;
  const refused =
    heard.kind === "not-taken"
      ? [
          {
            ...common,
            kind: "graph.not-taken" as const,
            reason: heard.why,
            fields: { node: before.node, by: heard.by, detail: heard.words },
          },
        ]
      : [];
  const answered =
    said?.kind === "answer"
      ? [
          {
            ...common,
            kind: "graph.answered" as const,
            fields: { node: said.node, approved: said.approved, by: said.by },
          },
        ]
      : [];
  const moved = changed
    ? [
        {
          ...common,
          kind: "graph.moved" as const,
          fields: { node, from: before.node === node ? null : before.node },
        },
      ]
    : [];
  const queued = effects.flatMap((effect) =>
    effect.kind === "turn"
      ? [
          {
            ...common,
            kind: "turn.queued" as const,
            fields: {
              endpoint: formatRef(effect.endpoint),
              mode: effect.mode,
              authority: effect.authority,
            },
          },
        ]
      : [],
  );
  const waits =
    opened === null
      ? []
      : [
          {
            ...common,
            kind: "graph.waits" as const,
            reason: opened.for,
            fields: { node, detail: opened.detail },
          },
        ];
  const waived =
    said?.kind === "waived"
      ? [
          {
            ...common,
            kind: "graph.waived" as const,
            reason: said.how,
            fields: { node: said.node, by: said.by },
          },
        ]
      : [];
  return [...answered, ...waived, ...refused, ...moved, ...waits, ...queued];
}
