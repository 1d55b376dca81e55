import { crc32 } from "node:zlib";
import { StoreError } from "../errors.ts";
import type { Database } from "./database.ts";
import { failureOf } from "./failure.ts";
import { forgetInPieces, type Piece, rowsAtOnce } from "./forget.ts";
import { blob, integer, type Row } from "../rows.ts";
import { createSegments, type Segments } from "./segments.ts";

/**
 * Raw bodies. Large ones stand beside the database in segment files: in it each would be written
 * twice, to the write-ahead log and into its table, while the thread waits. A segment belongs to
 * the handle that made it, so that places in it are given without a lock and it is written off the
 * thread. A body is flushed before the row that names it is committed, and a number is never given
 * twice, so that no row ever names what is not there.
 */
export type Bodies = {
  /**
   * Writes and flushes bodies that are over `inlineBytes`; not to be called again before it
   * settled.
   */
  write(bodies: readonly Uint8Array[]): Promise<readonly Place[]>;
  /** Keeps a body, in the transaction of its delivery. */
  keep(seq: number, body: Uint8Array | Place): void;
  /**
   * Notes, in the same transaction, how many were kept in a segment. Throws `SegmentGone`: they
   * have to be written again.
   */
  count(segment: number, kept: number): void;
  /**
   * The raw body; null when it was never kept or its retention is over. Throws
   * `LOOP_E_STORE_BODY_DAMAGED`.
   */
  get(seq: number): Uint8Array | null;
  /**
   * Drops bodies of deliveries that `instance` decided and that came before `time`; the number of
   * them. Other work gets its turn in between.
   */
  drop(instance: string, time: number): Promise<number>;
  /** Removes files that a killed process left behind. */
  tidy(): void;
  close(): void;
};

/** Where a flushed body stands. */
export type Place = {
  readonly segment: number;
  readonly start: number;
  readonly length: number;
  readonly crc: number;
};

/** The segment was removed, as nothing in it was kept, between the writing and the commit. */
export class SegmentGone extends Error {}

/** Bodies up to this size stand in the database: one flush is cheaper than two. */
export const inlineBytes: number = 2_048;

/**
 * Age after which a segment that keeps nothing is taken for one that a killed process left behind.
 */
const abandonedMs = 24 * 60 * 60 * 1000;

/** Bytes after which the next body opens a new segment. */
const defaultSegmentBytes = 64 * 1024 * 1024;

export function createBodies(
  db: Database,
  folder: string,
  now: () => number,
  segmentBytes: number = defaultSegmentBytes,
): Bodies {
  const segments = createSegments(folder);
  let current: { readonly number: number; used: number } | null = null;

  // Its row is durable before that of the first delivery in it, as commits are in their order.
  const segmentFor = (bytes: number): { readonly number: number; used: number } => {
    if (current === null || (current.used > 0 && current.used + bytes > segmentBytes))
      current = {
        number: db.write(
          () => db.run("insert into body_segment (kept, made_at) values (0, ?)", now()).id,
        ),
        used: 0,
      };
    return current;
  };

  return {
    write: async (bodies) => {
      const bytes = bodies.reduce((sum, body) => sum + body.length, 0);
      try {
        const segment = segmentFor(bytes);
        const start = segment.used;
        // What failed half-way stays behind `used` and is written over.
        segment.used = await segments.write(segment.number, start, bodies);
        return placesOf(segment.number, start, bodies);
      } catch (error) {
        const failure = failureOf(error);
        if (failure?.code === "LOOP_E_STORE_BROKEN") db.breakOff();
        throw failure ?? error;
      }
    },
    keep: (seq, body) => {
      if (body instanceof Uint8Array)
        return void db.run(
          "insert into delivery_body (seq, body, length) values (?, ?, ?)",
          seq,
          body,
          body.length,
        );
      db.run(
        "insert into delivery_body (seq, segment, start, length, crc) values (?, ?, ?, ?, ?)",
        seq,
        body.segment,
        body.start,
        body.length,
        body.crc,
      );
    },
    count: (segment, kept) => {
      if (
        db.run("update body_segment set kept = kept + ? where number = ?", kept, segment).changes >
        0
      )
        return;
      current = null;
      throw new SegmentGone();
    },
    get: (seq) => {
      const row = db.get(
        "select body, segment, start, length, crc from delivery_body where seq = ?",
        seq,
      );
      if (row === null) return null;
      return row["body"] === null ? readBody(segments, seq, row) : blob(row, "body");
    },
    drop: async (instance, time) => {
      const touched = new Set<number>();
      const count = await forgetInPieces(db, (from) =>
        dropPiece(db, instance, time, from, touched),
      );
      // The file goes after its row: a row that came back would name what is not there.
      for (const number of await db.durably(() => dropSegments(db, touched, now() - abandonedMs)))
        segments.remove(number);
      return count;
    },
    tidy: () => {
      const files = segments.list();
      const known = new Set(
        db
          .read(() => db.all("select number from body_segment"))
          .map((row) => integer(row, "number")),
      );
      for (const number of files) if (!known.has(number)) segments.remove(number);
    },
    close: segments.close,
  };
}

function placesOf(segment: number, from: number, bodies: readonly Uint8Array[]): readonly Place[] {
  let start = from;
  return bodies.map((body) => {
    const place = { segment, start, length: body.length, crc: crc32(body) };
    start += body.length;
    return place;
  });
}

function readBody(segments: Segments, seq: number, row: Row): Uint8Array | null {
  const body = segments.read(
    integer(row, "segment"),
    integer(row, "start"),
    integer(row, "length"),
  );
  if (body !== null && crc32(body) !== integer(row, "crc")) {
    throw new StoreError(
      "LOOP_E_STORE_BODY_DAMAGED",
      `The body of delivery number ${seq} is damaged on the disk.`,
      "Look after the disk; the code host can deliver it again.",
    );
  }
  return body;
}

/**
 * Bodies that are kept, in the order in which they came; of each whether it is old, and whether the
 * instance decided its delivery.
 */
export const keptBodies: string = `select delivery_body.seq, segment, received_at < ? as old, decision.seq is not null as decided
  from delivery_body join delivery on delivery.seq = delivery_body.seq left join decision on decision.instance = ? and decision.seq = delivery_body.seq
  where delivery_body.seq > ? order by delivery_body.seq limit ?`;

/**
 * Rows of old decided deliveries go. They stand in the order in which they came, so that it ends
 * with the first piece that holds no old one: what came with a clock that was behind goes with its
 * neighbours.
 */
function dropPiece(
  db: Database,
  instance: string,
  time: number,
  from: number,
  touched: Set<number>,
): Piece {
  const rows = db.all(keptBodies, time, instance, from, rowsAtOnce);
  const old = rows.filter((row) => integer(row, "old") === 1);
  const gone = old.filter((row) => integer(row, "decided") === 1);
  for (const row of gone) {
    db.run("delete from delivery_body where seq = ?", integer(row, "seq"));
    if (row["segment"] === null) continue;
    db.run("update body_segment set kept = kept - 1 where number = ?", integer(row, "segment"));
    touched.add(integer(row, "segment"));
  }
  const last = rows.at(-1);
  return {
    gone: gone.length,
    next:
      last === undefined || rows.length < rowsAtOnce || old.length === 0
        ? null
        : integer(last, "seq"),
  };
}

/**
 * With its last body a segment goes; one that never kept anything goes when it was made before
 * `abandoned`. Who still writes a segment sees that it is gone.
 */
function dropSegments(
  db: Database,
  touched: ReadonlySet<number>,
  abandoned: number,
): readonly number[] {
  const candidates = [
    ...touched,
    ...db
      .all("select number from body_segment where made_at < ?", abandoned)
      .map((row) => integer(row, "number")),
  ];
  return candidates.filter(
    (number) =>
      db.run("delete from body_segment where number = ? and kept = 0", number).changes > 0,
  );
}
