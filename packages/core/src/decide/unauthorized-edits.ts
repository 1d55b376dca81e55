import { type Account, sameAccount } from "../accounts/account.ts";
import type { Authority } from "../control/authority-type.ts";
import { authorityOf, nothingPinned, type Pinned, standingOf } from "../control/authority.ts";
import { readControl } from "../control/keyword.ts";
import type { CommentEvent, Editors, InboundEvent, Item } from "../event/event.ts";
import type { TextShown } from "./forwarded.ts";
import { instantOf, isBefore } from "../text/instant.ts";
import { itemIn, itemRef } from "./item-view.ts";
import { saidAt } from "./overtaken.ts";
import type { Policy } from "../config/policy.ts";
import { isRunning } from "./lifecycle-facts.ts";
import type { StartHeld } from "../work-item/start-held.ts";
import type { State } from "./state.ts";
import { hasLabel } from "../event/labels.ts";
import { tellsItem } from "../control/relevance.ts";
import { formatRef } from "../ref/ref.ts";

/**
 * One edit of a text: of which, by whom where the host says, and when by its clock (ISO 8601, whole
 * seconds). `pinned` is what is known here of the editor.
 */
export type TextEdit = {
  readonly what: StartHeld["what"];
  readonly by: Account | null;
  readonly pinned?: Pinned;
  readonly at: string;
};

/**
 * Every edit that the host names of an item's title and description, and of the comment at hand, in
 * any order; `unknown` where it cannot be asked or does not say.
 */
export type TextEdits = readonly TextEdit[] | "unknown";

/**
 * Whether the host is to be asked who edited the texts at hand. The text that counts is the one at
 * the time of the command, and what came with the event may be newer: a list shows every text as
 * it is when it is read, and a comment's author may save what others wrote into it (ADR 0015).
 */
export function asksForEdits(
  event: InboundEvent,
  state: Pick<State, "target" | "item" | "pinnedActorId" | "pinnedAs">,
  policy: Policy,
): boolean {
  if (state.target === null || event.kind === "ci" || event.kind === "closed") return false;
  if (event.kind === "control") return event.request.verb === "start" && event.shown !== undefined;
  const { authority } = authorityOf(event, state, policy);
  if (event.kind === "comment" && asksForComment(event, state, authority, policy)) return true;
  if (authority !== "authorized") return false;
  if (event.kind === "activity" && tellsItem(event) && isRunning(state)) return true;
  // A list shows what somebody opened as others may have changed it since.
  if (event.kind === "activity" && event.item.listed !== undefined && isOpening(event)) return true;
  if (policy.requireStartCommand) return false;
  const { workItem } = state.item;
  const labelled = hasLabel(event.item.labels, policy.autoExecuteLabel) || workItem?.armed === true;
  return (
    labelled && workItem?.control.status !== "started" && workItem?.control.status !== "paused"
  );
}

type Asked = Pick<State, "target" | "item" | "pinnedActorId" | "pinnedAs">;

/** What is carried out or told as the words of somebody who is heard. */
function asksForComment(
  event: CommentEvent,
  state: Asked,
  authority: Authority,
  policy: Policy,
): boolean {
  if (event.change === "deleted") return false;
  const isCommand = readControl(event.comment.body, policy.keywords).kind === "command";
  if (isCommand && authority === "authorized" && event.change === "created") return true;
  return (authority === "authorized" || authority === "collaborator") && isRunning(state);
}

/**
 * The newest edit of the item's text since the event, by somebody who is not heard, that may be in
 * what the event shows; null where there is none. An edit in the second of the command counts as
 * later: nobody has read what changed within that second. Where the host names no editors, a text
 * that is another than the poller saw last was edited by nobody knows whom.
 */
export function editSince(event: InboundEvent, state: Known, policy: Policy): TextEdit | null {
  if (event.kind === "ci" || event.kind === "control") return null;
  return unheardEdit(event.item, commandAt(event), state, policy);
}

type Known = Pick<State, "item" | "edits">;

/**
 * The newest edit of an item's text by somebody who is not heard that may be in what its author
 * tells now: since the text that the session was started with, or, of an item that was never
 * started, at any time. Of what was just opened only later ones can be.
 */
export function editBetween(
  event: Extract<InboundEvent, { kind: "activity" }>,
  state: Known,
  policy: Policy,
): TextEdit | null {
  const { workItem } = state.item;
  const isStarted = workItem !== null && formatRef(itemRef(event)) === workItem.ref;
  const started = isStarted ? (workItem.startText?.at ?? null) : null;
  return unheardEdit(event.item, event.action === "opened" ? event.at : started, state, policy);
}

function unheardEdit(
  item: Item,
  since: string | null,
  state: Known,
  policy: Policy,
): TextEdit | null {
  const edits = state.edits ?? "unknown";
  if (edits === "unknown")
    return item.listed?.since === "changed"
      ? { what: "description", by: null, at: item.listed.at }
      : null;
  return newestOf(
    edits.filter(
      (edit) =>
        edit.what !== "comment" &&
        !isBefore(edit.at, since) &&
        mayBeShown(edit, item) &&
        !isHeard(edit, state, policy),
    ),
  );
}

/**
 * The newest edit of a comment by somebody else, with less authority than its author, that may be
 * in what the event shows; null where there is none. The host's times are whole seconds, so an
 * edit in the second of the comment's creation is in it, too.
 */
export function editOfComment(
  event: CommentEvent,
  state: Known,
  policy: Policy,
  authority: Authority,
): TextEdit | null {
  const edits = state.edits ?? "unknown";
  const { author } = event.comment;
  if (edits === "unknown" || author === null) return null;
  const shown = instantOf(event.at);
  // Only of a comment in the conversation a payload shows when its text was changed last.
  const slackMs = event.surface === "conversation" ? 0 : clocksApartMs;
  const isIn = ({ at }: TextEdit): boolean =>
    shown === null || (instantOf(at) ?? 0) <= shown + slackMs;
  const counts = (edit: TextEdit): boolean =>
    edit.by === null ||
    (!sameAccount(edit.by, author) && !isAsGood(edit, authority, state, policy));
  return newestOf(edits.filter((edit) => edit.what === "comment" && isIn(edit) && counts(edit)));
}

function isAsGood(
  { by, pinned = nothingPinned }: TextEdit,
  authority: Authority,
  { item }: Pick<State, "item">,
  policy: Policy,
): boolean {
  if (by === null) return false;
  const editor = standingOf(by, pinned, policy, item.collaborators).authority;
  return editor === "authorized" || (editor === "collaborator" && authority === "collaborator");
}

function newestOf(edits: readonly TextEdit[]): TextEdit | null {
  return (
    edits.toSorted((one, other) => (instantOf(other.at) ?? 0) - (instantOf(one.at) ?? 0))[0] ?? null
  );
}

/**
 * Who beside its author edited the text that the event shows, so that nobody takes theirs for the
 * author's words.
 */
export function editorsOf(
  event: InboundEvent,
  { edits = "unknown" }: Pick<State, "edits">,
): Editors {
  const item = itemIn(event);
  if (edits === "unknown" || item === null) return "unknown";
  const found = new Map<string, Exclude<Editors, "unknown">[number]>();
  for (const edit of edits) {
    const { what, by } = edit;
    if (what === "comment" || !mayBeShown(edit, item)) continue;
    if (by !== null && item.author !== null && sameAccount(by, item.author)) continue;
    found.set(`${what} ${by === null ? "" : `${by.id ?? ""} ${by.login}`}`, { what, by });
  }
  return [...found.values()];
}

/** What is told of the text that a start is about. */
export function textAtStart(event: InboundEvent, state: Pick<State, "edits">): TextShown {
  return { asOf: textAsOf(event, state), editors: editorsOf(event, state) };
}

/**
 * From when the shown text is, where nobody can tell whether that is the text at the time of the
 * command; null where it is.
 */
function textAsOf(event: InboundEvent, { edits = "unknown" }: Pick<State, "edits">): string | null {
  if (event.kind === "ci" || event.kind === "control" || edits !== "unknown") return null;
  const { listed, updatedAt } = event.item;
  if (listed !== undefined) return listed.since === "new" ? listed.at : null;
  return isBefore(commandAt(event), updatedAt) ? updatedAt : null;
}

function commandAt(
  event: Exclude<InboundEvent, { readonly kind: "ci" | "control" }>,
): string | null {
  return event.kind === "comment" ? saidAt(event) : event.at;
}

/**
 * What the host sent by itself shows nothing from after its own time, give or take the seconds of
 * two clocks; a list may.
 */
function mayBeShown({ at }: TextEdit, { listed, updatedAt }: Item): boolean {
  const [edited, shown] = [instantOf(at), instantOf(updatedAt)];
  return (
    listed !== undefined || edited === null || shown === null || edited <= shown + clocksApartMs
  );
}

const clocksApartMs = 2_000;

function isHeard(
  { by, pinned = nothingPinned }: TextEdit,
  { item }: Pick<State, "item">,
  policy: Policy,
): boolean {
  return by !== null && standingOf(by, pinned, policy, item.collaborators).why === null;
}

function isOpening({ action }: { readonly action: string }): boolean {
  return action === "opened" || action === "reopened";
}
