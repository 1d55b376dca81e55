import { parseRef, type EventLine, type ItemState, type RefText } from "@loopwork/core";
import type { GraphNode, Signal } from "@loopwork/core/graph";
import { type CriticScope, runCritics, scopeOf } from "./critics.ts";
import { runHooks, type Surroundings } from "./hooks.ts";
import type { GraphSettings } from "./load.ts";
import type { Standing } from "./standing.ts";

/** What is judged, and when, in milliseconds since 1970. */
export type Judged = { readonly workItem: RefText; readonly item: ItemState; readonly standing: Standing; readonly settings: GraphSettings; readonly around: Surroundings; readonly now: number };

/** A signal to be kept, and what the log says of it. */
export type Verdict = { readonly signal: Signal; readonly line: Pick<EventLine, "kind" | "reason" | "fields" | "level"> };

/** Runs what the service owes the node that the work stands at, hooks or critics; null where it owes nothing. */
export async function judgeNode(judged: Judged): Promise<Verdict | null> {
  const { progress } = judged.standing;
  const node = progress.position;
  const lacks = progress.nodes.find((each) => each.node.id === node.id)?.lacks ?? [];
  if (lacks.some(({ kind }) => kind === "hooks-not-run")) return hooksOf(node, judged);
  // Critics that gave no verdict are asked again after the next turn: what was broken may work now.
  if (lacks.some(({ kind }) => kind === "critics-not-run") || failedBefore(node, judged)) return criticsOf(node, judged);
  return null;
}

function failedBefore(node: GraphNode, { standing }: Judged): boolean {
  return standing.signals.some((signal) => signal.kind === "critics" && signal.node === node.id && signal.outcome === "failed");
}

async function hooksOf(node: GraphNode, { standing, settings, around, now }: Judged): Promise<Verdict> {
  const { subjectOf } = await import("@loopwork/core/graph");
  const subject = subjectOf(node, "work-item", standing.graph.definition, standing.observed);
  const failed = await runHooks(settings.config.routing.graph.hooks, node.id, around);
  return { signal: { kind: "hooks", node: node.id, subject, failed, at: now }, line: { kind: "graph.judged", level: failed.length === 0 ? "info" : "warn", reason: failed.length === 0 ? "passed" : "failed", fields: { node: node.id, what: "hooks", detail: failed.join("; ") } } };
}

async function criticsOf(node: GraphNode, judged: Judged): Promise<Verdict> {
  const { foldRound, signalOf, subjectOf, criticsOf: namesOf } = await import("@loopwork/core/graph");
  const { standing, settings, around, now } = judged;
  const subject = subjectOf(node, node.scope, standing.graph.definition, standing.observed);
  const reports = await runCritics(settings.config.critics, namesOf(node, standing.graph), scopeFor(node, judged), around);
  const judgement = foldRound(signalOf(standing.signals, "critics", node.id), reports);
  const detail = judgement.why ?? judgement.findings.map(({ severity, title }) => `${severity}: ${title}`).join("; ");
  return { signal: { kind: "critics", node: node.id, subject, at: now, ...judgement }, line: { kind: "graph.judged", level: judgement.outcome === "passed" ? "info" : "warn", reason: judgement.outcome, fields: { node: node.id, what: "critics", round: judgement.round, detail } } };
}

/** Everything that is recorded against the work item, wherever it lies. */
export function scopeFor(node: Pick<GraphNode, "id">, { workItem, item, standing, around }: Pick<Judged, "workItem" | "item" | "standing" | "around">): Omit<CriticScope, "prompt"> {
  const pullRequests = item.pullRequests.flatMap((link) => {
    const ref = parseRef(link.pullRequest);
    return ref === null ? [] : [scopeOf(ref, link)];
  });
  return { version: 1, workItem, node: node.id, workdir: around.cwd, folder: standing.folder, pullRequests };
}
