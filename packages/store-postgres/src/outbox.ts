import type { Effect } from "@loopwork/core";
import type { Outbox, OutboxEntry, RefText } from "@loopwork/core/ports";
import { document, integer, type Row, text, textOrNull, word } from "@loopwork/store/driver";
import type { Tx, Value } from "./database.ts";
import { appendLines } from "./events.ts";
import { isPresentLife } from "./present-life.ts";
import { loadItem, saveItem } from "./items.ts";
import { lockItem } from "./locks.ts";
import type { Postgres } from "./store.ts";

const ends = "('end-session', 'release')";
/** Whether an end of the work item has failed and is tried again. */
const failing = `exists (select 1 from effect failed where failed.instance = effect.instance and failed.work_item = effect.work_item and failed.state = 'pending' and failed.kind in ${ends} and failed.attempts > 0)`;
/** Whether a post waits for an end of its own delivery. */
const beforeWaits = `exists (select 1 from effect own where own.instance = before.instance and own.work_item = before.work_item and own.state = 'pending' and own.kind in ${ends} and own.delivery_id = before.delivery_id and own.id < before.id)`;
/** Whether `effect` waits for `before`, an older pending effect of its work item (see the port). */
const waitsFor = `case
  when effect.kind in ${ends} then before.kind in ${ends}
  else before.delivery_id = effect.delivery_id or not (${failing} and (before.kind in ${ends} or ${beforeWaits}))
end`;

export function createPostgresOutbox(postgres: Postgres): Outbox {
  const { db, instance } = postgres;
  return {
    due: (now, limit) => db.read((tx) => dueEntries(tx, instance, now, limit)),
    pending: ({ workItem, limit }) =>
      db.read(async (tx) => {
        const [filter, values]: readonly [string, readonly Value[]] =
          workItem === undefined ? ["", []] : ["and work_item = ?", [workItem]];
        const rows = await tx.all(
          `select * from effect where instance = ? and state = 'pending' ${filter} order by id limit ?`,
          instance,
          ...values,
          limit,
        );
        return rows.map((row) => ({
          ...entryOf(row),
          notBefore: integer(row, "not_before"),
          note: textOrNull(row, "note"),
        }));
      }),
    settle: (id, result, fold, lines) =>
      db.write(async (tx) => {
        const seen = await tx.get(
          "select work_item from effect where id = ? and state = 'pending'",
          id,
        );
        if (seen === null) return false;
        await lockItem(tx, text(seen, "work_item"));
        const row = (await isPresentLife(tx, postgres))
          ? await tx.get(
              "select * from effect where id = ? and instance = ? and state = 'pending' for update",
              id,
              instance,
            )
          : null;
        if (row === null) return false;
        const { workItem } = entryOf(row);
        if (fold !== null) {
          const before = await loadItem(tx, workItem);
          await saveItem(tx, instance, workItem, before, fold(before));
        }
        const [tries, notBefore] =
          result.state === "pending"
            ? [Number(result.tried), result.notBefore]
            : [1, integer(row, "not_before")];
        await tx.run(
          "update effect set state = ?, note = ?, attempts = attempts + ?, not_before = ? where id = ?",
          result.state,
          result.note,
          tries,
          notBefore,
          id,
        );
        await appendLines(tx, lines);
        return true;
      }),
  };
}

async function dueEntries(
  tx: Tx,
  instance: string,
  now: number,
  limit: number,
): Promise<readonly OutboxEntry[]> {
  const rows = await tx.all(
    `select effect.* from effect where instance = ? and state = 'pending' and not_before <= ? and not exists (
       select 1 from effect before where before.instance = effect.instance and before.work_item = effect.work_item and before.state = 'pending' and before.id < effect.id
       and ${waitsFor})
     order by effect.id limit ?`,
    instance,
    now,
    limit,
  );
  return rows.map(entryOf);
}

/**
 * Puts what is no turn into the outbox; what another instance has put there for the same delivery
 * is done once.
 */
export async function appendEffects(
  tx: Tx,
  { instance, now }: Postgres,
  workItem: RefText,
  deliveryId: string,
  effects: readonly Effect[],
): Promise<void> {
  for (const effect of effects) {
    if (effect.kind === "turn" || effect.kind === "drop-turns") continue;
    const text = JSON.stringify(effect);
    await tx.run(
      `insert into effect (instance, work_item, delivery_id, kind, effect, state, created_at) select ?, ?, ?, ?, ?, 'pending', ?
       where not exists (select 1 from effect where work_item = ? and delivery_id = ? and effect = ? and instance <> ?)`,
      instance,
      workItem,
      deliveryId,
      effect.kind,
      text,
      now(),
      workItem,
      deliveryId,
      text,
      instance,
    );
  }
}

export function entryOf(row: Row): OutboxEntry {
  return {
    id: integer(row, "id"),
    workItem: word(row, "work_item"),
    deliveryId: text(row, "delivery_id"),
    effect: document(row, "effect"),
    attempts: integer(row, "attempts"),
    createdAt: integer(row, "created_at"),
  };
}
