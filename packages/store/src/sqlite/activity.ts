import { setImmediate as otherWork } from "node:timers/promises";
import type { ActivityStep } from "@loopwork/core/ports";
import { type Happened, mostCounted, stepsOf } from "../model/activity.ts";
import { lastSeq } from "./backlog.ts";
import type { Database } from "./database.ts";
import { integer, type Row, text, word } from "../rows.ts";

/**
 * Rows that are read in one go, some milliseconds of the thread: all of them together would keep
 * the receiver from answering.
 */
const atOnce = 1_000;

/** Counts the newest rows, a page at a time; other work gets its turn in between. */
export async function activityOf(
  db: Database,
  since: number,
  stepMs: number,
): Promise<readonly ActivityStep[]> {
  return stepsOf(
    [...(await acceptedSince(db, since, stepMs)), ...(await toldSince(db, since, stepMs))],
    since,
    stepMs,
  );
}

async function acceptedSince(
  db: Database,
  since: number,
  stepMs: number,
): Promise<readonly Happened[]> {
  const counted: Happened[] = [];
  const last = db.read(() => lastSeq(db));
  for (let to = last; to > Math.max(0, last - mostCounted); to -= atOnce) {
    const page = db.read(() =>
      db.all(
        "select ?1 + (received_at - ?1) / ?2 * ?2 as at, count(*) as number from delivery where seq > ?3 and seq <= ?4 and received_at >= ?1 and ignored is null group by 1",
        since,
        stepMs,
        to - atOnce,
        to,
      ),
    );
    counted.push(
      ...page.map((row): Happened => ({
        what: "accepted",
        at: integer(row, "at"),
        count: integer(row, "number"),
      })),
    );
    await otherWork();
  }
  return counted;
}

/** What several lines of one delivery tell within a step counts once. */
async function toldSince(
  db: Database,
  since: number,
  stepMs: number,
): Promise<readonly Happened[]> {
  const told = new Map<
    string,
    { readonly what: Happened["what"]; readonly at: number; readonly subjects: Set<string> }
  >();
  let last: Row = { time: Number.MAX_SAFE_INTEGER, id: 0 };
  for (let read = 0; read < mostCounted; read += atOnce) {
    const page = db.read(() =>
      db.all(linesBefore, since, stepMs, integer(last, "time"), integer(last, "id")),
    );
    for (const row of page) {
      if (row["what"] === null) continue;
      const [what, at] = [word<Happened["what"]>(row, "what"), integer(row, "at")];
      const step = told.get(`${what} ${at}`) ?? { what, at, subjects: new Set() };
      told.set(`${what} ${at}`, step);
      step.subjects.add(text(row, "subject"));
    }
    last = page.at(-1) ?? last;
    if (page.length < atOnce) break;
    await otherWork();
  }
  return [...told.values()].map(({ what, at, subjects }) => ({ what, at, count: subjects.size }));
}

/**
 * Takes the beginning and length of a step, and time and id of the line before which they stand.
 */
const linesBefore = `select id, time, ?1 + (time - ?1) / ?2 * ?2 as at, coalesce(delivery, cast(id as text)) as subject,
    case when kind = 'delivery.decided' then 'decided' when kind = 'turn.failed' or (kind = 'lane.held' and reason = 'failed') then 'failed' end as what
  from event where time >= ?1 and (time, id) < (?3, ?4) order by time desc, id desc limit ${atOnce}`;
