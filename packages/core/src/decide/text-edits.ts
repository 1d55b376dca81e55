import type { Account } from "../accounts/account.ts";
import { authorityOf, nothingPinned, type Pinned, standingOf } from "../control/authority.ts";
import { readControl } from "../control/keyword.ts";
import type { InboundEvent, Item } from "../normalise/event.ts";
import { instantOf, isBefore } from "./instant.ts";
import { saidAt } from "./overtaken.ts";
import type { Policy } from "./policy.ts";
import type { State } from "./state.ts";
import { hasLabel } from "./telling.ts";

/** One edit of a text: of which, by whom where the host says, and when by its clock (ISO 8601, whole seconds). `pinned` is what is known here of the editor. */
export type TextEdit = { readonly what: "title" | "description" | "comment"; readonly by: Account | null; readonly pinned?: Pinned; readonly at: string };

/** Every edit of an item's title and description that the host names, in any order; `unknown` where it cannot be asked or does not say. */
export type TextEdits = readonly TextEdit[] | "unknown";

/**
 * Whether the host is to be asked who edited the item's text. The text that counts is the one at the time of the command, and what came
 * with the event may be newer: a list shows every text as it is when it is read (ADR 0137).
 */
export function asksForEdits(event: InboundEvent, state: Pick<State, "target" | "item" | "pinnedActorId" | "pinnedAs">, policy: Policy): boolean {
  if (state.target === null || event.kind === "ci" || event.kind === "control" || event.kind === "closed") return false;
  if (authorityOf(event, state, policy).authority !== "authorized") return false;
  if (event.kind === "comment" && readControl(event.comment.body, policy.keywords).kind === "command") return event.change === "created";
  // A list shows what somebody opened as others may have changed it since.
  if (event.kind === "activity" && event.item.listed !== undefined && (event.action === "opened" || event.action === "reopened")) return true;
  if (policy.requireStartCommand) return false;
  const { workItem } = state.item;
  const labelled = hasLabel(event.item.labels, policy.autoExecuteLabel) || workItem?.armed === true;
  return labelled && workItem?.control.status !== "started" && workItem?.control.status !== "paused";
}

/**
 * The newest edit of the item's text since the event, by somebody who is not heard, that may be in what the event shows; null where there is
 * none. An edit in the second of the command counts as later: nobody has read what changed within that second. Where the host names no
 * editors, a text that is another than the poller saw last was edited by nobody knows whom.
 */
export function editSince(event: InboundEvent, state: Pick<State, "item" | "edits">, policy: Policy): TextEdit | null {
  if (event.kind === "ci" || event.kind === "control") return null;
  const { item } = event;
  const edits = state.edits ?? "unknown";
  if (edits === "unknown") return item.listed?.since === "changed" ? { what: "description", by: null, at: item.listed.at } : null;
  const later = edits.filter((edit) => !isBefore(edit.at, commandAt(event)) && mayBeShown(edit, item) && !isHeard(edit, state, policy));
  return later.toSorted((one, other) => (instantOf(other.at) ?? 0) - (instantOf(one.at) ?? 0))[0] ?? null;
}

/** From when the shown text is, where nobody can tell whether that is the text at the time of the command; null where it is. */
export function textAsOf(event: InboundEvent, { edits = "unknown" }: Pick<State, "edits">): string | null {
  if (event.kind === "ci" || event.kind === "control" || edits !== "unknown") return null;
  const { listed, updatedAt } = event.item;
  if (listed !== undefined) return listed.since === "new" ? listed.at : null;
  return isBefore(commandAt(event), updatedAt) ? updatedAt : null;
}

function commandAt(event: Exclude<InboundEvent, { readonly kind: "ci" | "control" }>): string | null {
  return event.kind === "comment" ? saidAt(event) : event.at;
}

/** What the host sent by itself shows nothing from after its own time, give or take the seconds of two clocks; a list may. */
function mayBeShown({ at }: TextEdit, { listed, updatedAt }: Item): boolean {
  const [edited, shown] = [instantOf(at), instantOf(updatedAt)];
  return listed !== undefined || edited === null || shown === null || edited <= shown + clocksApartMs;
}

const clocksApartMs = 2_000;

function isHeard({ by, pinned = nothingPinned }: TextEdit, { item }: Pick<State, "item">, policy: Policy): boolean {
  return by !== null && standingOf(by, pinned, policy, item.collaborators).why === null;
}
