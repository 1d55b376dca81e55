import type { EventLine, StoredEvent } from "@loopwork/core";
import type { EventLog, EventQuery } from "@loopwork/core/ports";
import type { Database } from "./database.ts";
import type { GroupCommit } from "./group-commit.ts";
import { document, integer, type Row, text, textOrNull, word } from "../rows.ts";

export function createSqliteEvents(db: Database, group: GroupCommit<unknown>): EventLog {
  return {
    append: (lines) => group.submit(() => appendLines(db, lines)),
    list: async (query) => db.read(() => listEvents(db, query)),
    forget: async (time) => db.write(() => db.run("delete from event where time < ?", time).changes),
  };
}

export function appendLines(db: Database, lines: readonly EventLine[]): void {
  for (const { time, kind, level, instance, workItem, delivery, reason, fields } of lines) {
    db.run("insert into event (time, kind, level, instance, work_item, delivery, reason, fields) values (?, ?, ?, ?, ?, ?, ?, ?)", time, kind, level, instance, workItem, delivery, reason, JSON.stringify(fields));
  }
}

function listEvents(db: Database, { afterId = 0, beforeId, since, kind, workItem, delivery, comment, limit, newestFirst = false }: EventQuery): readonly StoredEvent[] {
  const filters = [
    { column: "id <", value: beforeId },
    { column: "time >=", value: since },
    { column: "kind =", value: kind },
    { column: "work_item =", value: workItem },
    { column: "delivery =", value: delivery },
    { column: "json_extract(fields, '$.comment') =", value: comment },
  ].flatMap(({ column, value }) => (value === undefined ? [] : [{ column, value }]));
  const conditions = ["id > ?", ...filters.map(({ column }) => `${column} ?`)].join(" and ");
  return db.all(`select * from event where ${conditions} order by id ${newestFirst ? "desc" : "asc"} limit ?`, afterId, ...filters.map(({ value }) => value), limit).map(eventOf);
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
