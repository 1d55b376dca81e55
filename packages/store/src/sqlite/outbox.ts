import type { Effect } from "@loopwork/core";
import type { Outbox, OutboxEntry, RefText } from "@loopwork/core/ports";
import { appendLines } from "./events.ts";
import { isPresentLife } from "./present-life.ts";
import { loadItem, saveItem } from "./items.ts";
import { document, integer, type Row, text, textOrNull, word } from "../rows.ts";
import type { Sqlite } from "./store.ts";

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

export function createSqliteOutbox(sqlite: Sqlite): Outbox {
  const { db, instance } = sqlite;
  return {
    due: async (now, limit) => {
      const due = db.read(() =>
        db
          .all(
            `select effect.* from effect where instance = ? and state = 'pending' and not_before <= ? and not exists (
               select 1 from effect before where before.instance = effect.instance and before.work_item = effect.work_item and before.state = 'pending' and before.id < effect.id
               and ${waitsFor})
             order by effect.id limit ?`,
            instance,
            now,
            limit,
          )
          .map(entryOf),
      );
      if (due.length > 0) await db.flush(); // Whoever adopted them may be another process.
      return due;
    },
    pending: async ({ workItem = null, limit }) =>
      db.read(() =>
        db
          .all(
            "select * from effect where instance = ? and state = 'pending' and (? is null or work_item = ?) order by id limit ?",
            instance,
            workItem,
            workItem,
            limit,
          )
          .map((row) => ({
            ...entryOf(row),
            notBefore: integer(row, "not_before"),
            note: textOrNull(row, "note"),
          })),
      ),
    settle: (id, result, fold, lines) =>
      db.durably(() => {
        const row = isPresentLife(sqlite)
          ? db.get(
              "select * from effect where id = ? and instance = ? and state = 'pending'",
              id,
              instance,
            )
          : null;
        if (row === null) return false;
        const { workItem } = entryOf(row);
        if (fold !== null) {
          const before = loadItem(db, workItem);
          saveItem(sqlite, workItem, before, fold(before));
        }
        const [tries, notBefore] =
          result.state === "pending"
            ? [Number(result.tried), result.notBefore]
            : [1, integer(row, "not_before")];
        db.run(
          "update effect set state = ?, note = ?, attempts = attempts + ?, not_before = ? where id = ?",
          result.state,
          result.note,
          tries,
          notBefore,
          id,
        );
        appendLines(db, lines);
        return true;
      }),
  };
}

/**
 * Puts what is no turn into the outbox; what another instance has put there for the same delivery
 * is done once.
 */
export function appendEffects(
  { db, instance, now }: Sqlite,
  workItem: RefText,
  deliveryId: string,
  effects: readonly Effect[],
): void {
  for (const effect of effects) {
    if (effect.kind === "turn" || effect.kind === "drop-turns") continue;
    db.run(
      `insert into effect (instance, work_item, delivery_id, effect, state, created_at) select ?1, ?2, ?3, ?4, 'pending', ?5
       where not exists (select 1 from effect where delivery_id = ?3 and work_item = ?2 and effect = ?4 and instance <> ?1)`,
      instance,
      workItem,
      deliveryId,
      JSON.stringify(effect),
      now(),
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
