import type {
  CodeHost,
  EventLine,
  GraphNode,
  GraphSignal,
  ItemState,
  RefText,
} from "@loopwork/core/ports";
import type { CriticReport, CriticScope, PullRequestChange } from "@loopwork/core";
import { readChanges } from "./changes.ts";
import { type CriticParts, type CriticRound, runCritics } from "./critics.ts";
import { runHooks } from "./hooks.ts";
import type { Standing } from "./standing.ts";

/** By what is judged. */
export type JudgeParts = CriticParts & { readonly host: Pick<CodeHost, "changes"> };

/** What is judged. */
export type Judged = {
  readonly workItem: RefText;
  readonly item: ItemState;
  readonly standing: Standing;
};

/** A signal to be kept, what the log says of it, and what it cost in US dollars. */
export type Verdict = {
  readonly signal: GraphSignal;
  readonly line: Pick<EventLine, "kind" | "reason" | "fields" | "level">;
  readonly usd: number;
};

/**
 * Runs what the service owes the node that the work stands at, hooks or critics; null where it owes
 * nothing. `now` in milliseconds since 1970.
 */
export async function judgeNode(
  judged: Judged,
  parts: JudgeParts,
  now: () => number,
): Promise<Verdict | null> {
  const { progress } = judged.standing;
  const node = progress.position;
  const lacks = progress.nodes.find((each) => each.node.id === node.id)?.lacks ?? [];
  if (lacks.some(({ kind }) => kind === "hooks-not-run")) return hooksOf(node, judged, parts, now);
  // Critics that gave no verdict are asked again after the next turn: what was broken may work now.
  if (lacks.some(({ kind }) => kind === "critics-not-run") || failedBefore(node, judged))
    return criticsOf(node, judged, parts, now);
  return null;
}

function failedBefore(node: GraphNode, { standing }: Judged): boolean {
  return standing.signals.some(
    (signal) => signal.kind === "critics" && signal.node === node.id && signal.outcome === "failed",
  );
}

async function hooksOf(
  node: GraphNode,
  { standing }: Judged,
  parts: JudgeParts,
  now: () => number,
): Promise<Verdict> {
  const { subjectOf } = await import("@loopwork/core");
  const subject = subjectOf(node, "work-item", standing.graph.definition, standing.observed);
  const failed = await runHooks(parts.settings.config.routing.graph.hooks, node.id, parts);
  const passed = failed.length === 0;
  return {
    signal: { kind: "hooks", node: node.id, subject, failed, at: now() },
    line: {
      kind: "graph.judged",
      level: passed ? "info" : "warn",
      reason: passed ? "passed" : "failed",
      fields: { node: node.id, what: "hooks", detail: failed.join("; ") },
    },
    usd: 0,
  };
}

async function criticsOf(
  node: GraphNode,
  judged: Judged,
  parts: JudgeParts,
  now: () => number,
): Promise<Verdict> {
  const { foldRound, seriesOf, subjectOf, criticsOf: namesOf } = await import("@loopwork/core");
  const { standing } = judged;
  const subject = subjectOf(node, node.scope, standing.graph.definition, standing.observed);
  const { reports, usd } = await criticRound(node, namesOf(node, standing.graph), judged, parts);
  const judgement = foldRound(seriesOf(standing.signals, node.id), reports);
  const detail =
    judgement.why ??
    judgement.findings.map(({ severity, title }) => `${severity}: ${title}`).join("; ");
  return {
    signal: { kind: "critics", node: node.id, subject, at: now(), ...judgement },
    line: {
      kind: "graph.judged",
      level: judgement.outcome === "passed" ? "info" : "warn",
      reason: judgement.outcome,
      fields: { node: node.id, what: "critics", round: judgement.round, usd, detail },
    },
    usd,
  };
}

/**
 * One round: what the work is, the critics on it, and what of it nobody could see. `whole`: with
 * every pull request, whatever the node's scope is.
 */
export async function criticRound(
  node: GraphNode,
  names: readonly string[],
  judged: Judged,
  parts: JudgeParts,
  whole: boolean = node.scope === "work-item",
): Promise<CriticRound> {
  const { unseenReports } = await import("@loopwork/core");
  const scope = await scopeOf(node, judged, whole, parts);
  const { reports, usd } = await runCritics(parts.settings.config.critics, names, scope, parts);
  const unseen: readonly CriticReport[] = unseenReports(scope);
  return { reports: [...reports, ...unseen], usd };
}

/**
 * Pull requests are read where the whole work item is judged: a node by itself is its artifacts.
 */
async function scopeOf(
  node: GraphNode,
  { workItem, item, standing }: Judged,
  whole: boolean,
  { cwd, host }: JudgeParts,
): Promise<CriticScope> {
  const { criticScope, seriesOf } = await import("@loopwork/core");
  const changes: ReadonlyMap<RefText, PullRequestChange> = whole
    ? await readChanges(item.pullRequests, host)
    : new Map();
  const before = seriesOf(standing.signals, node.id)?.findings ?? [];
  return criticScope({
    workItem,
    node: node.id,
    workdir: cwd,
    folder: standing.place.shown,
    pullRequests: item.pullRequests,
    changes,
    before,
  });
}
