import { createHash } from "node:crypto";
import type { ControlPayload, Session, WorkItem } from "@loopwork/core";
import type { TakenLane } from "@loopwork/core/ports";
import { eventLine } from "../event-line.ts";
import type { RuntimeParts } from "../parts.ts";
import { judgeEnvironment } from "../turn/environment.ts";
import { type JudgeParts, judgeNode, type Verdict } from "./judge.ts";
import { type Standing, standingOf } from "./standing.ts";
import { noteStalled, noteUnfinished } from "./unfinished.ts";

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
    if (judged === null) return;
    if (judged.unsettled) await noteStalled(turn.workItem, serviceOwes(judged.standing), parts);
    if (await isDue(turn.workItem, judged, parts)) await requestAdvance(turn, parts);
    else await noteUnfinished(turn.workItem, judged.standing, parts);
  } catch (error) {
    // The turn is done whatever the graph says; the next event looks again.
    const detail = error instanceof Error ? error.message : String(error);
    await parts.store.events.append([eventLine(parts, "daemon.warning", { level: "error", workItem: turn.workItem, reason: "graph-fault", fields: { turn: turn.id, detail } })]);
    await noteStalled(turn.workItem, `where the work stands could not be found out: ${detail}`, parts);
  }
}

/** `unsettled`: something is still to be judged, and was as often as it may be. */
type Outcome = { readonly standing: Standing; readonly ran: boolean; readonly unsettled: boolean };

function serviceOwes({ progress }: Standing): string {
  const lacks = progress.nodes.find(({ node }) => node.id === progress.position.id)?.lacks ?? [];
  return lacks.filter(({ owes }) => owes === "service").map(({ text }) => text).join("; ");
}

/** Hooks first, critics after them; what passes may uncover the next. A hook that commits would be due again for ever: nobody needs more than both of each node. */
async function judgeAll(workItem: TakenLane["turn"]["workItem"], workdir: string, parts: RuntimeParts): Promise<Outcome | null> {
  for (let ran = false, tries = 0; ; tries += 1) {
    const settings = parts.settings();
    const item = await parts.store.items.load(workItem);
    const found = await standingOf(workItem, item, workdir, settings, parts.workspace);
    if (found.kind !== "standing") return null;
    const unsettled = tries >= 2 * found.standing.progress.nodes.length && serviceOwes(found.standing) !== "";
    const verdict = unsettled ? null : await judgeNode({ workItem, item, standing: found.standing }, judgeParts(workdir, parts), () => parts.clock.now());
    if (verdict === null) return { standing: found.standing, ran, unsettled };
    ran = true;
    await keep(workItem, found.standing.graph.definition.name, found.standing.progress.position.id, verdict, parts);
    if (verdict.signal.kind === "critics" && verdict.signal.outcome === "failed") return { standing: found.standing, ran, unsettled };
  }
}

function judgeParts(workdir: string, parts: RuntimeParts): JudgeParts {
  const settings = parts.settings();
  return { cwd: workdir, env: judgeEnvironment(settings), run: parts.run, host: parts.host, settings, uuid: () => parts.ids.uuid(), oneShotsOf: async (harness) => parts.harnesses[harness]?.oneShots ?? null };
}

async function keep(workItem: TakenLane["turn"]["workItem"], graph: string, node: string, { signal, line, usd }: Verdict, parts: RuntimeParts): Promise<void> {
  const { emptyGraphRecord, withSignal } = await import("@loopwork/core/graph");
  const judged = (item: WorkItem): WorkItem => ({ ...item, spend: { ...item.spend, usd: item.spend.usd + usd }, graph: withSignal(item.graph ?? emptyGraphRecord(graph, node), signal) });
  await parts.store.items.update(workItem, (item) => ({
    after: item.workItem === null ? item : { ...item, workItem: judged(item.workItem) },
    lines: [eventLine(parts, line.kind, { level: line.level, workItem, reason: line.reason, fields: line.fields })],
  }));
}

/** Something was judged, the work stands elsewhere than it was asked for, or a gate is open. */
async function isDue(workItem: TakenLane["turn"]["workItem"], { standing, ran }: Pick<Outcome, "ran" | "standing">, parts: RuntimeParts): Promise<boolean> {
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
