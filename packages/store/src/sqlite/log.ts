import { setImmediate as inputAndOutput } from "node:timers/promises";
import type {
  DecisionRow,
  DeliveryEntry,
  DeliveryLog,
  RefText,
  StoredDelivery,
} from "@loopwork/core/ports";
import { cursorOf, undecidedCondition } from "./backlog.ts";
import { StoreError } from "../errors.ts";
import type { Database } from "./database.ts";
import { decideInTransaction } from "./decide.ts";
import { deliveryAt, deliveryColumns, readDelivery, seenAs } from "./deliveries.ts";
import { appendLines } from "./events.ts";
import { document, documentOrNull, integer, type Row, text, textOrNull, word } from "../rows.ts";
import type { Sqlite } from "./store.ts";

export function createSqliteLog(sqlite: Sqlite): DeliveryLog {
  const { db, bodies, instance } = sqlite;
  return {
    undecided: async (limit) =>
      db.read(() =>
        db
          .all(
            `select ${deliveryColumns} from delivery where ${undecidedCondition} order by seq limit ?`,
            instance,
            cursorOf(db, instance),
            limit,
          )
          .map(readDelivery),
      ),
    body: async (seq) => readBody(sqlite, seq),
    find: async (id) => db.read(() => findDelivery(db, id)),
    list: async (query) => db.read(() => listEntries(db, instance, query)),
    seenAs: async (key) => db.read(() => seenAs(db, instance, key)),
    async decide(seq, workItem, step, left) {
      const decided = db.write(() => decideInTransaction(sqlite, seq, workItem, step, left));
      // Nobody waits for the disk: what follows is not handed out before, and a decision that a
      // power cut took is made again from its delivery.
      db.durable().catch(() => {});
      await inputAndOutput(); // Nothing else here gives up the thread: a backlog would keep the receiver from answering until all of it is decided.
      return decided;
    },
    decision: async (id, by = instance) => {
      const decision = db.read(() => readDecision(db, by, id));
      await db.durable();
      return decision;
    },
    forgetBodies: (time) => bodies.drop(instance, time),
  };
}

/**
 * A damaged body reads as none, with a line that says so: the deliveries behind it have to go on.
 */
function readBody(sqlite: Sqlite, seq: number): Uint8Array | null {
  const { db, bodies, instance, now } = sqlite;
  try {
    return db.read(() => bodies.get(seq));
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "LOOP_E_STORE_BODY_DAMAGED") throw error;
    const delivery = db.read(() => deliveryAt(db, seq)?.id ?? null);
    if (sqlite.readonly) return null;
    db.write(() =>
      appendLines(db, [
        {
          time: now(),
          kind: "daemon.warning",
          level: "error",
          instance,
          workItem: null,
          delivery,
          reason: "body-damaged",
          fields: { code: error.code, seq },
        },
      ]),
    );
    return null;
  }
}

function findDelivery(db: Database, id: string): StoredDelivery | null {
  const row = db.get(`select ${deliveryColumns} from delivery where id = ?`, id);
  return row === null ? null : readDelivery(row);
}

function readDecision(db: Database, instance: string, id: string): DecisionRow | null {
  const row = db.get(
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

function listEntries(db: Database, instance: string, query: ListQuery): readonly DeliveryEntry[] {
  const { afterSeq = 0, beforeSeq, limit, workItem, refused } = query;
  return db
    .all(
      listStatement(query),
      instance,
      ...[
        workItem,
        refused === undefined ? undefined : JSON.stringify(refused),
        afterSeq,
        beforeSeq,
      ].filter((value) => value !== undefined),
      limit,
    )
    .map(readEntry);
}

/**
 * Of one work item, and of what was refused, the decisions lead, by their index; of all, the
 * deliveries. It is asked for each event of an item that has no record.
 */
export function listStatement({
  beforeSeq,
  workItem,
  refused,
  newestFirst = false,
}: Pick<ListQuery, "beforeSeq" | "workItem" | "refused" | "newestFirst">): string {
  const decided = (index: string, which: string): string =>
    `decision indexed by ${index} cross join delivery on delivery.seq = decision.seq where decision.instance = ? and ${which} and`;
  const all =
    "delivery left join decision on decision.instance = ? and decision.seq = delivery.seq where";
  const of =
    workItem === undefined ? null : decided("decision_work_item", "decision.work_item = ?");
  const from =
    refused === undefined
      ? (of ?? all)
      : decided(
          "decision_refused",
          "decision.verdict = 'refused' and decision.reason in (select value from json_each(?))",
        );
  const seq = from === all ? "delivery.seq" : "decision.seq";
  return `select ${deliveryColumns}, delivery.ignored, decision.verdict, decision.reason, decision.work_item
    from ${from} ${seq} > ? ${beforeSeq === undefined ? "" : `and ${seq} < ?`} order by ${seq} ${newestFirst ? "desc" : "asc"} limit ?`;
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
