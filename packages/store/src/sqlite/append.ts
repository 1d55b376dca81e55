import { type NewDelivery, replayWindowMs } from "@loopwork/core";
import type { Acceptance } from "@loopwork/core/ports";
import { backlogFull, closedError, unavailable } from "../errors.ts";
import { countUndecided, undecidedAtMost } from "./backlog.ts";
import { type Bodies, inlineBytes, type Place, SegmentGone } from "./bodies.ts";
import { createBodyWriter } from "./body-writer.ts";
import type { Database } from "./database.ts";
import type { Batch, GroupCommit } from "./group-commit.ts";
import { text } from "./rows.ts";

export type Appender = {
  append(delivery: NewDelivery): Promise<Acceptance>;
  /** Resolves once everything that came before is stored or refused; refuses what comes after. */
  close(): Promise<void>;
};

/**
 * The inbox. Everything is answered after its commit, duplicates too: what a delivery repeats is durable by then. A large
 * body is flushed first, off the thread, and only when the delivery is not known yet.
 */
export function createAppender(db: Database, bodies: Bodies, group: GroupCommit, instance: string, maxBacklog: number): Appender {
  const writer = createBodyWriter(bodies);
  let underWay = 0;
  let closed = false;
  let whenIdle: () => void = () => {};

  const store = async (delivery: NewDelivery): Promise<Acceptance | null> => {
    const { body } = delivery;
    if (body === null || body.length <= inlineBytes) return group.submit((batch) => storeDelivery(db, bodies, batch, delivery, body, () => roomFor(db, instance, maxBacklog)));
    const known = db.read(() => duplicateOf(db, delivery));
    if (known !== null) return known;
    const place = await writer.write(body);
    return group.submit((batch) => storeDelivery(db, bodies, batch, delivery, place, () => roomFor(db, instance, maxBacklog)));
  };

  const append = async (delivery: NewDelivery): Promise<Acceptance> => {
    let answer: Acceptance | null;
    underWay += 1;
    try {
      if (closed) throw closedError();
      answer = await store(delivery).catch((error: unknown) => (error instanceof SegmentGone ? store(delivery) : Promise.reject(error)));
    } catch (error) {
      throw unavailable(error);
    } finally {
      underWay -= 1;
      if (underWay === 0) whenIdle();
    }
    if (answer === null) throw backlogFull(maxBacklog);
    return answer;
  };

  return {
    append,
    close: () => {
      closed = true;
      return new Promise((resolve) => {
        whenIdle = resolve;
        if (underWay === 0) resolve();
      });
    },
  };
}

/** Null when there is no room for a delivery that would have to be decided. */
function storeDelivery(db: Database, bodies: Bodies, batch: Batch, delivery: NewDelivery, body: Uint8Array | Place | null, countRoom: () => number): Acceptance | null {
  const { id, source, event, verified, receivedAt, digest, ignored } = delivery;
  const known = duplicateOf(db, delivery);
  if (known !== null) return known;
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
  if (body !== null) bodies.keep(seq, body);
  return { kind: "accepted", seq };
}

/** What the delivery repeats: its id, or a verified delivery of the same event and body within the replay window (R03, R04). */
function duplicateOf(db: Database, { id, event, verified, receivedAt, digest, allowReplay }: NewDelivery): Acceptance | null {
  if (db.get("select 1 from delivery where id = ?", id) !== null) return { kind: "duplicate", why: "id", of: id };
  if (!verified || allowReplay === true) return null;
  const row = db.get("select id from delivery where verified = 1 and digest = ? and event = ? and received_at >= ? order by received_at desc limit 1", digest, event, receivedAt - replayWindowMs);
  return row === null ? null : { kind: "duplicate", why: "replay", of: text(row, "id") };
}

/**
 * How many more deliveries fit under the bound. Counts only when the length of the log says that it could be close; far
 * from it a bound from below will do.
 */
function roomFor(db: Database, instance: string, maxBacklog: number): number {
  const atLeast = maxBacklog - undecidedAtMost(db, instance);
  return atLeast > maxBacklog / 2 ? atLeast : maxBacklog - countUndecided(db, instance);
}
