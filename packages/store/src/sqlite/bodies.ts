import { crc32 } from "node:zlib";
import { StoreError } from "../errors.ts";
import type { Database } from "./database.ts";
import { integer, type Row } from "./rows.ts";
import { createSegments, type Segments } from "./segments.ts";

/**
 * Raw bodies stand beside the database, in segment files that only grow: in the database each would be written twice, to
 * the write-ahead log and into the table, and cost more than everything else of a delivery together. A body is flushed
 * before the transaction of its row commits, so that a row never names what is not there. Who writes holds the database's
 * only write lock; what a dead writer left behind `used` is overwritten by the next.
 */
export type Bodies = {
  /** Bodies of one writing transaction. */
  begin(): BodyBatch;
  /** The raw body; null when it was never kept or its retention is over. Throws `LOOP_E_STORE_BODY_DAMAGED`. */
  get(seq: number): Uint8Array | null;
  /** Drops bodies of deliveries that `instance` decided and that came before `time`; the number of them. */
  drop(instance: string, time: number): number;
  /** Bytes of all bodies that are kept. */
  bytes(): number;
  /** Removes files that a killed process left behind. */
  tidy(): void;
  close(): void;
};

export type BodyBatch = {
  put(seq: number, body: Uint8Array): void;
  /** Writes and flushes what was put; the last thing before the commit. */
  write(): void;
};

/** Bytes after which the next body opens a new segment. */
const segmentBytes = 64 * 1024 * 1024;

export function createBodies(db: Database, folder: string, maxSegmentBytes: number = segmentBytes): Bodies {
  const segments = createSegments(folder);
  return {
    begin: () => beginBatch(db, segments, maxSegmentBytes),
    get: (seq) => {
      const row = db.get("select segment, start, length, crc from delivery_body where seq = ?", seq);
      return row === null ? null : readBody(segments, seq, row);
    },
    drop: (instance, time) => {
      const { count, emptied } = db.write(() => dropRows(db, instance, time));
      for (const number of emptied) segments.remove(number);
      return count;
    },
    bytes: () => Number(db.get("select coalesce(sum(length), 0) as bytes from delivery_body")?.["bytes"] ?? 0),
    tidy: () => db.read(() => leftOver(db, segments.list())).forEach(segments.remove),
    close: segments.close,
  };
}

type Group = { readonly number: number; readonly start: number; readonly bodies: Uint8Array[]; bytes: number };

function beginBatch(db: Database, segments: Segments, maxSegmentBytes: number): BodyBatch {
  let group: Group | null = null;

  const writeGroup = ({ number, start, bodies, bytes }: Group): void => {
    if (bodies.length === 0) return;
    segments.write(number, start, bodies);
    db.run("insert into body_segment (number, used, kept) values (?, ?, ?) on conflict (number) do update set used = excluded.used, kept = kept + excluded.kept", number, start + bytes, bodies.length);
  };

  const groupFor = (length: number): Group => {
    let open = group ?? tail(db);
    if (open.start + open.bytes > 0 && open.start + open.bytes + length > maxSegmentBytes) {
      writeGroup(open);
      open = { number: open.number + 1, start: 0, bodies: [], bytes: 0 };
    }
    group = open;
    return open;
  };

  return {
    put: (seq, body) => {
      const open = groupFor(body.length);
      db.run("insert into delivery_body (seq, segment, start, length, crc) values (?, ?, ?, ?, ?)", seq, open.number, open.start + open.bytes, body.length, crc32(body));
      open.bodies.push(body);
      open.bytes += body.length;
    },
    write: () => {
      if (group !== null) writeGroup(group);
      group = null;
    },
  };
}

function tail(db: Database): Group {
  const row = db.get("select number, used from body_segment order by number desc limit 1");
  return { number: row === null ? 1 : integer(row, "number"), start: row === null ? 0 : integer(row, "used"), bodies: [], bytes: 0 };
}

/** Files before the one that is being written of which the database knows nothing any more. */
function leftOver(db: Database, files: readonly number[]): readonly number[] {
  const known = db.all("select number from body_segment order by number").map((row) => integer(row, "number"));
  return files.filter((number) => number < (known.at(-1) ?? 0) && !known.includes(number));
}

function readBody(segments: Segments, seq: number, row: Row): Uint8Array | null {
  const body = segments.read(integer(row, "segment"), integer(row, "start"), integer(row, "length"));
  if (body !== null && crc32(body) !== integer(row, "crc")) {
    throw new StoreError("LOOP_E_STORE_BODY_DAMAGED", `The body of delivery number ${seq} is damaged on the disk.`, "Look after the disk; the code host can deliver it again.");
  }
  return body;
}

/** Rows of old decided deliveries go; segments in which nothing is left go too, except the one that is being written. */
function dropRows(db: Database, instance: string, time: number): { readonly count: number; readonly emptied: readonly number[] } {
  const old = `seq in (select seq from delivery where received_at < ? and exists (select 1 from decision where decision.instance = ? and decision.seq = delivery.seq))`;
  for (const row of db.all(`select segment, count(*) as gone from delivery_body where ${old} group by segment`, time, instance)) {
    db.run("update body_segment set kept = kept - ? where number = ?", integer(row, "gone"), integer(row, "segment"));
  }
  const count = db.run(`delete from delivery_body where ${old}`, time, instance).changes;
  const empty = "kept = 0 and number < (select max(number) from body_segment)";
  const emptied = db.all(`select number from body_segment where ${empty}`).map((row) => integer(row, "number"));
  db.run(`delete from body_segment where ${empty}`);
  return { count, emptied };
}
