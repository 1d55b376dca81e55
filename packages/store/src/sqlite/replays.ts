import { type NewDelivery, replayWindowMs } from "@loopwork/core/ports";
import type { Database } from "./database.ts";
import { integer, text } from "../rows.ts";

/**
 * Finds what a delivery replays: a verified one of the same event and body within the replay
 * window.
 */
export type Replays = {
  /**
   * Takes in what was stored since, by this handle or another. Once in each transaction, before the
   * others.
   */
  sync(): void;
  /** All deliveries up to this seq are known since the last `sync`. */
  known(): number;
  /** Id of the last one that each replays. */
  findAll(deliveries: readonly NewDelivery[]): readonly (string | null)[];
  /** The same for one. `since`: those up to this seq were asked for before. */
  find(delivery: NewDelivery, since: number): string | null;
  /** Takes in a delivery that is being stored. */
  note(delivery: NewDelivery, seq: number): void;
  /**
   * Moves what is known into the index, in the transaction that stored the last of it, when it is a
   * lot.
   */
  index(): void;
  /** What was noted since the last `sync` was not stored after all. */
  forget(): void;
};

/** Verified deliveries that have a digest in common, the last one first. */
type Kept = {
  readonly id: string;
  readonly event: string;
  readonly receivedAt: number;
  readonly earlier: Kept | null;
};

/** Deliveries that stand in memory alone until they are put into the index together. */
const defaultTogether = 2_048;

/** Characters of a digest that the index holds. */
const prefixLength = 12;

/**
 * The newest deliveries are looked up in memory, which every handle fills from the rows; the others
 * in an index that grows by many at a time, in its own order. Digests are spread evenly, so that an
 * index kept up to date would take another page through the log with each of them.
 */
export function createReplays(db: Database, together: number = defaultTogether): Replays {
  const newest = new Map<string, Kept>();
  // In memory are those after `indexed` up to `known`.
  let indexed = 0;
  let known = 0;

  const add = (id: string, event: string, digest: string, receivedAt: number): void => {
    newest.set(digest, { id, event, receivedAt, earlier: newest.get(digest) ?? null });
  };

  const startFrom = (seq: number): void => {
    newest.clear();
    known = indexed = seq;
  };

  return {
    sync: () => {
      const row = db.get(
        "select (select coalesce(max(seq), 0) from delivery) as last, (select seq from delivery_replay_end) as indexed",
      );
      if (row === null) return;
      const last = integer(row, "last");
      if (integer(row, "indexed") !== indexed) startFrom(integer(row, "indexed"));
      if (last > known)
        for (const each of db.all(
          "select id, event, digest, received_at from delivery where seq > ? and verified = 1 order by seq",
          known,
        ))
          add(
            text(each, "id"),
            text(each, "event"),
            text(each, "digest"),
            integer(each, "received_at"),
          );
      known = last;
    },
    known: () => known,
    findAll: (deliveries) => {
      const indexedAs = indexed === 0 ? new Set() : indexedOf(db, deliveries);
      return deliveries.map(
        (delivery) =>
          replayedOf(newest, delivery) ??
          (indexedAs.has(prefixOf(delivery)) ? findIndexed(db, delivery) : null),
      );
    },
    find: (delivery, since) =>
      replayedOf(newest, delivery) ?? (since >= indexed ? null : findIndexed(db, delivery)),
    note: ({ id, event, digest, receivedAt, verified }, seq) => {
      if (verified) add(id, event, digest, receivedAt);
      known = seq;
    },
    index: () => {
      if (known - indexed < together) return;
      db.run(
        `insert into delivery_replay (digest, seq) select substr(digest, 1, ${prefixLength}), seq from delivery where seq > ? and verified = 1 order by 1, 2`,
        indexed,
      );
      db.run("update delivery_replay_end set seq = ?", known);
    },
    // The next sync reads anew what is there.
    forget: () => startFrom(indexed),
  };
}

function replayedOf(newest: ReadonlyMap<string, Kept>, delivery: NewDelivery): string | null {
  if (!countsByBody(delivery)) return null;
  const earliest = delivery.receivedAt - replayWindowMs;
  let kept = newest.get(delivery.digest) ?? null;
  while (kept !== null && (kept.event !== delivery.event || kept.receivedAt < earliest))
    kept = kept.earlier;
  return kept === null ? null : kept.id;
}

/** Those beginnings of digests that the index holds: of new deliveries hardly any. */
function indexedOf(db: Database, deliveries: readonly NewDelivery[]): ReadonlySet<string> {
  const rows = db.all(
    "select value from json_each(?) where exists (select 1 from delivery_replay where digest = value)",
    JSON.stringify(deliveries.map(prefixOf)),
  );
  return new Set(rows.map((row) => text(row, "value")));
}

function findIndexed(db: Database, delivery: NewDelivery): string | null {
  if (!countsByBody(delivery)) return null;
  const row = db.get(
    `select id from delivery_replay join delivery using (seq) where delivery_replay.digest = ?
    and delivery.digest = ? and event = ? and received_at >= ? order by seq desc limit 1`,
    prefixOf(delivery),
    delivery.digest,
    delivery.event,
    delivery.receivedAt - replayWindowMs,
  );
  return row === null ? null : text(row, "id");
}

function prefixOf({ digest }: NewDelivery): string {
  return digest.slice(0, prefixLength);
}

function countsByBody({ verified, allowReplay }: NewDelivery): boolean {
  return verified && allowReplay !== true;
}
