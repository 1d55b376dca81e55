import type { Hold, Lease, RefText } from "@loopwork/core/ports";
import {
  holdLasts,
  type LaneRow,
  type LaneSource,
  type LeaseRow,
  leaseLasts,
} from "../model/lane.ts";
import type { Database } from "./database.ts";
import {
  documentOrNull,
  integer,
  integerOrNull,
  type Row,
  text,
  textOrNull,
  word,
} from "../rows.ts";
import type { Sqlite } from "./store.ts";
import { standing, waitingTurns } from "./turns.ts";

const columns =
  "lane.endpoint, lane.work_item, lane.instance, lane.hold, lane.holder, lane.lease_until, lane.lease_ms, lane.fence";
const workdirOfLane =
  "(select workdir from session where session.work_item = lane.work_item and session.endpoint = lane.endpoint)";
const injectingOfLane = `(select turn.id from turn where turn.lane = lane.endpoint and turn.${standing} and turn.state = 'injecting' order by turn.id limit 1)`;

/** What `chooseLane` reads, as it is in the present transaction. */
export function laneSource({ db, instance }: Sqlite, now: number): LaneSource {
  return {
    candidates: () =>
      db
        .all(
          `select ${columns}, turn.not_before, ${workdirOfLane} as workdir
           from (select min(id) as id from turn where ${standing} group by lane) head
           join turn on turn.id = head.id join lane on lane.endpoint = turn.lane
           where turn.state = 'ready' and lane.instance = ? order by turn.id`,
          instance,
        )
        .map((row) => ({
          lane: laneOf(row),
          notBefore: integer(row, "not_before"),
          workdir: textOrNull(row, "workdir"),
        })),
    waiting: (endpoint) => waitingTurns(db, endpoint),
    busyWorkdirs: () => {
      const rows = db.all(
        `select ${columns}, ${workdirOfLane} as workdir, ${injectingOfLane} as injecting from lane where holder is not null or endpoint in (select lane from turn where ${standing} and state = 'injecting')`,
      );
      const atWork = rows.filter(
        (row) => integerOrNull(row, "injecting") !== null || leaseLasts(laneOf(row).lease, now),
      );
      return new Set(atWork.flatMap((row) => textOrNull(row, "workdir") ?? []));
    },
  };
}

/** Lanes of this instance that are leased or have a turn under way. */
export function lanesAtWork({
  db,
  instance,
}: Sqlite): readonly { readonly lane: LaneRow; readonly injecting: number | null }[] {
  return db
    .all(
      `select ${columns}, ${injectingOfLane} as injecting from lane where instance = ? and (holder is not null or endpoint in (select lane from turn where ${standing} and state = 'injecting')) order by number`,
      instance,
    )
    .map((row) => ({ lane: laneOf(row), injecting: integerOrNull(row, "injecting") }));
}

export function findLane(db: Database, endpoint: RefText): LaneRow | null {
  const row = db.get(`select ${columns} from lane where endpoint = ?`, endpoint);
  return row === null ? null : laneOf(row);
}

export function writeLease(
  db: Database,
  { lane, fence }: Lease,
  { holder, until, ms }: LeaseRow,
): void {
  db.run(
    "update lane set holder = ?, lease_until = ?, lease_ms = ?, fence = ? where endpoint = ?",
    holder,
    until,
    ms,
    fence,
    lane,
  );
}

export function freeLane(db: Database, endpoint: RefText): void {
  db.run(
    "update lane set holder = null, lease_until = null, lease_ms = null where endpoint = ?",
    endpoint,
  );
}

export function setHold(db: Database, endpoint: RefText, hold: Hold | null): void {
  db.run(
    "update lane set hold = ? where endpoint = ?",
    hold === null ? null : JSON.stringify(hold),
    endpoint,
  );
}

/** Numbers of lanes of this instance that wait and that are at work. */
export function laneCounts({ db, instance, now }: Sqlite): {
  readonly held: number;
  readonly leased: number;
} {
  const at = now();
  const lanes = db
    .all(
      `select ${columns} from lane where instance = ? and (hold is not null or holder is not null)`,
      instance,
    )
    .map(laneOf);
  return {
    held: lanes.filter((lane) => holdLasts(lane.hold, at)).length,
    leased: lanes.filter((lane) => leaseLasts(lane.lease, at)).length,
  };
}

function laneOf(row: Row): LaneRow {
  const holder = textOrNull(row, "holder");
  const lease =
    holder === null
      ? null
      : { holder, until: integer(row, "lease_until"), ms: integer(row, "lease_ms") };
  return {
    endpoint: word(row, "endpoint"),
    workItem: word(row, "work_item"),
    instance: text(row, "instance"),
    hold: documentOrNull(row, "hold"),
    lease,
    fence: integer(row, "fence"),
  };
}
