import { withoutControl } from "../control/without-control.ts";
import type { ControlEvent, Editors, InboundEvent, Item } from "../event/event.ts";
import type { Policy } from "../config/policy.ts";

/**
 * How an item's text is told: as the event has it for null; with the time from which it is, null
 * for that of the event, and who beside its author edited it; or not at all.
 */
export type TextShown =
  | { readonly asOf: string | null; readonly editors: Editors }
  | "withheld"
  | null;

/**
 * An event as a session hears of it: a comment without keyword and address, which are for the
 * service alone, and empty where it says nothing beside them. Its item's text goes with its time
 * where nobody knows whether that is the text at the time of the command.
 */
export function forwarded(
  event: InboundEvent,
  { keywords }: Pick<Policy, "keywords">,
  text: TextShown = null,
): InboundEvent {
  if (event.kind === "ci") return event;
  if (event.kind === "control") return withShown(event, text);
  const item = text === null ? event.item : withText(event.item, text);
  const body = event.kind === "comment" ? withoutControl(event.comment.body, keywords) : null;
  if (item === event.item && (event.kind !== "comment" || body === event.comment.body))
    return event;
  // Fields by name: a turn keeps no more of an event than it tells.
  const { deliveryId, source, event: name, action, repository, actor, at, key } = event;
  const common = { deliveryId, source, event: name, action, repository, actor, at, key, item };
  switch (event.kind) {
    case "comment": {
      const { id, author, url, createdAt, reviewState, commitId, path, line } = event.comment;
      return {
        kind: event.kind,
        ...common,
        surface: event.surface,
        change: event.change,
        comment: {
          id,
          body: body ?? "",
          author,
          url,
          createdAt,
          reviewState,
          commitId,
          path,
          line,
        },
      };
    }
    case "label":
      return { kind: event.kind, ...common, label: event.label, change: event.change };
    case "activity":
      return { kind: event.kind, ...common };
    case "closed":
      return { kind: event.kind, ...common };
  }
}

function withShown(request: ControlEvent, text: TextShown): ControlEvent {
  if (request.shown === undefined || text === null) return request;
  const { kind, deliveryId, source, event, action, repository, actor, at, key } = request;
  const { receivedAt, target, request: asked, addressee, shown } = request;
  return {
    ...{ kind, deliveryId, source, event, action, repository, actor, at, key },
    ...(receivedAt === undefined ? {} : { receivedAt }),
    ...{ target, request: asked },
    ...(addressee === undefined ? {} : { addressee }),
    shown: withText(shown, text),
  };
}

function withText(item: Item, text: Exclude<TextShown, null>): Item {
  const { type, number, id, url, open, labels, author, updatedAt, branches, merged } = item;
  const common = { type, number, id, url, open, labels, author, updatedAt, branches, merged };
  if (text === "withheld") return { ...common, title: "", body: "" };
  const { title, body } = item;
  const { asOf, editors } = text;
  return { ...common, title, body, editors, ...(asOf === null ? {} : { textAsOf: asOf }) };
}
