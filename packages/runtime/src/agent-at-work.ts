import {
  type AgentAtWork,
  asksForGrant,
  type CommentEvent,
  type InboundEvent,
  instantOf,
  type Policy,
  type Target,
  type UnansweredQuestion,
} from "@loopwork/core";
import type { StoredEvent, Turn } from "@loopwork/core/ports";
import type { AskingParts } from "./resolution-answers.ts";
import { ownAccount } from "./own-doing.ts";

/** The log since then is read in pages of so many lines, and so many pages at most. */
const [pageLines, mostPages] = [1_000, 10];

/**
 * Whether a turn runs, or ran when the comment was written: its agent may have written it. A turn
 * of any work item counts, as nothing keeps an agent's tools to its own. Undefined where nobody
 * needs to know, as in anything but a grant.
 */
export async function agentAtWork(
  event: InboundEvent,
  target: Target | null,
  policy: Policy,
  parts: AskingParts,
  unanswered: UnansweredQuestion[],
): Promise<AgentAtWork | null | undefined> {
  if (target === null || !asksForGrant(event, policy)) return undefined;
  return whoWasAtWork(event, parts, unanswered);
}

/** The same for a comment of which somebody needs to know it; null where no turn ran. */
export async function whoWasAtWork(
  event: CommentEvent,
  parts: AskingParts,
  unanswered: UnansweredQuestion[],
): Promise<AgentAtWork | null> {
  const written = instantOf(event.comment.createdAt ?? event.at) ?? parts.clock.now();
  return (await ranSince(written, parts)) ? { own: await ownAccount(parts, unanswered) } : null;
}

/**
 * Whatever the log says of a turn since then shows that it had not ended. What more lines than are
 * read may say counts as if one ran.
 */
async function ranSince(written: number, { store }: AskingParts): Promise<boolean> {
  if ((await store.lanes.turns({ states: ["injecting"], limit: 1 })).length > 0) return true;
  const later = new Set<number>();
  let afterId = 0;
  for (let page = 0; page < mostPages; page += 1) {
    const lines = await store.events.list({ since: written, afterId, limit: pageLines });
    for (const id of turnsOf(lines)) {
      if (later.has(id)) continue;
      if (hadBegun(await store.lanes.turn(id), written)) return true;
      later.add(id);
    }
    if (lines.length < pageLines) return false;
    afterId = lines.at(-1)?.id ?? afterId;
  }
  return true;
}

function turnsOf(lines: readonly StoredEvent[]): readonly number[] {
  return lines.flatMap(({ fields }) =>
    typeof fields["turn"] === "number" ? [fields["turn"]] : [],
  );
}

/** The host tells times in whole seconds, so that a turn which began within that second counts. */
function hadBegun(turn: Turn | null, written: number): boolean {
  return turn !== null && beganAt(turn) < written + 1_000;
}

/**
 * When its first attempt began, as far as is known: of several only the newest has its time.
 * Infinity where none did.
 */
function beganAt({ attempt, attempts, createdAt }: Turn): number {
  if (attempt === null) return Infinity;
  return attempts === 1 ? attempt.startedAt : createdAt;
}
