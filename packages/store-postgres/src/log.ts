import type {
  DecisionRow,
  DeliveryEntry,
  DeliveryLog,
  RefText,
  StoredDelivery,
} from "@loopwork/core/ports";
import {
  blob,
  document,
  documentOrNull,
  integer,
  type Row,
  text,
  textOrNull,
  word,
} from "@loopwork/store/driver";
import { cursorOf, undecidedCondition } from "./backlog.ts";
import type { Tx } from "./database.ts";
import { decideInTransaction } from "./decide.ts";
import { deliveryColumns, readDelivery, seenAs } from "./deliveries.ts";
import { forgetInParts } from "./forget.ts";
import type { Postgres } from "./store.ts";

export function createPostgresLog(postgres: Postgres): DeliveryLog {
  const { db, instance } = postgres;
  return {
    undecided: (limit) =>
      db.read(async (tx) =>
        (
          await tx.all(
            `select ${deliveryColumns} from delivery where ${undecidedCondition} order by seq limit ?`,
            instance,
            await cursorOf(tx, instance),
            limit,
          )
        ).map(readDelivery),
      ),
    body: (seq) =>
      db.read(async (tx) => {
        const row = await tx.get("select body from delivery_body where seq = ?", seq);
        return row === null ? null : blob(row, "body");
      }),
    find: (id) => db.read((tx) => findDelivery(tx, id)),
    list: (query) => db.read((tx) => listEntries(tx, instance, query)),
    seenAs: (key) => db.read((tx) => seenAs(tx, instance, key)),
    decide: (seq, workItem, step, left) =>
      db.write((tx) => decideInTransaction(tx, postgres, seq, workItem, step, left)),
    decision: (id, by = instance) => db.read((tx) => readDecision(tx, by, id)),
    forgetBodies: (time) => forgetInParts(db, (tx, most) => forgetBodies(tx, instance, time, most)),
  };
}

async function findDelivery(tx: Tx, id: string): Promise<StoredDelivery | null> {
  const row = await tx.get(`select ${deliveryColumns} from delivery where id = ?`, id);
  return row === null ? null : readDelivery(row);
}

async function readDecision(tx: Tx, instance: string, id: string): Promise<DecisionRow | null> {
  const row = await tx.get(
    `select ${deliveryColumns}, decision.work_item, decision.event as facts, decision.state, decision.decision, decision.decided_at
     from decision join delivery on delivery.seq = decision.seq where decision.instance = ? and delivery.id = ?`,
    instance,
    id,
  );
  if (row === null) return null;
  return {
    delivery: readDelivery(row),
    workItem: refOrNull(row),
    event: documentOrNull(row, "facts"),
    state: documentOrNull(row, "state"),
    decision: document(row, "decision"),
    decidedAt: integer(row, "decided_at"),
  };
}

type ListQuery = Parameters<DeliveryLog["list"]>[0];

/**
 * Of one work item, and of what was refused, the decisions lead, by their index; of all, the
 * deliveries.
 */
async function listEntries(
  tx: Tx,
  instance: string,
  { afterSeq = 0, beforeSeq, limit, workItem, refused, newestFirst = false }: ListQuery,
): Promise<readonly DeliveryEntry[]> {
  const decided = (which: string): string =>
    `decision join delivery on delivery.seq = decision.seq where decision.instance = ? and ${which} and`;
  const of =
    workItem === undefined
      ? "delivery left join decision on decision.instance = ? and decision.seq = delivery.seq where"
      : decided("decision.work_item = ?");
  const from =
    refused === undefined
      ? of
      : decided("decision.verdict = 'refused' and decision.reason = any(?::text[])");
  const rows = await tx.all(
    `select ${deliveryColumns}, delivery.ignored, decision.verdict, decision.reason, decision.work_item
     from ${from} delivery.seq > ? ${beforeSeq === undefined ? "" : "and delivery.seq < ?"} order by ${refused === undefined ? "delivery" : "decision"}.seq ${newestFirst ? "desc" : "asc"} limit ?`,
    ...[instance, workItem, refused, afterSeq, beforeSeq, limit].filter(
      (value) => value !== undefined,
    ),
  );
  return rows.map(readEntry);
}

function readEntry(row: Row): DeliveryEntry {
  const verdict = textOrNull(row, "verdict");
  const decision =
    verdict === null ? null : { verdict, reason: text(row, "reason"), workItem: refOrNull(row) };
  return { ...readDelivery(row), decision, ignored: textOrNull(row, "ignored") };
}

function refOrNull(row: Row): RefText | null {
  return textOrNull(row, "work_item") === null ? null : word<RefText>(row, "work_item");
}

/** Bodies stay while another instance that was seen since then has still to read them. */
async function forgetBodies(tx: Tx, instance: string, time: number, most: number): Promise<number> {
  return tx.run(
    `delete from delivery_body where seq in (
       select delivery.seq from delivery_body join delivery on delivery.seq = delivery_body.seq where delivery.received_at < ?
       and exists (select 1 from decision where decision.instance = ? and decision.seq = delivery.seq)
       and not exists (select 1 from instance left join cursor on cursor.instance = instance.name where instance.seen_at >= ? and instance.name <> ? and delivery.seq > coalesce(cursor.seq, 0))
       limit ?)`,
    time,
    instance,
    time,
    instance,
    most,
  );
}
