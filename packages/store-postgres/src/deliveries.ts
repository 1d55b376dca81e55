import type { StoredDelivery } from "@loopwork/core/ports";
import { integer, type Row, text, word } from "@loopwork/store/driver";
import type { Tx } from "./database.ts";

/** Columns of a delivery without its body, as `readDelivery` reads them. */
export const deliveryColumns =
  "delivery.seq, delivery.id, delivery.source, delivery.event, delivery.verified, delivery.received_at, delivery.digest";

export function readDelivery(row: Row): StoredDelivery {
  return {
    seq: integer(row, "seq"),
    id: text(row, "id"),
    source: word(row, "source"),
    event: text(row, "event"),
    verified: row["verified"] === true,
    receivedAt: integer(row, "received_at"),
    digest: text(row, "digest"),
  };
}

export async function deliveryAt(tx: Tx, seq: number): Promise<StoredDelivery | null> {
  const row = await tx.get(`select ${deliveryColumns} from delivery where seq = ?`, seq);
  return row === null ? null : readDelivery(row);
}

/** Delivery that was decided under the semantic key. */
export async function seenAs(tx: Tx, instance: string, key: string): Promise<string | null> {
  const row = await tx.get(
    "select delivery.id from decision join delivery on delivery.seq = decision.seq where decision.instance = ? and decision.key = ?",
    instance,
    key,
  );
  return row === null ? null : text(row, "id");
}
