import type { StoredDelivery } from "@loopwork/core/ports";
import type { Database } from "./database.ts";
import { integer, type Row, text, word } from "../rows.ts";

/** Columns of a delivery without its body, as `readDelivery` reads them. */
export const deliveryColumns =
  "delivery.seq, delivery.id, delivery.source, delivery.event, delivery.verified, delivery.received_at, delivery.digest";

export function readDelivery(row: Row): StoredDelivery {
  return {
    seq: integer(row, "seq"),
    id: text(row, "id"),
    source: word(row, "source"),
    event: text(row, "event"),
    verified: integer(row, "verified") === 1,
    receivedAt: integer(row, "received_at"),
    digest: text(row, "digest"),
  };
}

export function deliveryAt(db: Database, seq: number): StoredDelivery | null {
  const row = db.get(`select ${deliveryColumns} from delivery where seq = ?`, seq);
  return row === null ? null : readDelivery(row);
}

/** Delivery that was decided under the semantic key. */
export function seenAs(db: Database, instance: string, key: string): string | null {
  const row = db.get(
    "select delivery.id from decision join delivery on delivery.seq = decision.seq where decision.instance = ? and decision.key = ?",
    instance,
    key,
  );
  return row === null ? null : text(row, "id");
}
