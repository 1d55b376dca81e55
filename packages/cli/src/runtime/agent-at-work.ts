import { type AgentAtWork, asksForGrant, formatRef, type InboundEvent, instantOf, type Policy, type RefText, type Target, type Turn, type UnansweredQuestion } from "@loopwork/core";
import type { AskingParts } from "./answers.ts";
import { ownLogin } from "./own-doing.ts";

/** As many of an item's newest turns, and of the lines about it since then, are looked at. */
const [mostTurns, mostLines] = [50, 1_000];

/**
 * Whether a turn of the work item runs, or ran when the comment was written: its agent may have written it. Undefined where nobody needs
 * to know, as in anything but a grant.
 */
export async function agentAtWork(event: InboundEvent, target: Target | null, policy: Policy, parts: AskingParts, unanswered: UnansweredQuestion[]): Promise<AgentAtWork | null | undefined> {
  if (target === null || !asksForGrant(event, policy)) return undefined;
  const written = instantOf(event.comment.createdAt ?? event.at) ?? parts.clock.now();
  return (await ranSince(written, formatRef(target.workItem), parts)) ? { ownLogin: await ownLogin(parts, unanswered) } : null;
}

/** Whatever the log says of a turn since then shows that it had not ended. The host tells times in whole seconds, so that one which began within that second counts. */
async function ranSince(written: number, workItem: RefText, { store }: AskingParts): Promise<boolean> {
  const turns = await store.lanes.turns({ workItem, limit: mostTurns });
  if (turns.some(({ state }) => state === "injecting")) return true;
  const began = new Set(turns.filter((turn) => beganAt(turn) < written + 1_000).map(({ id }) => id));
  const lines = await store.events.list({ workItem, since: written, limit: mostLines });
  return lines.some(({ fields }) => typeof fields["turn"] === "number" && began.has(fields["turn"]));
}

/** When its first attempt began, as far as is known: of several only the newest has its time. Infinity where none did. */
function beganAt({ attempt, attempts, createdAt }: Turn): number {
  if (attempt === null) return Infinity;
  return attempts === 1 ? attempt.startedAt : createdAt;
}
