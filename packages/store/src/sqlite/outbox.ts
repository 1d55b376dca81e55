import type { Effect, RefText } from "@loopwork/core";
import type { Outbox, OutboxEntry } from "@loopwork/core/ports";
import { appendLines } from "./events.ts";
import { loadItem, saveItem } from "./items.ts";
import { document, integer, type Row, text, word } from "./rows.ts";
import type { Sqlite } from "./store.ts";

export function createSqliteOutbox(sqlite: Sqlite): Outbox {
  const { db, instance } = sqlite;
  return {
    due: async (now, limit) =>
      db.read(() =>
        db
          .all(
            `select effect.* from effect where instance = ? and state = 'pending' and not_before <= ? and not exists (
               select 1 from effect before where before.instance = effect.instance and before.work_item = effect.work_item and before.state = 'pending' and before.id < effect.id
               and (before.kind in ('end-session', 'release') or effect.kind in ('react', 'reply')))
             order by effect.id limit ?`,
            instance,
            now,
            limit,
          )
          .map(entryOf),
      ),
    settle: async (id, result, fold, lines) =>
      db.write(() => {
        const row = db.get("select * from effect where id = ? and state = 'pending'", id);
        if (row === null) return;
        const { workItem } = entryOf(row);
        if (fold !== null) {
          const before = loadItem(db, workItem);
          saveItem(sqlite, workItem, before, fold(before));
        }
        db.run("update effect set state = ?, note = ?, attempts = attempts + 1, not_before = ? where id = ?", result.state, result.note, result.state === "pending" ? result.notBefore : integer(row, "not_before"), id);
        appendLines(db, lines);
      }),
  };
}

/** Puts what is no turn into the outbox. */
export function appendEffects({ db, instance, now }: Sqlite, workItem: RefText, deliveryId: string, effects: readonly Effect[]): void {
  for (const effect of effects) {
    if (effect.kind === "turn" || effect.kind === "drop-turns") continue;
    db.run("insert into effect (instance, work_item, delivery_id, effect, state, created_at) values (?, ?, ?, ?, 'pending', ?)", instance, workItem, deliveryId, JSON.stringify(effect), now());
  }
}

function entryOf(row: Row): OutboxEntry {
  return { id: integer(row, "id"), workItem: word(row, "work_item"), deliveryId: text(row, "delivery_id"), effect: document(row, "effect"), attempts: integer(row, "attempts"), createdAt: integer(row, "created_at") };
}
