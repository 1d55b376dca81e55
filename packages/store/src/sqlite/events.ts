import { setImmediate as otherWork } from "node:timers/promises";
import type { EventLine, EventLog, EventQuery, StoredEvent } from "@loopwork/core/ports";
import type { Database } from "./database.ts";
import { forgetInPieces, type Piece, rowsAtOnce } from "./forget.ts";
import type { GroupCommit } from "./group-commit.ts";
import { document, integer, type Row, text, textOrNull, word } from "../rows.ts";

export function createSqliteEvents(db: Database, group: GroupCommit<unknown>): EventLog {
  return {
    append: (lines) => group.submit(() => appendLines(db, lines)),
    list: async (query) => {
      const lines = await listEvents(db, query);
      await db.durable();
      return lines;
    },
    forget: (time) => forgetInPieces(db, () => dropPiece(db, time)),
  };
}

function dropPiece(db: Database, time: number): Piece {
  const gone = db.run(
    "delete from event where id in (select id from event where time < ? limit ?)",
    time,
    rowsAtOnce,
  ).changes;
  return { gone, next: gone < rowsAtOnce ? null : 0 };
}

export function appendLines(db: Database, lines: readonly EventLine[]): void {
  for (const { time, kind, level, instance, workItem, delivery, reason, fields } of lines) {
    db.run(
      "insert into event (time, kind, level, instance, work_item, delivery, reason, fields) values (?, ?, ?, ?, ?, ?, ?, ?)",
      time,
      kind,
      level,
      instance,
      workItem,
      delivery,
      reason,
      JSON.stringify(fields),
    );
  }
}

/**
 * Ids of lines that are gone through in one go where no index leads to those that are asked for:
 * some milliseconds of the thread.
 */
const idsAtOnce = 20_000;

/**
 * Where no index helps, the log is gone through a piece at a time; other work gets its turn in
 * between.
 */
async function listEvents(db: Database, query: EventQuery): Promise<readonly StoredEvent[]> {
  const {
    afterId = 0,
    beforeId = Number.MAX_SAFE_INTEGER,
    workItem,
    delivery,
    comment,
    limit,
    newestFirst = false,
  } = query;
  if ((workItem ?? delivery ?? comment) !== undefined)
    return db.read(() => linesBetween(db, query, afterId, beforeId - 1, limit));
  const ids = db.read(() =>
    db.get("select (select min(id) from event) as first, (select max(id) from event) as last"),
  );
  if (ids === null || ids["last"] === null) return [];
  let from = Math.max(afterId, integer(ids, "first") - 1);
  let to = Math.min(beforeId - 1, integer(ids, "last"));
  const found: StoredEvent[] = [];
  while (from < to) {
    const [after, upTo] = newestFirst
      ? [Math.max(from, to - idsAtOnce), to]
      : [from, Math.min(to, from + idsAtOnce)];
    found.push(...db.read(() => linesBetween(db, query, after, upTo, limit - found.length)));
    if (newestFirst) to = after;
    else from = upTo;
    if (found.length >= limit) break;
    if (from < to) await otherWork();
  }
  return found;
}

/** Lines after the first id and up to the last. */
function linesBetween(
  db: Database,
  { since, kind, workItem, delivery, comment, newestFirst = false }: EventQuery,
  after: number,
  upTo: number,
  limit: number,
): readonly StoredEvent[] {
  const filters = [
    { column: "time >=", value: since },
    { column: "kind =", value: kind },
    { column: "work_item =", value: workItem },
    { column: "delivery =", value: delivery },
    { column: "json_extract(fields, '$.comment') =", value: comment },
  ].flatMap(({ column, value }) => (value === undefined ? [] : [{ column, value }]));
  const conditions = ["id > ?", "id <= ?", ...filters.map(({ column }) => `${column} ?`)].join(
    " and ",
  );
  return db
    .all(
      `select * from event where ${conditions} order by id ${newestFirst ? "desc" : "asc"} limit ?`,
      after,
      upTo,
      ...filters.map(({ value }) => value),
      limit,
    )
    .map(eventOf);
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
