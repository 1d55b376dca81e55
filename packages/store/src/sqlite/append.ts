import type { NewDelivery } from "@loopwork/core";
import type { Acceptance, InboxUnavailable } from "@loopwork/core/ports";
import { backlogFull, closedError, StoreError, unavailable } from "../errors.ts";
import { replayWindowMs } from "../model/limits.ts";
import type { Bodies, BodyBatch } from "./bodies.ts";
import { countUndecided, moveCursor, undecidedAtMost } from "./backlog.ts";
import type { Database } from "./database.ts";
import { text } from "./rows.ts";

export type Appender = {
  append(delivery: NewDelivery): Promise<Acceptance>;
  /** Stores what waits. */
  flush(): void;
  close(): void;
};

type Waiter = { readonly delivery: NewDelivery; resolve(acceptance: Acceptance): void; reject(error: InboxUnavailable): void };
type Answer = Acceptance | InboxUnavailable;
type Target = { readonly db: Database; readonly bodies: Bodies; readonly instance: string; readonly maxBacklog: number };

/**
 * Group commit without a timer. The first append of an idle store asks for a flush at the end of this round of the event
 * loop; whatever arrives until then, and that is everything that queued up in the sockets while the last flush held the
 * thread, shares one transaction and one flush. Everybody is answered after the commit, duplicates too: the twin in the
 * same batch is durable by then. A failed commit rejects every waiter.
 */
export function createAppender(db: Database, bodies: Bodies, instance: string, maxBacklog: number): Appender {
  const target: Target = { db, bodies, instance, maxBacklog };
  let waiting: Waiter[] = [];
  let closed = false;

  const flush = (): void => {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    for (const [n, answer] of storeAll(target, batch.map((each) => each.delivery)).entries()) {
      if (answer instanceof Error) batch[n]?.reject(answer);
      else batch[n]?.resolve(answer);
    }
  };

  return {
    append: (delivery) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(unavailable(closedError()));
        waiting.push({ delivery, resolve, reject });
        if (waiting.length === 1) setImmediate(flush);
      }),
    flush,
    close: () => {
      closed = true;
      flush();
    },
  };
}

/** One answer a delivery. When one row alone cannot be stored, each is stored for itself so that it takes no other down. */
function storeAll(target: Target, batch: readonly NewDelivery[]): readonly Answer[] {
  const { db, bodies, instance, maxBacklog } = target;
  try {
    return db.write(() => {
      const bodyBatch = bodies.begin();
      let room = roomFor(db, instance, maxBacklog, batch.length);
      const answers = batch.map((delivery) => {
        const answer = storeOne(db, bodyBatch, delivery, room > 0) ?? backlogFull(maxBacklog);
        if (!(answer instanceof Error) && answer.kind === "accepted" && delivery.ignored === null) room -= 1;
        return answer;
      });
      bodyBatch.write();
      // Nobody decides what is ignored, so that a stretch of it would be read again and again.
      if (batch.some((delivery) => delivery.ignored !== null)) moveCursor(db, instance);
      return answers;
    });
  } catch (error) {
    if (error instanceof StoreError || batch.length === 1) return batch.map(() => unavailable(error));
    return batch.flatMap((delivery) => storeAll(target, [delivery]));
  }
}

/** Null when there is no room for a delivery that would have to be decided. */
function storeOne(db: Database, bodyBatch: BodyBatch, delivery: NewDelivery, room: boolean): Acceptance | null {
  const { id, source, event, verified, receivedAt, digest, ignored, body } = delivery;
  if (db.get("select 1 from delivery where id = ?", id) !== null) return { kind: "duplicate", why: "id", of: id };
  const original = verified && delivery.allowReplay !== true ? originalOf(db, delivery) : null;
  if (original !== null) return { kind: "duplicate", why: "replay", of: original };
  if (ignored === null && !room) return null;
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
  if (body !== null) bodyBatch.put(seq, body);
  return { kind: "accepted", seq };
}

/** The newest verified delivery of the same event and body, when it came within the replay window (R04). */
function originalOf(db: Database, { digest, event, receivedAt }: NewDelivery): string | null {
  const row = db.get("select id from delivery where verified = 1 and digest = ? and event = ? and received_at >= ? order by received_at desc limit 1", digest, event, receivedAt - replayWindowMs);
  return row === null ? null : text(row, "id");
}

/** How many more deliveries fit under the bound. Counts only when the log's length says that it could be close. */
function roomFor(db: Database, instance: string, maxBacklog: number, wanted: number): number {
  const most = undecidedAtMost(db, instance);
  return most + wanted <= maxBacklog ? wanted : maxBacklog - countUndecided(db, instance);
}
