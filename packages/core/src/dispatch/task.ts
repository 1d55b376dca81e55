import type { InboundEvent } from "../normalise/event.ts";
import type { RefText } from "../work-item/ref.ts";
import type { PromptRequest } from "./prompt.ts";

/** Where a session takes its answers from. */
export type InteractionMode = "work-item" | "cli";

/** What the session shall do. */
export function taskOf(
  request: Pick<
    PromptRequest,
    "mode" | "workItem" | "endpoint" | "endpointType" | "inputs" | "node"
  >,
): string {
  const opening = request.mode === "resume" ? [] : [openingTask(request)];
  const told = request.mode === "spawn" ? request.inputs.slice(1) : request.inputs;
  const sentences = [...new Set(told.map(({ event }) => sentenceOf(event)))];
  return ["Task:", ...opening, ...sentences.map((sentence) => `- ${sentence}`)].join("\n");
}

/** The work of a whole conversation, for its first message. */
function openingTask({
  endpoint,
  endpointType,
  workItem,
  node,
}: Pick<PromptRequest, "endpoint" | "endpointType" | "workItem" | "node">): string {
  const number = endpoint.slice(endpoint.lastIndexOf("#") + 1);
  if (node != null)
    return `Work on ${endpoint}, in this checkout, at what is said of its node above. ${endpointType === "issue" ? `Its branch is issue-${number} (create it if it does not exist).` : "Its branch is checked out here."} Commit what you write, and push it.`;
  if (endpointType === "pull-request") {
    return `Work on pull request ${endpoint}: do what its title and description ask, on its head branch as it is checked out here. Test what you change, commit, and push to that branch.`;
  }
  return `Work on issue ${endpoint}: do what its title and description ask, in this checkout, on the branch issue-${number} (create it if it does not exist). Test what you change, commit, push the branch, open a pull request that says "Closes #${number}", and record it with \`loop sessions link-pr --work-item ${workItem} --pull-request <number>\`.`;
}

/** One sentence per kind of event. */
function sentenceOf(event: InboundEvent): string {
  switch (event.kind) {
    case "comment":
      return commentSentence(event);
    case "ci":
      return event.check.conclusion === "success"
        ? "A check has succeeded: go on with what waited for it, if anything did."
        : "A check has finished without success: find the cause, fix it on the branch, test, and push.";
    case "label":
      return "A label of the item changed: see whether that changes the task.";
    case "closed":
      return event.item.merged
        ? "A pull request of this work item was merged: do what is left of the task, if anything is."
        : "A pull request of this work item was closed: see why, and whether work is left.";
    case "activity":
      return activitySentence(event);
    case "control":
      if (event.request.verb === "graph")
        return "The work has come to another node of the process graph, or the checks of this one have ended: do what is said of it above.";
      return event.request.verb === "say"
        ? "The operator speaks to you directly: do what they say within the task."
        : "The operator started the work: begin, or go on where it was left.";
  }
}

function commentSentence(event: Extract<InboundEvent, { readonly kind: "comment" }>): string {
  if (event.change === "deleted") return "A comment was deleted: do not act on it any more.";
  if (event.comment.body === "" && event.comment.reviewState === null)
    return "The work was started again: see what is missing, and go on where it was left.";
  if (event.change === "edited")
    return "A comment was edited: see whether that changes what it asks.";
  switch (event.surface) {
    case "conversation":
      return "There is a comment on the thread: do or answer what it asks.";
    case "review":
      return event.comment.reviewState === "approved"
        ? "A review approves the pull request: do what it still asks, if anything."
        : "There is a review of the pull request: address each point, test, push, and answer where you disagree.";
    case "diff":
      return "There is a comment on a line of the diff: address it, test, push, or answer why not.";
  }
}

function activitySentence(event: Extract<InboundEvent, { readonly kind: "activity" }>): string {
  switch (event.action) {
    case "edited":
      return "Title or description of the item changed: see whether that changes the task.";
    case "reopened":
      return "The item was opened again: see what is missing.";
    case "synchronize":
      return "Somebody pushed to the pull request's branch: fetch before you go on.";
    default:
      return "The item changed: see whether that changes the task.";
  }
}

/** How to ask and answer. Put into every prompt. */
export function interactionDirective(mode: InteractionMode, workItem: RefText): string {
  if (mode === "cli") {
    return "Interaction: the operator answers on the command line, nobody answers on the thread. Ask what you must know with `loop ask`, where the operator sees it, then end the turn; the answer comes as the next message. Do not wait for input here. Post nothing on the work item unless you are asked to.";
  }
  return `Interaction: people read the thread of ${workItem}. Nobody watches this terminal. Say there what they must know with \`loop comment\`, ask with \`loop ask\`, then end the turn; the answer comes as the next message. Do not wait for input here.`;
}
