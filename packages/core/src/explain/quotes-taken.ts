import { unmarkedQuotes, withLineFeeds } from "../text/own-words.ts";
import type { InboundEvent } from "../event/event.ts";
import type { Decision } from "../decide/decision.ts";

/**
 * Which lines of a comment reached the session as somebody else's words although their author
 * marked none of them as a quote: rules for mail may be wrong, and nobody must have to guess that.
 */
export function quotesTaken(
  event: InboundEvent | null,
  { effects }: Pick<Decision, "effects">,
): readonly string[] {
  if (event?.kind !== "comment" || !effects.some(({ kind }) => kind === "turn")) return [];
  const text = withLineFeeds(event.comment.body);
  const spans = unmarkedQuotes(text);
  const lines: string[] = [];
  for (let i = 0; i < spans.length; i += 2) {
    const quote = text.slice(spans[i], spans[i + 1]).trimEnd();
    const first = lineAt(text, spans[i] ?? 0);
    const last = first + lineAt(quote, quote.length) - 1;
    if (quote.trim() !== "") lines.push(first === last ? `${first}` : `${first} to ${last}`);
  }
  if (lines.length === 0) return [];
  const which = `${lines.slice(0, mostShown).join(", ")}${lines.length > mostShown ? " and more" : ""}`;
  const login = (event.comment.author ?? event.actor)?.login;
  const whose = login === undefined ? "its author" : `@${login}`;
  return [
    `Taken for quoted mail, a signature or a copied text, and delivered as a quote instead of ${whose}'s own words: ${/^\d+$/.test(which) ? "line" : "lines"} ${which} of the comment. If ${whose} wrote that, word it differently in a new comment.`,
  ];
}

const mostShown = 5;

/** Number of the line in which a position is, from 1. */
function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}
