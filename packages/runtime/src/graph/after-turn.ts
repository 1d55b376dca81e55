import type { ControlPayload } from "@loopwork/core";
import type { Session, TakenLane, WorkItem } from "@loopwork/core/ports";
import { eventLine } from "../event-line.ts";
import type { RuntimeParts } from "../parts.ts";
import type { ActiveTurns } from "../active-turns.ts";
import { type JudgeParts, judgeNode, type Verdict } from "./judge.ts";
import { type CalledOff, type JudgesAtWork, judgesAtWork } from "./judges-at-work.ts";
import { type Looking, lookingOf } from "./observe.ts";
import { type Standing, standingOf, unclear } from "./standing.ts";
import { noteStalled, noteUnfinished } from "./unfinished.ts";
import { sha256 } from "../sha256.ts";

/**
 * Looks where the work stands once a turn has ended: hooks and critics of the node run now, while
 * the lane is still held, so that nobody works in the checkout meanwhile. What they came to is put
 * on record; where there is something to follow from it, a request to advance goes into the log,
 * and the ingest moves the work like for every other event. Its id is the turn's, so that a crash
 * in between makes it no second one. `shut-down`: the service was stopped while they ran, and the
 * next life does all of it.
 */
export async function afterTurn(
  { turn }: TakenLane,
  session: Session | null,
  { parts, living }: { readonly parts: RuntimeParts; readonly living: ActiveTurns },
): Promise<"looked" | "shut-down"> {
  const { graph } = parts.settings().config.routing;
  const looking = lookingOf(parts);
  if (graph.specDir === "" || looking === null) return "looked";
  if (session?.workdir == null || turn.lane !== turn.workItem) return "looked";
  const judges = judgesAtWork(turn, graph.deadlineSeconds * 1000, living, parts);
  try {
    await look(turn, session.workdir, judges, looking, parts);
  } catch (error) {
    // The turn is done whatever the graph says; the next event looks again.
    const detail = error instanceof Error ? error.message : String(error);
    await parts.store.events.append([
      eventLine(parts, "daemon.warning", {
        level: "error",
        workItem: turn.workItem,
        reason: "graph-fault",
        fields: { turn: turn.id, detail },
      }),
    ]);
    await noteStalled(
      turn.workItem,
      `where the work stands could not be found out: ${detail}`,
      parts,
    );
  } finally {
    judges.over();
  }
  return judges.calledOff() === "shutdown" ? "shut-down" : "looked";
}

async function look(
  turn: TakenLane["turn"],
  workdir: string,
  judges: JudgesAtWork,
  looking: Looking,
  parts: RuntimeParts,
): Promise<void> {
  const { workItem } = turn;
  const came = await judgeAll(workItem, workdir, judges, looking, parts);
  if (came.kind === "none") return;
  if (came.kind === "unclear") return noteStalled(workItem, came.why, parts);
  if (came.kind === "called-off") return calledOff(workItem, came, parts);
  if (came.unsettled) await noteStalled(workItem, serviceOwes(came.standing), parts);
  if (await isDue(workItem, came, parts)) await requestAdvance(turn, parts);
  else await noteUnfinished(workItem, came.standing, parts);
}

/** `unsettled`: something is still to be judged, and was as often as it may be. */
type Judged = {
  readonly kind: "judged";
  readonly standing: Standing;
  readonly ran: boolean;
  readonly unsettled: boolean;
};
type Ended = {
  readonly kind: "called-off";
  readonly why: CalledOff;
  readonly node: string;
  readonly what: string;
};
type Outcome =
  | { readonly kind: "none" }
  | { readonly kind: "unclear"; readonly why: string }
  | Ended
  | Judged;

function serviceOwes({ progress }: Standing): string {
  const lacks = progress.nodes.find(({ node }) => node.id === progress.position.id)?.lacks ?? [];
  return lacks
    .filter(({ owes }) => owes === "service")
    .map(({ text }) => text)
    .join("; ");
}

/**
 * Hooks first, critics after them; what passes may uncover the next. A hook that commits would be
 * due again for ever: nobody needs more than both of each node.
 */
async function judgeAll(
  workItem: TakenLane["turn"]["workItem"],
  workdir: string,
  judges: JudgesAtWork,
  looking: Looking,
  parts: RuntimeParts,
): Promise<Outcome> {
  for (let ran = false, tries = 0; ; tries += 1) {
    const item = await parts.store.items.load(workItem);
    const found = await standingOf(workItem, item, workdir, parts.settings(), looking);
    if (found.kind === "none") return found;
    if (found.kind !== "standing") return { kind: "unclear", why: unclear(found, workdir) };
    const { standing } = found;
    const unsettled = tries >= 2 * standing.progress.nodes.length && serviceOwes(standing) !== "";
    const verdict = unsettled
      ? null
      : await judgeNode({ workItem, item, standing }, judgeParts(workdir, judges, parts), () =>
          parts.clock.now(),
        );
    if (verdict === null) return { kind: "judged", standing, ran, unsettled };
    const node = standing.progress.position.id;
    const why = judges.calledOff();
    if (why !== null) return { kind: "called-off", why, node, what: verdict.signal.kind };
    ran = true;
    await keep(workItem, standing.graph.definition.name, node, verdict, parts);
    if (verdict.signal.kind === "critics" && verdict.signal.outcome === "failed")
      return { kind: "judged", standing, ran, unsettled };
  }
}

function judgeParts(workdir: string, { run }: JudgesAtWork, parts: RuntimeParts): JudgeParts {
  const settings = parts.settings();
  return {
    cwd: workdir,
    run,
    host: parts.host,
    settings,
    uuid: () => parts.ids.uuid(),
    oneShotsOf: async (harness) => parts.harnesses[harness]?.oneShots ?? null,
    copyOf: parts.workspace.copyOf,
    programs: parts.programs,
  };
}

/**
 * What half a round came to is no verdict. Past the deadline people must know: the next turn would
 * only meet it again.
 */
async function calledOff(
  workItem: TakenLane["turn"]["workItem"],
  { why, node, what }: Ended,
  parts: RuntimeParts,
): Promise<void> {
  const { deadlineSeconds } = parts.settings().config.routing.graph;
  const details: Readonly<Record<CalledOff, string>> = {
    stopped: "the work was stopped while they ran; they were ended, and nothing of them counts",
    shutdown:
      "the service was stopped while they ran; they were ended, and run again when it is there",
    deadline: `hooks and critics took longer than ${deadlineSeconds} s together (routing.graph.deadlineSeconds); they were ended, and nothing of this round counts`,
  };
  await parts.store.events.append([
    eventLine(parts, "graph.judged", {
      level: "warn",
      workItem,
      reason: "called-off",
      fields: { node, what, detail: details[why] },
    }),
  ]);
  if (why === "deadline") await noteStalled(workItem, details[why], parts);
}

async function keep(
  workItem: TakenLane["turn"]["workItem"],
  graph: string,
  node: string,
  { signal, line, usd }: Verdict,
  parts: RuntimeParts,
): Promise<void> {
  const { emptyGraphRecord, withSignal } = await import("@loopwork/core");
  const judged = (item: WorkItem): WorkItem => ({
    ...item,
    spend: { ...item.spend, usd: item.spend.usd + usd },
    graph: withSignal(item.graph ?? emptyGraphRecord(graph, node), signal),
  });
  await parts.store.items.updateOwn(workItem, (item) => ({
    after: item.workItem === null ? item : { ...item, workItem: judged(item.workItem) },
    lines: [
      eventLine(parts, line.kind, {
        level: line.level,
        workItem,
        reason: line.reason,
        fields: line.fields,
      }),
    ],
  }));
}

/** Something was judged, the work stands elsewhere than it was asked for, or a gate is open. */
async function isDue(
  workItem: TakenLane["turn"]["workItem"],
  { standing, ran }: Judged,
  parts: RuntimeParts,
): Promise<boolean> {
  const record = (await parts.store.items.load(workItem)).workItem?.graph;
  const { progress } = standing;
  return (
    ran ||
    record?.node !== progress.position.id ||
    progress.nodes.some(
      ({ node, state }) => node.id === progress.position.id && state === "waiting",
    )
  );
}

async function requestAdvance(turn: TakenLane["turn"], parts: RuntimeParts): Promise<void> {
  const payload: ControlPayload = {
    target: turn.workItem,
    request: { verb: "graph", step: "advance", node: null },
    actor: "loop",
  };
  const body = new TextEncoder().encode(JSON.stringify(payload));
  const id = `graph-${parts.settings().policy.instance.name}-${turn.id}-${turn.attempts}-${turn.createdAt.toString(36)}`;
  await parts.store.append({
    id,
    source: "cli",
    event: "control",
    verified: false,
    receivedAt: parts.clock.now(),
    digest: sha256(body),
    body,
    ignored: null,
    allowReplay: true,
  });
}
