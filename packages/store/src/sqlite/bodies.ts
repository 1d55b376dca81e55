import type { Database } from "./database.ts";
import { blob } from "./rows.ts";

/** Keeps the raw body of a delivery, in the transaction of its row. Bodies can move out of the database behind these functions. */
export function putBody(db: Database, seq: number, body: Uint8Array): void {
  db.run("insert into delivery_body (seq, body) values (?, ?)", seq, body);
}

/** The raw body; null when it was never kept or its retention is over. */
export function getBody(db: Database, seq: number): Uint8Array | null {
  const row = db.get("select body from delivery_body where seq = ?", seq);
  return row === null ? null : blob(row, "body");
}

/** Drops bodies of deliveries that `instance` decided and that came before `time`; the number of them. */
export function dropBodies(db: Database, instance: string, time: number): number {
  return db.run(
    `delete from delivery_body where seq in (
       select seq from delivery where received_at < ? and exists (select 1 from decision where decision.instance = ? and decision.seq = delivery.seq))`,
    time,
    instance,
  ).changes;
}

/** Bytes of all bodies that are kept. */
export function bodyBytes(db: Database): number {
  return Number(db.get("select coalesce(sum(length(body)), 0) as bytes from delivery_body")?.["bytes"] ?? 0);
}
