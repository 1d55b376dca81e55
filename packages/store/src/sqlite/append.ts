import { type NewDelivery, replayWindowMs } from "@loopwork/core";
import type { Acceptance } from "@loopwork/core/ports";
import { backlogFull, closedError, unavailable } from "../errors.ts";
import { countUndecided, moveCursor, undecidedAtMost } from "./backlog.ts";
import { type Bodies, inlineBytes, type Place, SegmentGone } from "./bodies.ts";
import { createBodyWriter } from "./body-writer.ts";
import type { Database } from "./database.ts";
import type { GroupCommit } from "./group-commit.ts";
import { text } from "./rows.ts";

export type Appender = {
  append(delivery: NewDelivery): Promise<Acceptance>;
  /** Resolves once everything that came before is stored or refused; refuses what comes after. */
  close(): Promise<void>;
};

/** What the deliveries of one transaction share. */
export type AppendBatch = {
  /** How many more undecided deliveries there is room for; null until somebody asked. */
  room: number | null;
  /** Set by a delivery that nobody will decide. */
  ignored: boolean;
  /** Bodies that were kept, by the number of their segment. */
  readonly kept: Map<number, number>;
};

type Target = { readonly db: Database; readonly bodies: Bodies; readonly instance: string; readonly maxBacklog: number };

export function newBatch(): AppendBatch {
  return { room: null, ignored: false, kept: new Map() };
}

/** What has to be done once for all deliveries of a transaction, before its commit. */
export function finishBatch({ db, bodies, instance }: Pick<Target, "db" | "bodies" | "instance">, { kept, ignored }: AppendBatch): void {
  for (const [segment, count] of kept) bodies.count(segment, count);
  // Nobody decides what is ignored, so that a stretch of it would be read again and again.
  if (ignored) moveCursor(db, instance);
}

/**
 * The inbox. Everything is answered after its commit, duplicates too: what a delivery repeats is durable by then. A large
 * body is flushed first, off the thread, and only when the delivery is not known yet.
 */
export function createAppender(target: Target, group: GroupCommit<AppendBatch>): Appender {
  const writer = createBodyWriter(target.bodies, (deliveries) => target.db.read(() => deliveries.map((delivery) => duplicateOf(target.db, delivery))));
  let underWay = 0;
  let closed = false;
  let whenIdle: () => void = () => {};

  const store = async (delivery: NewDelivery): Promise<Acceptance | null> => {
    const small = delivery.body === null || delivery.body.length <= inlineBytes;
    const body = small ? delivery.body : await writer.write(delivery, delivery.body);
    return body !== null && "kind" in body ? body : group.submit((batch) => storeDelivery(target, batch, delivery, body));
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
    if (answer === null) throw backlogFull(target.maxBacklog);
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
function storeDelivery(target: Target, batch: AppendBatch, delivery: NewDelivery, body: Uint8Array | Place | null): Acceptance | null {
  const { db, bodies } = target;
  const { id, source, event, verified, receivedAt, digest, ignored } = delivery;
  if (ignored === null) batch.room ??= roomFor(target);
  const full = ignored === null && (batch.room ?? 0) <= 0;
  // What is new needs one look-up only: that its id is new the insertion finds out.
  if (full || replayed(db, delivery) !== null) return duplicateOf(db, delivery);
  const { id: seq, changes } = db.run(
    "insert into delivery (id, source, event, verified, received_at, digest, ignored) values (?, ?, ?, ?, ?, ?, ?) on conflict (id) do nothing",
    id,
    source,
    event,
    verified ? 1 : 0,
    receivedAt,
    digest,
    ignored,
  );
  if (changes === 0) return { kind: "duplicate", why: "id", of: id };
  if (ignored === null) batch.room = (batch.room ?? 0) - 1;
  else batch.ignored = true;
  if (body !== null) bodies.keep(seq, body);
  if (body !== null && "segment" in body) batch.kept.set(body.segment, (batch.kept.get(body.segment) ?? 0) + 1);
  return { kind: "accepted", seq };
}

/** What the delivery repeats: its id, or a verified delivery of the same event and body within the replay window (R03, R04). */
function duplicateOf(db: Database, delivery: NewDelivery): Acceptance | null {
  const { id } = delivery;
  if (db.get("select 1 from delivery where id = ?", id) !== null) return { kind: "duplicate", why: "id", of: id };
  const of = replayed(db, delivery);
  return of === null ? null : { kind: "duplicate", why: "replay", of };
}

function replayed(db: Database, { event, verified, receivedAt, digest, allowReplay }: NewDelivery): string | null {
  if (!verified || allowReplay === true) return null;
  const row = db.get("select id from delivery where verified = 1 and digest = ? and event = ? and received_at >= ? order by received_at desc limit 1", digest, event, receivedAt - replayWindowMs);
  return row === null ? null : text(row, "id");
}

/**
 * How many more deliveries fit under the bound. Counts only when the length of the log says that it could be close; far
 * from it a bound from below will do.
 */
function roomFor({ db, instance, maxBacklog }: Target): number {
  const atLeast = maxBacklog - undecidedAtMost(db, instance);
  return atLeast > maxBacklog / 2 ? atLeast : maxBacklog - countUndecided(db, instance);
}
