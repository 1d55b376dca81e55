import { lackOf, type PromptRequest, renderPrompt } from "@loopwork/core";
import type { Attempt, Message, PromptText, Session, TakenLane } from "@loopwork/core/ports";
import type { NodeTask } from "../graph/node-task.ts";
import type { RuntimeParts } from "../parts.ts";
import { authorsOf } from "./authors.ts";

/**
 * What the service itself says in a message: sentences about this turn, and the task of the node of
 * the graph.
 */
export type SaidOfUs = { readonly notes: readonly Message[]; readonly node: NodeTask | null };

/** The message of one attempt; a nonce that stands in the text by chance is drawn again. */
export async function renderTurn(
  taken: TakenLane,
  attempt: Attempt,
  session: Session,
  { notes, node }: SaidOfUs,
  parts: RuntimeParts,
): Promise<PromptText> {
  const { config } = parts.settings();
  const { turn, item } = taken;
  const request: Omit<PromptRequest, "nonce"> = {
    workItem: turn.workItem,
    endpoint: turn.lane,
    endpointType: turn.lane === turn.workItem ? (item.workItem?.type ?? "issue") : "pull-request",
    mode: modeOf(taken, session),
    kind: attempt.kind,
    receipt: attempt.receipt,
    inputs: turn.inputs,
    interaction: config.routing.interaction.mode,
    template: config.promptTemplate,
    unfinished: lackOf(turn),
    notes,
    node: node?.text ?? null,
    ...(item.workItem?.startText === undefined ? {} : { startText: item.workItem.startText }),
    authors: await authorsOf(item, parts),
  };
  for (;;) {
    const prompt = renderPrompt({ ...request, nonce: parts.ids.uuid().replaceAll("-", "") });
    if (prompt.ok) return prompt.text;
  }
}

/**
 * A turn that was meant to resume, or is of an item that another instance began, and meets a
 * conversation that has not begun opens a new one for work that was.
 */
function modeOf({ turn, item }: TakenLane, session: Session): PromptRequest["mode"] {
  if (session.begun) return "resume";
  return turn.mode === "spawn" && item.workItem?.control.adoptedFrom === undefined
    ? "spawn"
    : "seed";
}
