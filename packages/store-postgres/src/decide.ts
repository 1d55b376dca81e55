import {
  type Decided,
  emptyItemState,
  foldLogin,
  type ItemState,
  type RefText,
  type StoredDelivery,
} from "@loopwork/core/ports";
import { checkDecided, seenBeforeError, steeredOf } from "@loopwork/store/driver";
import { isOvertaken, moveCursor } from "./backlog.ts";
import type { Tx } from "./database.ts";
import { deliveryAt, seenAs } from "./deliveries.ts";
import { appendLines } from "./events.ts";
import { loadItem, saveItem } from "./items.ts";
import { lockItem } from "./locks.ts";
import { appendEffects } from "./outbox.ts";
import type { Postgres } from "./store.ts";
import { queueTurns } from "./turns.ts";

/**
 * The transaction of a decision: decision row with its facts, state, turns, outbox, log lines and
 * the pinned actor stand or fall together (docs/specification.md#inbox-and-duplicates). Null when
 * this instance decided the delivery before, or has one to decide first. Of the instances that see
 * the same work item one decides at a time, so that the next one sees what it left.
 */
export async function decideInTransaction(
  tx: Tx,
  postgres: Postgres,
  seq: number,
  workItem: RefText | null,
  step: (item: ItemState) => Decided,
  left: readonly number[] | undefined,
): Promise<Decided | null> {
  const { instance, now } = postgres;
  if (workItem !== null) await lockItem(tx, workItem);
  const delivery = await deliveryAt(tx, seq);
  if (delivery === null) throw new Error(`no delivery has the seq ${seq}`);
  if (
    (await tx.get("select 1 from decision where instance = ? and seq = ?", instance, seq)) !== null
  )
    return null;
  if (left !== undefined && (await isOvertaken(tx, instance, seq, left))) return null;

  const before = workItem === null ? emptyItemState : await loadItem(tx, workItem);
  const decided = step(before);
  checkDecided(decided, workItem);
  const first = decided.key === null ? null : await seenAs(tx, instance, decided.key);
  if (decided.key !== null && first !== null && decided.decision.effects.length > 0)
    throw seenBeforeError(decided.key, first);

  await insertDecision(
    tx,
    instance,
    delivery,
    workItem,
    decided,
    first === null ? decided.key : null,
    now(),
  );
  if (workItem !== null) {
    if (decided.after !== null) await saveItem(tx, instance, workItem, before, decided.after);
    await queueTurns(
      tx,
      postgres,
      workItem,
      { ...delivery, steered: steeredOf(decided.after ?? before) },
      decided.decision.effects,
    );
    await appendEffects(tx, postgres, workItem, delivery.id, decided.decision.effects);
  }
  if (decided.pin !== null)
    await tx.run(
      "insert into actor (login, id, first_seen) values (?, ?, ?) on conflict do nothing",
      foldLogin(decided.pin.login),
      decided.pin.id,
      now(),
    );
  await moveCursor(tx, instance);
  await appendLines(tx, decided.lines);
  return decided;
}

async function insertDecision(
  tx: Tx,
  instance: string,
  delivery: StoredDelivery,
  workItem: RefText | null,
  decided: Decided,
  key: string | null,
  at: number,
): Promise<void> {
  await tx.run(
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
