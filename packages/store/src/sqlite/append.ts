import { type NewDelivery, replayWindowMs } from "@loopwork/core";
import type { Acceptance } from "@loopwork/core/ports";
import { backlogFull, unavailable } from "../errors.ts";
import { countUndecided, undecidedAtMost } from "./backlog.ts";
import type { Database } from "./database.ts";
import type { Batch, GroupCommit } from "./group-commit.ts";
import { text } from "./rows.ts";

/** The inbox: duplicates too are answered after the commit, so that the twin in the same batch is durable by then. */
export function createAppend(db: Database, group: GroupCommit, instance: string, maxBacklog: number): (delivery: NewDelivery) => Promise<Acceptance> {
  return async (delivery) => {
    let answer: Acceptance | null;
    try {
      answer = await group.submit((batch) => storeDelivery(db, batch, delivery, () => roomFor(db, instance, maxBacklog)));
    } catch (error) {
      throw unavailable(error);
    }
    if (answer === null) throw backlogFull(maxBacklog);
    return answer;
  };
}

/** Null when there is no room for a delivery that would have to be decided. */
function storeDelivery(db: Database, batch: Batch, delivery: NewDelivery, countRoom: () => number): Acceptance | null {
  const { id, source, event, verified, receivedAt, digest, ignored, body } = delivery;
  if (db.get("select 1 from delivery where id = ?", id) !== null) return { kind: "duplicate", why: "id", of: id };
  const original = verified && delivery.allowReplay !== true ? originalOf(db, delivery) : null;
  if (original !== null) return { kind: "duplicate", why: "replay", of: original };
  if (ignored === null) {
    batch.room ??= countRoom();
    if (batch.room <= 0) return null;
    batch.room -= 1;
  } else batch.ignored = true;
  const { id: seq } = db.run(
    "insert into delivery (id, source, event, verified, received_at, digest, ignored) values (?, ?, ?, ?, ?, ?, ?)",
    id,
    source,
    event,
    verified ? 1 : 0,
    receivedAt,
    digest,
    ignored,
  );
  if (body !== null) batch.bodies.put(seq, body);
  return { kind: "accepted", seq };
}

/** The newest verified delivery of the same event and body, when it came within the replay window (R04). */
function originalOf(db: Database, { digest, event, receivedAt }: NewDelivery): string | null {
  const row = db.get("select id from delivery where verified = 1 and digest = ? and event = ? and received_at >= ? order by received_at desc limit 1", digest, event, receivedAt - replayWindowMs);
  return row === null ? null : text(row, "id");
}

/**
 * How many more deliveries fit under the bound. Counts only when the length of the log says that it could be close; far
 * from it a bound from below will do.
 */
function roomFor(db: Database, instance: string, maxBacklog: number): number {
  const atLeast = maxBacklog - undecidedAtMost(db, instance);
  return atLeast > maxBacklog / 2 ? atLeast : maxBacklog - countUndecided(db, instance);
}
