import type { ActivityEvent, InboundEvent } from "../normalise/event.ts";
import { sameName } from "../work-item/ref.ts";
import type { Policy } from "./policy.ts";

/** What changes something that a session works on; pins, milestones, locks and the like do not. */
const tellingActions: ReadonlySet<string> = new Set(["opened", "edited", "reopened", "synchronize", "ready_for_review", "converted_to_draft", "review_requested"]);

/** Whether an activity is worth a session's attention. */
export function isTelling(event: ActivityEvent): boolean {
  return tellingActions.has(event.action);
}

/**
 * Whether an event can cause anything but being remembered. Where it cannot, nobody needs to find out by inference, or by
 * asking the host, which issue a pull request belongs to.
 */
export function canMatter(event: InboundEvent, policy: Pick<Policy, "autoExecuteLabel" | "ciWakeOn">): boolean {
  switch (event.kind) {
    case "closed":
    case "control":
      return true;
    case "comment":
      return event.change !== "deleted";
    case "label":
      return hasLabel([event.label], policy.autoExecuteLabel);
    case "activity":
      return isTelling(event) || hasLabel(event.item.labels, policy.autoExecuteLabel);
    case "ci":
      return event.check.phase === "completed" && policy.ciWakeOn !== "never";
  }
}

/** Host labels compare without case. */
export function hasLabel(labels: readonly string[], label: string): boolean {
  for (const each of labels) if (sameName(each, label)) return true;
  return false;
}
