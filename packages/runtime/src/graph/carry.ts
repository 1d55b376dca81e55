import type {
  GraphFacts,
  InboundEvent,
  Policy,
  RequestRefusal,
  Target,
  UnansweredQuestion,
} from "@loopwork/core";
import { type Decided, formatRef, type RefText } from "@loopwork/core/ports";
import { whoWasAtWork } from "../agent-at-work.ts";
import { type AskingParts, isHeard } from "../resolution-answers.ts";
import { eventLine } from "../event-line.ts";
import { artifactPlace } from "./artifact-place.ts";
import { graphFor, problemLine } from "./load.ts";
import { lookingOf, observe } from "./observe.ts";
import { workdirOf } from "./standing.ts";

/** Moves the work through its graph once the event was decided. */
export type Carry = (decided: Decided) => Decided;

const asDecided: Carry = (decided) => decided;

/**
 * Reads what a graph needs to know of an event; without `routing.graph.specDir`, and for whoever is
 * not heard, nothing is read, and but for refusing nothing loaded.
 */
export async function carryOf(
  event: InboundEvent,
  target: Target | null,
  pinnedAs: readonly string[],
  policy: Policy,
  parts: AskingParts,
): Promise<Carry> {
  const settings = parts.settings();
  const looking = lookingOf(parts);
  if (settings.config.routing.graph.specDir === "" || looking === null)
    return event.kind === "control" && event.request.verb === "graph"
      ? refusing("no-graph")
      : asDecided;
  if (target === null || !(await isHeard(event, policy, pinnedAs, parts))) return asDecided;
  const workItem = formatRef(target.workItem);
  const item = await parts.store.items.load(workItem);
  const found = await graphFor(
    item.workItem?.type ?? typeOf(event, workItem),
    settings,
    looking.files,
  );
  if (found.kind === "none") return refusing("no-graph");
  if (found.kind === "broken")
    return broken(found.problems.map(problemLine), workItem, await refusing("graph-broken"), parts);
  const { carryGraph, mayAnswer } = await import("@loopwork/core");
  const unanswered: UnansweredQuestion[] = [];
  const workdir = workdirOf(workItem, item);
  const facts: GraphFacts = {
    graph: found.graph,
    seen:
      workdir === null
        ? null
        : await observe(
            workdir,
            await artifactPlace(workItem, workdir, settings, parts.workspace),
            found.graph.definition,
            looking,
          ),
    unpushed: workdir === null ? null : await parts.workspace.unpushedOf(workdir),
    agentAtWork: mayAnswer(event) ? await whoWasAtWork(event, parts, unanswered) : undefined,
  };
  return (decided) => carryGraph(decided, facts, policy);
}

/** Refuses requests about the graph; of everything else nothing changes. */
async function refusing(reason: RequestRefusal): Promise<Carry> {
  const { refuseRequest } = await import("@loopwork/core");
  return (decided) => refuseRequest(decided, reason);
}

/** A graph that cannot be used moves nothing, and keeps nothing from being told. */
function broken(
  problems: readonly string[],
  workItem: RefText,
  refused: Carry,
  parts: AskingParts,
): Carry {
  const detail = `the process graph cannot be used: ${problems.slice(0, 3).join("; ")}; \`loop graph show\` lists what is wrong`;
  parts.log("error", detail);
  const line = eventLine(parts, "daemon.warning", {
    level: "error",
    workItem,
    reason: "graph-broken",
    fields: { detail },
  });
  return (decided) =>
    decided.decision.effects.length === 0
      ? refused(decided)
      : { ...decided, lines: [...decided.lines, line] };
}

function typeOf(event: InboundEvent, workItem: RefText): "issue" | "pull-request" {
  const shown =
    event.kind === "ci" ? null : event.kind === "control" ? (event.shown ?? null) : event.item;
  return shown !== null && workItem.endsWith(`#${shown.number}`) ? shown.type : "issue";
}
