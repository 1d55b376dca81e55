import type { ActivityStep } from "@loopwork/core/ports";
import { type Happened, integer, mostCounted, stepsOf, word } from "@loopwork/store/driver";
import type { Tx } from "./database.ts";

/** Counts in the database, so that only one row a step and kind is read. */
export async function activityOf(
  tx: Tx,
  since: number,
  stepMs: number,
): Promise<readonly ActivityStep[]> {
  const step = (time: string): string =>
    `?::bigint + (${time} - ?::bigint) / ?::bigint * ?::bigint`;
  const values = [since, since, stepMs, stepMs, since];
  const deliveries = await tx.all(
    `select 'accepted' as what, ${step("received_at")} as at, count(*) as number
       from (select received_at, ignored from delivery order by seq desc limit ${mostCounted}) newest
      where received_at >= ? and ignored is null group by 2`,
    ...values,
  );
  const lines = await tx.all(
    `select case kind when 'delivery.decided' then 'decided' else 'failed' end as what, ${step("time")} as at, count(distinct coalesce(delivery, id::text)) as number
       from (select id, kind, reason, time, delivery from event where time >= ? order by time desc limit ${mostCounted}) newest
      where kind in ('delivery.decided', 'turn.failed') or (kind = 'lane.held' and reason = 'failed') group by 1, 2`,
    ...values,
  );
  return stepsOf(
    [...deliveries, ...lines].map((row): Happened => ({
      what: word(row, "what"),
      at: integer(row, "at"),
      count: integer(row, "number"),
    })),
    since,
    stepMs,
  );
}
