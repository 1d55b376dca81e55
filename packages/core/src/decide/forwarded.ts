import { withoutControl } from "../control/keyword.ts";
import type { CommentEvent, InboundEvent } from "../normalise/event.ts";
import type { Policy } from "./policy.ts";

/**
 * An event as a session hears of it: a comment without keyword and address, which are for the service alone; every other event as it is. A
 * comment that says nothing beside them has an empty body.
 */
export function forwarded(event: InboundEvent, { keywords }: Pick<Policy, "keywords">): InboundEvent {
  if (event.kind !== "comment") return event;
  const body = withoutControl(event.comment.body, keywords);
  return body === event.comment.body ? event : withBody(event, body);
}

/** Fields by name: much of a host's event is read late, which a spread would lose. */
function withBody(event: CommentEvent, body: string): CommentEvent {
  const { deliveryId, source, event: name, action, repository, actor, at, key, kind, item, surface, change } = event;
  const { id, author, url, createdAt, reviewState, commitId, path, line } = event.comment;
  const comment = { id, body, author, url, createdAt, reviewState, commitId, path, line };
  return { deliveryId, source, event: name, action, repository, actor, at, key, kind, item, surface, change, comment };
}
