import type { ActivityStep } from "@loopwork/core/ports";
import { type Happened, mostCounted, stepsOf } from "../model/activity.ts";
import type { Database } from "./database.ts";
import { integer, word } from "../rows.ts";

/** Counts in the database, so that only one row a step and kind is read. */
export function activityOf(db: Database, since: number, stepMs: number): readonly ActivityStep[] {
  const deliveries = db.all(
    `select 'accepted' as what, ?1 + (received_at - ?1) / ?2 * ?2 as at, count(*) as number
       from (select received_at, ignored from delivery order by seq desc limit ${mostCounted})
      where received_at >= ?1 and ignored is null group by 2`,
    since,
    stepMs,
  );
  const lines = db.all(
    `select case kind when 'delivery.decided' then 'decided' else 'failed' end as what, ?1 + (time - ?1) / ?2 * ?2 as at, count(distinct coalesce(delivery, id)) as number
       from (select id, kind, reason, time, delivery from event where time >= ?1 order by time desc limit ${mostCounted})
      where kind in ('delivery.decided', 'turn.failed') or (kind = 'lane.held' and reason = 'failed') group by 1, 2`,
    since,
    stepMs,
  );
  return stepsOf([...deliveries, ...lines].map((row): Happened => ({ what: word(row, "what"), at: integer(row, "at"), count: integer(row, "number") })), since, stepMs);
}
