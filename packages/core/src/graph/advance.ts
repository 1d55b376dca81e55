import type { EventLine } from "../audit/event-kinds.ts";
import type { Effect } from "../decide/effect.ts";
import { withLane } from "../decide/fold-lanes.ts";
import type { Policy } from "../decide/policy.ts";
import type { AgentAtWork } from "../decide/state.ts";
import { isRunning, turnFor } from "../decide/tell.ts";
import type { InboundEvent } from "../normalise/event.ts";
import type { Decided } from "../ports/store.ts";
import type { ItemState } from "../work-item/records.ts";
import { formatRef, parseRef, type Ref, sameRef } from "../work-item/ref.ts";
import { readAnswer } from "./gate.ts";
import { nodeOf } from "./model.ts";
import { type ConfiguredGraph, deriveProgress, type NodeProgress, type Observed, type Progress, progressAt, subjectOf } from "./progress.ts";
import { type GraphRecord, type Signal, withSignal } from "./record.ts";

/** What the shell read for an event that may move the work. `seen` is null while there is no checkout to look at. */
export type GraphFacts = { readonly graph: ConfiguredGraph; readonly seen: Omit<Observed, "pullRequests"> | null; readonly agentAtWork: AgentAtWork | null | undefined };

type Understood = { readonly event: InboundEvent; readonly after: ItemState & { readonly workItem: NonNullable<ItemState["workItem"]> }; readonly workItem: Ref };

/**
 * Moves the work through its graph once an event was decided (decisions.md 10). The decision stays what it is; to it are added:
 *
 *     the first turn, or one that was told something   → the node is remembered that the session is asked to do
 *     an authorized user's answer at an open gate      → a signal, which holds for what stands there now
 *     an operator's `complete` or `skip`               → a signal
 *     work that stands further than what was asked     → one node on, never more, and a turn with its task
 *     work that stands before it                       → back to where it stands
 *     a gate that is open now                          → the thread is told once how to answer
 *
 * Where the work stands is derived from `seen` and the signals; the remembered node is only what is compared with it.
 */
export function carryGraph(decided: Decided, facts: GraphFacts, policy: Policy): Decided {
  const understood = concerns(decided);
  if (understood === null) return decided;
  const { after } = understood;
  const before = recordOf(after.workItem.graph, facts.graph);
  const observed: Observed | null = facts.seen === null ? null : { ...facts.seen, pullRequests: pullRequestsOf(after) };
  const said = observed === null ? null : saidBy(decided, before, deriveProgress(facts.graph, observed, before.signals), observed, facts, policy);
  const heard = said === null ? before : withSignal(before, said);
  const progress = observed === null ? null : deriveProgress(facts.graph, observed, heard.signals);
  const node = progress === null ? before.node : nextNode(heard.node, progress);
  const moved: GraphRecord = { ...heard, node };
  const asked = progress === null || observed === null ? null : openGate(moved, progress, observed, facts.graph);
  const record: GraphRecord = asked === null ? moved : { ...moved, told: asked };
  const changed = after.workItem.graph === undefined || after.workItem.graph.node !== node || after.workItem.graph.graph !== record.graph;
  const effects = [
    ...(changed ? [phaseLabel(understood.workItem, node, facts.graph)] : []),
    ...turnOf(understood, decided, changed, progress === null ? null : progressAt(progress, node)),
    ...(asked === null || asked === before.told ? [] : [gateReply(understood.workItem, node, progress, facts.graph)]),
  ];
  const item: ItemState = { ...after, workItem: { ...after.workItem, graph: record } };
  return {
    ...decided,
    decision: { ...decided.decision, effects: [...decided.decision.effects, ...effects] },
    after: effects.some(({ kind }) => kind === "turn") ? withLane(item, formatRef(understood.workItem)) : item,
    lines: [...decided.lines, ...linesOf(understood, decided, policy, { before, said, node, changed, effects })],
  };
}

/** Only what reaches a session, and an operator's request about the graph, on an item that is at work. */
function concerns({ event, state, decision, after }: Decided): Understood | null {
  if (event === null || state?.target == null || after === null || after.workItem === null) return null;
  const { kind } = decision.verdict;
  const asksGraph = kind === "noted" && event.kind === "control" && event.request.verb === "graph";
  if (kind !== "started" && kind !== "delivered" && !asksGraph) return null;
  if (!asksGraph && !decision.effects.some((effect) => effect.kind === "turn")) return null;
  if (asksGraph && !isRunning(state)) return null;
  return { event, after: { ...after, workItem: after.workItem }, workItem: state.target.workItem };
}

/** The record, with a node that this graph has; at the entry where nothing was asked yet. */
function recordOf(known: GraphRecord | undefined, { definition }: ConfiguredGraph): GraphRecord {
  const entry = definition.nodes[0]?.id ?? "";
  if (known === undefined) return { graph: definition.name, node: entry, signals: [], told: null };
  return { ...known, graph: definition.name, node: nodeOf(definition, known.node) === null ? entry : known.node };
}

/** Recorded pull requests, in other repositories with their heads: commits of the own one show in the checkout. */
export function pullRequestsOf({ workItem, pullRequests }: ItemState): Observed["pullRequests"] {
  const own = workItem === null ? null : parseRef(workItem.ref);
  return pullRequests.map(({ pullRequest, headSha }) => {
    const ref = parseRef(pullRequest);
    const here = own !== null && ref !== null && sameRef({ ...ref, number: own.number }, own);
    return { ref: pullRequest, head: here ? null : headSha };
  });
}

/** What the event says about a node; null where it says nothing. */
function saidBy({ event, decision, state }: Decided, { node }: GraphRecord, progress: Progress, observed: Observed, { graph, agentAtWork }: GraphFacts, policy: Policy): Signal | null {
  if (event === null || state === null) return null;
  if (event.kind === "control") return event.request.verb === "graph" ? waived(event.request, node, event.actor?.login ?? "operator", graph, state.now) : null;
  const authority = decision.effects.find((effect) => effect.kind === "turn")?.authority ?? "none";
  const answer = readAnswer(event, { authority, agentAtWork }, policy);
  const at = progressAt(progress, progress.position.id);
  if (answer === null || at === null || !mayBeAnswered(at)) return null;
  return { kind: "answer", node: at.node.id, subject: subjectOf(at.node, at.node.scope, graph.definition, observed), ...answer, delivery: event.deliveryId, at: state.now };
}

/** A gate that waits, one that was refused before, or critics that cannot settle it. What is not finished cannot be approved. */
function mayBeAnswered({ lacks }: NodeProgress): boolean {
  return lacks.length > 0 && lacks.every(({ kind }) => kind === "approval" || kind === "rejected" || kind === "escalated");
}

function waived(request: Extract<Extract<InboundEvent, { readonly kind: "control" }>["request"], { readonly verb: "graph" }>, present: string, by: string, { definition }: ConfiguredGraph, at: number): Signal | null {
  const node = nodeOf(definition, request.node ?? present);
  if (node === null || request.step === "advance" || (request.step === "skip" && !node.optional)) return null;
  return { kind: "waived", node: node.id, how: request.step === "skip" ? "skipped" : "accepted", by, at };
}

/** One node on at most, over those that were skipped; back at once. */
function nextNode(asked: string, { nodes, position }: Progress): string {
  const at = nodes.findIndex(({ node }) => node.id === asked);
  const open = nodes.findIndex(({ node }) => node.id === position.id);
  if (open <= at) return position.id;
  return nodes.slice(at + 1).find(({ state }) => state !== "skipped")?.node.id ?? position.id;
}

/** Names the gate that waits for a person now, and for what; null where none does. */
function openGate({ node }: GraphRecord, progress: Progress, observed: Observed, { definition }: ConfiguredGraph): string | null {
  const at = progressAt(progress, node);
  return at?.state === "waiting" ? `${node}\n${subjectOf(at.node, at.node.scope, definition, observed)}` : null;
}

/**
 * The session is asked where it is not told anything anyway: a new node that has something for it to do, or a node at which hooks or
 * critics have found something since.
 */
function turnOf({ event, after, workItem }: Understood, { decision }: Decided, changed: boolean, at: NodeProgress | null): readonly Effect[] {
  const told = decision.effects.some((effect) => effect.kind === "turn" && sameRef(effect.endpoint, workItem));
  const found = at?.lacks.some(({ kind }) => kind === "hook" || kind === "finding") === true;
  if (told || at === null || at.node.terminal || at.state === "waiting" || !(changed || found)) return [];
  return [{ ...turnFor(event, workItem, after, "authorized"), node: at.node.id }];
}

function phaseLabel(workItem: Ref, node: string, { definition }: ConfiguredGraph): Effect {
  return { kind: "phase-label", workItem, phase: node, phases: definition.nodes.map(({ id }) => id) };
}

function gateReply(workItem: Ref, node: string, progress: Progress | null, { definition }: ConfiguredGraph): Effect {
  const why = progress === null ? [] : (progressAt(progress, node)?.lacks ?? []).map(({ text }) => text);
  const title = nodeOf(definition, node)?.title ?? node;
  const text = `**${title}**: ${why.join("; ")}. To approve what stands there now, write a comment whose first line is \`approved\`, or approve the pull request in a review; to ask for changes, say what.`;
  return { kind: "reply", thread: workItem, text, node };
}

type Moved = { readonly before: GraphRecord; readonly said: Signal | null; readonly node: string; readonly changed: boolean; readonly effects: readonly Effect[] };

function linesOf({ event, workItem }: Understood, { state, decision }: Decided, policy: Policy, { before, said, node, changed, effects }: Moved): readonly EventLine[] {
  const common = { time: state?.now ?? 0, level: "info", instance: policy.instance.name, workItem: formatRef(workItem), delivery: event.deliveryId, reason: decision.reason } as const;
  const answered = said?.kind === "answer" ? [{ ...common, kind: "graph.answered" as const, fields: { node: said.node, approved: said.approved, by: said.by } }] : [];
  const moved = changed ? [{ ...common, kind: "graph.moved" as const, fields: { node, from: before.node === node ? null : before.node } }] : [];
  const queued = effects.flatMap((effect) => (effect.kind === "turn" ? [{ ...common, kind: "turn.queued" as const, fields: { endpoint: formatRef(effect.endpoint), mode: effect.mode, authority: effect.authority } }] : []));
  return [...answered, ...moved, ...queued];
}
