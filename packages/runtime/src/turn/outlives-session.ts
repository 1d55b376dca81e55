import type { Settled, TakenLane } from "@loopwork/core/ports";
import { eventLine } from "../event-line.ts";
import type { RuntimeParts } from "../parts.ts";

/**
 * A stop that was decided while an attempt was being judged found no turn that it could drop: the
 * turn was at work, and is ready again now. Where its session has ended it is not tried again, also
 * if somebody has started the item anew since: that start begins afresh. What a person has asked to
 * try again counts as never tried.
 */
export async function outlivesItsSession(
  taken: TakenLane,
  { store }: Pick<RuntimeParts, "store">,
): Promise<boolean> {
  const { turn, item } = taken;
  if (
    turn.attempts === 0 ||
    item.sessions.some(
      ({ endpoint, status }) =>
        endpoint === turn.lane && (status === "active" || status === "lost"),
    )
  )
    return false;
  const status = item.workItem?.control.status;
  return status === "stopped" || status === "closed" || (await wasEnded(taken, store));
}

/**
 * Whether its session was ended since its newest attempt began, and not only closed by hand, which
 * lets turns go on.
 */
async function wasEnded({ turn }: TakenLane, { events }: RuntimeParts["store"]): Promise<boolean> {
  const closings = await events.list({
    workItem: turn.workItem,
    kind: "session.closed",
    since: turn.attempt?.startedAt ?? turn.createdAt,
    limit: mostLines,
    newestFirst: true,
  });
  return closings.some(
    ({ reason, fields }) => fields["endpoint"] === turn.lane && reason !== null && ends.has(reason),
  );
}

/** Why the service itself ends a session (core, effect.ts). */
const ends: ReadonlySet<string> = new Set(["stopped", "cleaned-up", "closed"] as const);

/** Ends of sessions of one item that are read. */
const mostLines = 50;

/** The write for such a turn. */
export function settledAsOver(taken: TakenLane, parts: RuntimeParts): Settled {
  const { turn } = taken;
  const note = "its session was ended while the last attempt was being judged";
  const line = eventLine(parts, "turn.dropped", {
    workItem: turn.workItem,
    delivery: turn.inputs.at(-1)?.deliveryId ?? null,
    reason: note,
    fields: { turn: turn.id },
  });
  return {
    state: "dropped",
    note,
    next: turn.next,
    notBefore: 0,
    fold: (item) => item,
    effects: [],
    lines: [line],
  };
}
