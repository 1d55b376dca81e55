import type { EventLine, EventLog, EventQuery, StoredEvent } from "@loopwork/core/ports";
import { document, integer, type Row, text, textOrNull, word } from "@loopwork/store/driver";
import type { Database, Tx } from "./database.ts";
import { forgetInParts } from "./forget.ts";
import { lockEvents } from "./locks.ts";

export function createPostgresEvents(db: Database): EventLog {
  return {
    append: (lines) => db.write((tx) => appendLines(tx, lines)),
    list: (query) => db.read((tx) => listEvents(tx, query)),
    forget: (time) =>
      forgetInParts(db, (tx, most) =>
        tx.run(
          "delete from event where id in (select id from event where time < ? limit ?)",
          time,
          most,
        ),
      ),
  };
}

/** The last of a transaction: its lock keeps numbers in the order of the commits. */
export async function appendLines(tx: Tx, lines: readonly EventLine[]): Promise<void> {
  if (lines.length === 0) return;
  await lockEvents(tx);
  for (const { time, kind, level, instance, workItem, delivery, reason, fields } of lines) {
    const comment = fields["comment"];
    await tx.run(
      "insert into event (time, kind, level, instance, work_item, delivery, reason, fields, comment) values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      time,
      kind,
      level,
      instance,
      workItem,
      delivery,
      reason,
      JSON.stringify(fields),
      typeof comment === "string" ? comment : null,
    );
  }
}

async function listEvents(
  tx: Tx,
  {
    afterId = 0,
    beforeId,
    since,
    kind,
    workItem,
    delivery,
    comment,
    limit,
    newestFirst = false,
  }: EventQuery,
): Promise<readonly StoredEvent[]> {
  const filters = [
    { column: "id <", value: beforeId },
    { column: "time >=", value: since },
    { column: "kind =", value: kind },
    { column: "work_item =", value: workItem },
    { column: "delivery =", value: delivery },
    { column: "comment =", value: comment },
  ].flatMap(({ column, value }) => (value === undefined ? [] : [{ column, value }]));
  const conditions = ["id > ?", ...filters.map(({ column }) => `${column} ?`)].join(" and ");
  return (
    await tx.all(
      `select * from event where ${conditions} order by id ${newestFirst ? "desc" : "asc"} limit ?`,
      afterId,
      ...filters.map(({ value }) => value),
      limit,
    )
  ).map(eventOf);
}

function eventOf(row: Row): StoredEvent {
  return {
    id: integer(row, "id"),
    time: integer(row, "time"),
    kind: word(row, "kind"),
    level: word(row, "level"),
    instance: text(row, "instance"),
    workItem: textOrNull(row, "work_item"),
    delivery: textOrNull(row, "delivery"),
    reason: textOrNull(row, "reason"),
    fields: document(row, "fields"),
  };
}
