import {
  type Decided,
  emptyItemState,
  foldLogin,
  type ItemState,
  type RefText,
  type StoredDelivery,
} from "@loopwork/core/ports";
import { seenBeforeError } from "../errors.ts";
import { checkDecided, steeredOf } from "../model/decided.ts";
import { isOvertaken, moveCursor } from "./backlog.ts";
import type { Database } from "./database.ts";
import { deliveryAt, seenAs } from "./deliveries.ts";
import { appendLines } from "./events.ts";
import { loadItem, saveItem } from "./items.ts";
import { appendEffects } from "./outbox.ts";
import type { Sqlite } from "./store.ts";
import { queueTurns } from "./turns.ts";

/**
 * The transaction of a decision: decision row with its facts, state, turns, outbox, log lines and
 * the pinned actor stand or fall together (docs/specification.md#inbox-and-duplicates). Null when
 * this instance decided the delivery before, or has one to decide first.
 */
export function decideInTransaction(
  sqlite: Sqlite,
  seq: number,
  workItem: RefText | null,
  step: (item: ItemState) => Decided,
  left: readonly number[] | undefined,
): Decided | null {
  const { db, instance, now } = sqlite;
  const delivery = deliveryAt(db, seq);
  if (delivery === null) throw new Error(`no delivery has the seq ${seq}`);
  if (db.get("select 1 from decision where instance = ? and seq = ?", instance, seq) !== null)
    return null;
  if (left !== undefined && isOvertaken(db, instance, seq, left)) return null;

  const before = workItem === null ? emptyItemState : loadItem(db, workItem);
  const decided = step(before);
  checkDecided(decided, workItem);
  const first = decided.key === null ? null : seenAs(db, instance, decided.key);
  if (decided.key !== null && first !== null && decided.decision.effects.length > 0)
    throw seenBeforeError(decided.key, first);

  insertDecision(
    db,
    instance,
    delivery,
    workItem,
    decided,
    first === null ? decided.key : null,
    now(),
  );
  moveCursor(db, instance);
  if (workItem !== null) {
    if (decided.after !== null) saveItem(sqlite, workItem, before, decided.after);
    queueTurns(
      sqlite,
      workItem,
      { ...delivery, steered: steeredOf(decided.after ?? before) },
      decided.decision.effects,
    );
    appendEffects(sqlite, workItem, delivery.id, decided.decision.effects);
  }
  if (decided.pin !== null)
    db.run(
      "insert into actor (login, id, first_seen) values (?, ?, ?) on conflict do nothing",
      foldLogin(decided.pin.login),
      decided.pin.id,
      now(),
    );
  appendLines(db, decided.lines);
  return decided;
}

function insertDecision(
  db: Database,
  instance: string,
  delivery: StoredDelivery,
  workItem: RefText | null,
  decided: Decided,
  key: string | null,
  at: number,
): void {
  db.run(
    "insert into decision (instance, seq, work_item, key, verdict, reason, event, state, decision, decided_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    instance,
    delivery.seq,
    workItem,
    key,
    decided.decision.verdict.kind,
    decided.decision.reason,
    decided.event === null ? null : JSON.stringify(decided.event),
    decided.state === null ? null : JSON.stringify(decided.state),
    JSON.stringify(decided.decision),
    at,
  );
}
