import { join } from "node:path";
import {
  type InboundEvent,
  instantOf,
  isAgentsAccount,
  type OwnBy,
  type Policy,
} from "@loopwork/core";
import { type Account, sameAccount, type StoredEvent } from "@loopwork/core/ports";
import { purposeOf } from "./handlers/reply.ts";
import type { RuntimeParts } from "./parts.ts";
import { purposeOfRequest } from "./turn/requests.ts";

type CommentEvent = Extract<InboundEvent, { kind: "comment" }>;

/**
 * What recognising a comment needs; `ownAccount` is that of the token, null where the host does not
 * tell.
 */
export type CommentParts = Pick<
  RuntimeParts,
  "store" | "marks" | "clock" | "settings" | "files"
> & { readonly ownAccount: () => Promise<Account | null> };

/**
 * By what a comment is our own; null where it is somebody else's. Our login and our valid marker
 * together, or a post that stands in our log: the service's own, or one that a hook saw an agent
 * make. A forged marker suppresses nothing, and neither does a valid one under another login, which
 * somebody copied.
 */
export async function ourComment(
  event: CommentEvent,
  policy: Policy,
  parts: CommentParts,
): Promise<OwnBy | null> {
  const marked = parts.marks.isOurs(event.comment.body);
  if (marked && (await isOwn(event, parts))) return "marker";
  const named = await parts.store.events.list({
    kind: "host.posted",
    comment: event.comment.id,
    limit: mostLines,
  });
  const lines = named.filter(
    ({ fields }) => (fields["surface"] ?? "conversation") === event.surface,
  );
  if (
    lines.some((line) => isServices(line, event, marked, parts)) ||
    (marked && (await isBeingPosted(event.comment.body, parts)))
  )
    return "service-record";
  return (await isAgents(lines, event, policy, parts)) ? "hook-record" : null;
}

async function isOwn({ actor }: CommentEvent, { ownAccount }: CommentParts): Promise<boolean> {
  const own = await ownAccount();
  return own !== null && actor !== null && sameAccount(own, actor);
}

/** Lines that are read about one comment; a turn names each once. */
const mostLines = 100;

/**
 * The service wrote down what the host had answered. What was noted long before the comment was
 * made is another comment, of a repository that was there before; our marker on just these words
 * says that much by itself, however far the clocks are apart.
 */
function isServices(
  { reason, time }: StoredEvent,
  { at, comment }: CommentEvent,
  marked: boolean,
  { clock }: CommentParts,
): boolean {
  return (
    reason !== byTool &&
    (marked || time >= (instantOf(at ?? comment.createdAt) ?? clock.now()) - clocksApartMs)
  );
}

/**
 * A daemon that died between the host's answer and its line in our log left the post on record as
 * one that it was about to make: a reply of its own in the outbox, what an agent says with `loop
 * comment` or `loop ask` as a request in its turn's folder.
 */
async function isBeingPosted(body: string, parts: CommentParts): Promise<boolean> {
  const isFor = (purpose: string): boolean => body.includes(parts.marks.marker(purpose));
  const pending = await parts.store.outbox.pending({ limit: 1_000 });
  if (
    pending.some(
      (entry) =>
        entry.effect.kind === "reply" && entry.attempts > 0 && isFor(purposeOf(entry, parts)),
    )
  )
    return true;
  for (const turn of await parts.store.lanes.turns({ states: ["injecting"], limit: mostLines })) {
    const waiting = await parts.files.waitingRequests(
      join(parts.settings().turnsDir, String(turn.id)),
    );
    if (waiting.some((name) => isFor(purposeOfRequest(turn, name)))) return true;
  }
  return mayHaveBeenPosted(isFor, parts);
}

/**
 * A request that was tried again after such a death, and failed before the host could be asked for
 * the comment: answered with that, and posted all the same.
 */
async function mayHaveBeenPosted(
  isFor: (purpose: string) => boolean,
  { store }: CommentParts,
): Promise<boolean> {
  const [failed, posted] = await Promise.all(
    (["host.failed", "host.posted"] as const).map((kind) =>
      store.events.list({ kind, limit: mostLines, newestFirst: true }),
    ),
  );
  const isOf = ({ fields: { purpose } }: StoredEvent): boolean =>
    typeof purpose === "string" && isFor(purpose);
  return failed?.some(isOf) === true && posted?.some(isOf) !== true;
}

/** How far the host's clock may lie before ours. */
const clocksApartMs = 2 * 60_000;

/** Reason of the line that notes a post of an agent's own tools. */
export const byTool = "agent-tool";

/**
 * The hook's word is a file that anything inside of the turn can write, so it counts for no more
 * than the agent can have done: a comment under a login that its tools may have, made in its turn
 * and before it was named. On which item does not matter, as those tools reach them all.
 */
async function isAgents(
  lines: readonly StoredEvent[],
  { actor, at, comment }: CommentEvent,
  policy: Policy,
  { ownAccount }: CommentParts,
): Promise<boolean> {
  const made = instantOf(comment.createdAt ?? at);
  if (
    actor === null ||
    made === null ||
    !firstOfTurns(lines).some((line) => wasNamedAfter(made, line))
  )
    return false;
  return isAgentsAccount(actor, await ownAccount(), policy);
}

/**
 * Of each turn the first line decides: whoever names a comment that is not there yet is guessing
 * what people will say.
 */
function firstOfTurns(lines: readonly StoredEvent[]): readonly StoredEvent[] {
  const named = lines.filter(({ reason }) => reason === byTool);
  return named.filter(
    ({ fields }, n) => named.findIndex((other) => other.fields["turn"] === fields["turn"]) === n,
  );
}

function wasNamedAfter(made: number, { fields, time }: StoredEvent): boolean {
  const began = fields["began"];
  return typeof began === "number" && wholeSecond(began) <= made && made <= time;
}

/** The host tells times in whole seconds. */
function wholeSecond(time: number): number {
  return time - (time % 1_000);
}
