import { sameAccount } from "../accounts/account.ts";
import { mayHoldControl } from "./keyword.ts";
import type { ActivityEvent, InboundEvent } from "../event/event.ts";
import type { Policy } from "../config/policy.ts";
import { hasLabel } from "../event/labels.ts";

/** What changes something that a session works on; pins, milestones, locks and the like do not. */
const tellingActions: ReadonlySet<string> = new Set([
  "opened",
  "edited",
  "reopened",
  "synchronize",
  "ready_for_review",
  "converted_to_draft",
  "review_requested",
]);

/** Whether an activity is worth a session's attention. */
export function isTelling(event: ActivityEvent): boolean {
  return tellingActions.has(event.action);
}

/** The actor tells about an item of their own: opened it, or changed its text. */
export function tellsItem(event: InboundEvent): boolean {
  if (event.kind !== "activity") return false;
  const tells =
    event.action === "opened" || event.action === "edited" || event.action === "reopened";
  return (
    tells &&
    event.actor !== null &&
    event.item.author !== null &&
    sameAccount(event.actor, event.item.author)
  );
}

/**
 * Whether an event can cause anything but being remembered. Where it cannot, nobody needs to find
 * out by inference, or by asking the host, which issue a pull request belongs to. In a repository
 * of which nothing is on record only what can begin something matters: there is nothing else that
 * it could be told to, paused for or closed (ADR 0009).
 */
export function canMatter(
  event: InboundEvent,
  policy: Pick<Policy, "autoExecuteLabel" | "ciWakeOn" | "keywords">,
  repository: Familiarity,
): boolean {
  return (repository === "known" && canFollow(event, policy)) || canBegin(event, policy);
}

/**
 * Whether anything of a repository is on record: a work item, a session, or a pull request of one.
 */
export type Familiarity = "known" | "new";

/**
 * Events that can put to work what was not, or leave a record of it: a comment that may hold a
 * keyword, and what the label arms.
 */
function canBegin(
  event: InboundEvent,
  { autoExecuteLabel, keywords }: Pick<Policy, "autoExecuteLabel" | "keywords">,
): boolean {
  switch (event.kind) {
    case "control":
      return true;
    case "comment":
      return (
        event.change !== "deleted" &&
        (hasLabel(event.item.labels, autoExecuteLabel) ||
          mayHoldControl(event.comment.body, keywords))
      );
    case "label":
      return hasLabel([event.label], autoExecuteLabel);
    case "activity":
    case "closed":
      return hasLabel(event.item.labels, autoExecuteLabel);
    case "ci":
      return false;
  }
}

/** Events that can concern what is at work already, any comment among them. */
function canFollow(event: InboundEvent, { ciWakeOn }: Pick<Policy, "ciWakeOn">): boolean {
  if (event.kind === "comment") return event.change !== "deleted";
  return (
    event.kind === "closed" ||
    (event.kind === "activity" && isTelling(event)) ||
    (event.kind === "ci" && event.check.phase === "completed" && ciWakeOn !== "never")
  );
}
