import { createHash } from "node:crypto";
import type { ControlPayload, Session } from "@loopwork/core";
import type { TakenLane } from "@loopwork/core/ports";
import { eventLine } from "../event-line.ts";
import type { RuntimeParts } from "../parts.ts";
import { judgeNode } from "./judge.ts";
import { type Standing, standingOf } from "./standing.ts";

/**
 * Looks where the work stands once a turn has ended: hooks and critics of the node run now, while the lane is still held, so that
 * nobody works in the checkout meanwhile. What they came to is put on record; where there is something to follow from it, a request to
 * advance goes into the log, and the ingest moves the work like for every other event. Its id is the turn's, so that a
 * crash in between makes it no second one.
 */
export async function afterTurn({ turn }: TakenLane, session: Session | null, parts: RuntimeParts): Promise<void> {
  const { config } = parts.settings();
  if (config.routing.graph.specDir === "" || session?.workdir == null || turn.lane !== turn.workItem) return;
  try {
    const judged = await judgeAll(turn.workItem, session.workdir, parts);
    if (judged !== null && (await isDue(turn.workItem, judged, parts))) await requestAdvance(turn, parts);
  } catch (error) {
    // The turn is done whatever the graph says; the next event looks again.
    const detail = error instanceof Error ? error.message : String(error);
    await parts.store.events.append([eventLine(parts, "daemon.warning", { level: "error", workItem: turn.workItem, reason: "graph-fault", fields: { turn: turn.id, detail } })]);
  }
}

type Outcome = { readonly standing: Standing; readonly ran: boolean };

/** Hooks first, critics after them; what passes may uncover the next. */
async function judgeAll(workItem: TakenLane["turn"]["workItem"], workdir: string, parts: RuntimeParts): Promise<Outcome | null> {
  for (let ran = false, tries = 0; ; tries += 1) {
    const settings = parts.settings();
    const item = await parts.store.items.load(workItem);
    const found = await standingOf(workItem, item, workdir, settings, (at) => parts.workspace.headOf(at));
    if (found.kind !== "standing") return null;
    const around = { cwd: workdir, env: withoutSecrets(parts) };
    const verdict = tries >= mostJudgements ? null : await judgeNode({ workItem, item, standing: found.standing, settings, around, now: parts.clock.now() });
    if (verdict === null) return { standing: found.standing, ran };
    ran = true;
    await keep(workItem, found.standing.graph.definition.name, found.standing.progress.position.id, verdict, parts);
    if (verdict.signal.kind === "critics" && verdict.signal.outcome === "failed") return { standing: found.standing, ran };
  }
}

const mostJudgements = 4;

async function keep(workItem: TakenLane["turn"]["workItem"], graph: string, node: string, { signal, line }: NonNullable<Awaited<ReturnType<typeof judgeNode>>>, parts: RuntimeParts): Promise<void> {
  const { withSignal } = await import("@loopwork/core/graph");
  await parts.store.items.update(workItem, (item) => ({
    after: item.workItem === null ? item : { ...item, workItem: { ...item.workItem, graph: withSignal(item.workItem.graph ?? { graph, node, signals: [], told: null }, signal) } },
    lines: [eventLine(parts, line.kind, { level: line.level, workItem, reason: line.reason, fields: line.fields })],
  }));
}

/** Something was judged, the work stands elsewhere than it was asked for, or a gate is open. */
async function isDue(workItem: TakenLane["turn"]["workItem"], { standing, ran }: Outcome, parts: RuntimeParts): Promise<boolean> {
  const record = (await parts.store.items.load(workItem)).workItem?.graph;
  const { progress } = standing;
  return ran || record?.node !== progress.position.id || progress.nodes.some(({ node, state }) => node.id === progress.position.id && state === "waiting");
}

async function requestAdvance(turn: TakenLane["turn"], parts: RuntimeParts): Promise<void> {
  const payload: ControlPayload = { target: turn.workItem, request: { verb: "graph", step: "advance", node: null }, actor: "loop" };
  const body = new TextEncoder().encode(JSON.stringify(payload));
  const id = `graph-${parts.settings().policy.instance.name}-${turn.id}-${turn.attempts}-${turn.createdAt.toString(36)}`;
  await parts.store.append({ id, source: "cli", event: "control", verified: false, receivedAt: parts.clock.now(), digest: createHash("sha256").update(body).digest("hex"), body, ignored: null, allowReplay: true });
}

/** The operator's programs get the operator's environment, without what only the service may know. */
function withoutSecrets(parts: RuntimeParts): Readonly<Record<string, string | undefined>> {
  const { env, secretNames } = parts.settings();
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secretNames.includes(name)));
}
