import type { InboundEvent } from "../normalise/event.ts";
import type { TurnInput } from "./turn.ts";

/** Text of an event that a person wrote, by the name of its field. It goes into prompts whole (decisions.md 4). */
export type Words = { readonly field: "title" | "body" | "comment" | "text"; readonly text: string; readonly by: string | null };

/**
 * What people wrote in an event and may be shown to the session. `opening`: the event opens the conversation, so that
 * title and body of the item are shown too, with their author's authority (decisions.md 5). Strangers' words are none.
 */
export function wordsOf(input: TurnInput, opening: boolean): readonly Words[] {
  const { event, authority } = input;
  const heard = authority === "authorized" || authority === "collaborator";
  switch (event.kind) {
    case "comment":
      return [...(opening ? itemWords(event) : []), ...(heard && event.change !== "deleted" ? [{ field: "comment" as const, text: event.comment.body, by: event.comment.author?.login ?? null }] : [])];
    case "control":
      return event.request.verb === "say" && heard ? [{ field: "text", text: event.request.text, by: event.actor?.login ?? null }] : [];
    case "activity":
    case "label":
    case "closed":
      return opening || (heard && ownItem(event)) ? itemWords(event) : [];
    case "ci":
      return [];
  }
}

type ItemEvent = Extract<InboundEvent, { readonly kind: "comment" | "activity" | "label" | "closed" }>;

function itemWords({ item }: ItemEvent): readonly Words[] {
  const by = item.author?.login ?? null;
  return [
    { field: "title" as const, text: item.title, by },
    { field: "body" as const, text: item.body, by },
  ].filter(({ text }) => text !== "");
}

/** The actor tells about an item of their own: opened it, or changed its text. */
function ownItem(event: ItemEvent): boolean {
  const tells = event.kind === "activity" && (event.action === "opened" || event.action === "edited" || event.action === "reopened");
  return tells && event.actor !== null && event.item.author !== null && event.actor.login.toLowerCase() === event.item.author.login.toLowerCase();
}
