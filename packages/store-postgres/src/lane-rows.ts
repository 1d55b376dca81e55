import type { Hold, Lease, RefText } from "@loopwork/core/ports";
import {
  type Candidate,
  documentOrNull,
  holdLasts,
  integer,
  integerOrNull,
  type LaneRow,
  leaseLasts,
  type Row,
  text,
  textOrNull,
  word,
} from "@loopwork/store/driver";
import type { Tx } from "./database.ts";
import { standing } from "./turns.ts";

/**
 * Leases are written and compared by the clock of the server, whatever the clocks of the machines
 * say; what is read is how much of one is left, so that everything else may go by the time that is
 * handed in.
 */
const columns =
  "lane.endpoint, lane.work_item, lane.instance, lane.hold, lane.holder, lane.lease_until - loop_now() as lease_left, lane.lease_ms, lane.fence";
const workdirOfLane =
  "(select workdir from session where session.work_item = lane.work_item and session.endpoint = lane.endpoint)";
const injectingOfLane = `(select turn.id from turn where turn.lane = lane.endpoint and turn.${standing} and turn.state = 'injecting' order by turn.id limit 1)`;
const atWork = `(holder is not null or endpoint in (select lane from turn where ${standing} and state = 'injecting'))`;

/** Lanes of the instance with a ready turn at their head, in the order of their heads. */
export async function candidateLanes(
  tx: Tx,
  instance: string,
  now: number,
): Promise<readonly Candidate[]> {
  const rows = await tx.all(
    `select ${columns}, turn.not_before, ${workdirOfLane} as workdir
     from (select min(id) as id from turn where ${standing} group by lane) head
     join turn on turn.id = head.id join lane on lane.endpoint = turn.lane
     where turn.state = 'ready' and lane.instance = ? order by turn.id`,
    instance,
  );
  return rows.map((row) => ({
    lane: laneOf(row, now),
    notBefore: integer(row, "not_before"),
    workdir: textOrNull(row, "workdir"),
  }));
}

/** Directories in which a lane is at work now. */
export async function busyWorkdirs(tx: Tx, now: number): Promise<ReadonlySet<string>> {
  const rows = await tx.all(
    `select ${columns}, ${workdirOfLane} as workdir, ${injectingOfLane} as injecting from lane where ${atWork}`,
  );
  const busy = rows.filter(
    (row) => integerOrNull(row, "injecting") !== null || leaseLasts(laneOf(row, now).lease, now),
  );
  return new Set(busy.flatMap((row) => textOrNull(row, "workdir") ?? []));
}

/** Lanes of the instance that are leased or have a turn under way. */
export async function lanesAtWork(
  tx: Tx,
  instance: string,
  now: number,
): Promise<readonly { readonly lane: LaneRow; readonly injecting: number | null }[]> {
  const rows = await tx.all(
    `select ${columns}, ${injectingOfLane} as injecting from lane where instance = ? and ${atWork} order by number`,
    instance,
  );
  return rows.map((row) => ({
    lane: laneOf(row, now),
    injecting: integerOrNull(row, "injecting"),
  }));
}

/** The lane, kept from changing until the transaction ends. */
export async function lockLane(tx: Tx, endpoint: RefText, now: number): Promise<LaneRow | null> {
  const row = await tx.get(`select ${columns} from lane where endpoint = ? for update`, endpoint);
  return row === null ? null : laneOf(row, now);
}

export async function writeLease(
  tx: Tx,
  { lane, owner, fence }: Lease,
  leaseMs: number,
): Promise<void> {
  await tx.run(
    "update lane set holder = ?, lease_until = loop_now() + ?::bigint, lease_ms = ?, fence = ? where endpoint = ?",
    owner,
    leaseMs,
    leaseMs,
    fence,
    lane,
  );
}

export async function freeLane(tx: Tx, endpoint: RefText): Promise<void> {
  await tx.run(
    "update lane set holder = null, lease_until = null, lease_ms = null where endpoint = ?",
    endpoint,
  );
}

export async function setHold(tx: Tx, endpoint: RefText, hold: Hold | null): Promise<void> {
  await tx.run(
    "update lane set hold = ? where endpoint = ?",
    hold === null ? null : JSON.stringify(hold),
    endpoint,
  );
}

/** Numbers of lanes of the instance that wait and that are at work. */
export async function laneCounts(
  tx: Tx,
  instance: string,
  now: number,
): Promise<{ readonly held: number; readonly leased: number }> {
  const lanes = (
    await tx.all(
      `select ${columns} from lane where instance = ? and (hold is not null or holder is not null)`,
      instance,
    )
  ).map((row) => laneOf(row, now));
  return {
    held: lanes.filter((lane) => holdLasts(lane.hold, now)).length,
    leased: lanes.filter((lane) => leaseLasts(lane.lease, now)).length,
  };
}

function laneOf(row: Row, now: number): LaneRow {
  const holder = textOrNull(row, "holder");
  const lease =
    holder === null
      ? null
      : { holder, until: now + integer(row, "lease_left"), ms: integer(row, "lease_ms") };
  return {
    endpoint: word(row, "endpoint"),
    workItem: word(row, "work_item"),
    instance: text(row, "instance"),
    hold: documentOrNull(row, "hold"),
    lease,
    fence: integer(row, "fence"),
  };
}
