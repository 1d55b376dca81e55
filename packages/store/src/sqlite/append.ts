import type { Acceptance, NewDelivery } from "@loopwork/core/ports";
import { backlogFull, closedError, unavailable } from "../errors.ts";
import { countUndecided, moveCursor, undecidedAtMost } from "./backlog.ts";
import { type Bodies, inlineBytes, type Place, SegmentGone } from "./bodies.ts";
import { createBodyWriter, type Known } from "./body-writer.ts";
import type { Database } from "./database.ts";
import type { Batching, GroupCommit } from "./group-commit.ts";
import type { Replays } from "./replays.ts";
import { text } from "../rows.ts";

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

type Target = {
  readonly db: Database;
  readonly bodies: Bodies;
  readonly replays: Replays;
  readonly instance: string;
  readonly maxBacklog: number;
};

/** What has to be done once for all deliveries of a transaction. */
export function appending({ db, bodies, replays, instance }: Target): Batching<AppendBatch> {
  return {
    begin: () => ({ room: null, ignored: false, kept: new Map() }),
    finish: ({ room, kept, ignored }) => {
      for (const [segment, count] of kept) bodies.count(segment, count);
      // Nobody decides what is ignored, so that a stretch of it would be read again and again.
      if (ignored) moveCursor(db, instance);
      if (room !== null) replays.index();
    },
    undone: () => replays.forget(),
  };
}

/**
 * The inbox. Everything is answered after its commit, duplicates too: what a delivery repeats is
 * durable by then. A large body is flushed first, off the thread, and only when the delivery is not
 * known yet.
 */
export function createAppender(target: Target, group: GroupCommit<AppendBatch>): Appender {
  const write = createBodyWriter(target.bodies, (deliveries) => knownOf(target, deliveries));
  let underWay = 0;
  let closed = false;
  let whenIdle: () => void = () => {};

  // One promise a delivery and callbacks between the steps: each promise more is felt at this rate.
  const append = (delivery: NewDelivery): Promise<Acceptance> =>
    new Promise((resolve, reject) => {
      let attempts = 0;
      const settle = (error: unknown, answer: Acceptance | null): void => {
        if (error instanceof SegmentGone && attempts === 1) return store();
        underWay -= 1;
        if (underWay === 0) whenIdle();
        if (error !== null) reject(unavailable(error));
        else if (answer === null) reject(backlogFull(target.maxBacklog));
        else resolve(answer);
      };
      const failed = (error: unknown): void => settle(error, null);
      const commit = (body: Uint8Array | Place | null, since: number): void => {
        let answer: Acceptance | null = null;
        group.add({
          run: (batch) => void (answer = storeDelivery(target, batch, delivery, body, since)),
          settle: (error) => settle(error, answer),
        });
      };
      const answerAfter = (answer: Acceptance): void =>
        group.add({ run: () => {}, settle: (error) => settle(error, answer) });
      const store = (): void => {
        const { body } = delivery;
        attempts += 1;
        if (body === null || body.length <= inlineBytes) commit(body, 0);
        else write({ delivery, body, written: commit, repeats: answerAfter, failed });
      };
      underWay += 1;
      if (closed) failed(closedError());
      else store();
    });

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

/**
 * Null when there is no room for a delivery that would have to be decided. `since`: up to this seq
 * it repeats none.
 */
function storeDelivery(
  target: Target,
  batch: AppendBatch,
  delivery: NewDelivery,
  body: Uint8Array | Place | null,
  since: number,
): Acceptance | null {
  const { db, bodies, replays } = target;
  const { id, source, event, verified, receivedAt, digest, ignored } = delivery;
  if (batch.room === null) {
    replays.sync();
    batch.room = roomFor(target);
  }
  const of = replays.find(delivery, since);
  // What is new needs one look-up only: that its id is new the insertion finds out.
  if (of !== null || (ignored === null && batch.room <= 0))
    return isKnown(db, id) ? repeated(id) : replayOf(of);
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
  if (changes === 0) return repeated(id);
  if (ignored === null) batch.room -= 1;
  else batch.ignored = true;
  replays.note(delivery, seq);
  if (body !== null) bodies.keep(seq, body);
  if (body !== null && "segment" in body)
    batch.kept.set(body.segment, (batch.kept.get(body.segment) ?? 0) + 1);
  return { kind: "accepted", seq };
}

/**
 * What each repeats: its id, or a verified delivery of the same event and body within the replay
 * window.
 */
function knownOf({ db, replays }: Target, deliveries: readonly NewDelivery[]): Known {
  return db.read(() => {
    replays.sync();
    const ids = db.all(
      "select value from json_each(?) where exists (select 1 from delivery where id = value)",
      JSON.stringify(deliveries.map(({ id }) => id)),
    );
    const stored = new Set(ids.map((row) => text(row, "value")));
    const replayed = replays.findAll(deliveries);
    return {
      repeats: deliveries.map(({ id }, n) =>
        stored.has(id) ? repeated(id) : replayOf(replayed[n] ?? null),
      ),
      since: replays.known(),
    };
  });
}

function isKnown(db: Database, id: string): boolean {
  return db.get("select 1 from delivery where id = ?", id) !== null;
}

function repeated(id: string): Acceptance {
  return { kind: "duplicate", why: "id", of: id };
}

function replayOf(of: string | null): Acceptance | null {
  return of === null ? null : { kind: "duplicate", why: "replay", of };
}

/**
 * How many more deliveries fit under the bound. Counts only when the length of the log says that it
 * could be close; far from it a bound from below will do.
 */
function roomFor({ db, instance, maxBacklog }: Target): number {
  const atLeast = maxBacklog - undecidedAtMost(db, instance);
  return atLeast > maxBacklog / 2 ? atLeast : maxBacklog - countUndecided(db, instance);
}
