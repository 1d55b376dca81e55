import type {
  Adopted,
  Adoption,
  InstanceLife,
  InstanceRow,
  Instances,
  OutboxEntry,
  RefText,
} from "@loopwork/core/ports";
import {
  document,
  firstLookMs,
  heldFor,
  integer,
  isBegun,
  itemsOf,
  lostSight,
  machineEffects,
  noteDecided,
  passLanes,
  type Row,
  text,
  turnedAway,
  underWay,
  word,
} from "@loopwork/store/driver";
import { arrive, moveCursor, reachBack } from "./backlog.ts";
import type { Tx } from "./database.ts";
import { appendLines } from "./events.ts";
import { loadItem, saveItem } from "./items.ts";
import { lockInstance, lockItem } from "./locks.ts";
import { entryOf } from "./outbox.ts";
import type { Postgres } from "./store.ts";
import { readTurn, saveProgress, standing } from "./turns.ts";

export function createPostgresInstances(postgres: Postgres): Instances {
  const { db, instance, life, now } = postgres;
  return {
    enter: async ({ incarnation, machine, scope }) => {
      await db.write(async (tx) => {
        await lockInstance(tx, instance);
        await arrive(tx, instance, now() - firstLookMs);
        await tx.run(
          `insert into instance (name, incarnation, machine, scope, started_at, seen_at, ended) values (?, ?, ?, ?, loop_now(), loop_now(), false)
           on conflict (name) do update set incarnation = excluded.incarnation, machine = excluded.machine, scope = excluded.scope, started_at = excluded.started_at, seen_at = excluded.seen_at, ended = false`,
          instance,
          incarnation,
          machine,
          JSON.stringify(scope),
        );
      });
      life.incarnation = incarnation;
    },
    beat: (scope) =>
      db.write(
        async (tx) =>
          (await tx.run(
            "update instance set seen_at = loop_now(), scope = ? where name = ? and incarnation = ?",
            JSON.stringify(scope),
            instance,
            life.incarnation,
          )) > 0,
      ),
    leave: async () => {
      await db.write((tx) =>
        tx.run(
          "update instance set seen_at = loop_now(), ended = true where name = ? and incarnation = ?",
          instance,
          life.incarnation,
        ),
      );
    },
    list: () =>
      db.read(async (tx) =>
        (await tx.all('select *, loop_now() as now from instance order by name collate "C"')).map(
          rowOf,
        ),
      ),
    isDrained: () =>
      db.read(
        async (tx) =>
          (await tx.get("select 1 from instance where name = ? and drained", instance)) !== null,
      ),
    drain: (name, drained, lines) =>
      db.write(async (tx) => {
        const known =
          (await tx.run("update instance set drained = ? where name = ?", drained, name)) > 0;
        if (known) await appendLines(tx, lines);
        return known;
      }),
    itemsOf: (name) =>
      db.read(async (tx) =>
        (await tx.all(itemsOf(standing), name, name, name)).map((row) => word<RefText>(row, "ref")),
      ),
    adopt: (from, workItem, how) => db.write((tx) => adopt(tx, postgres, from, workItem, how)),
  };
}

async function adopt(
  tx: Tx,
  { instance, now }: Postgres,
  from: string,
  workItem: RefText,
  { fold, note, check, lines }: Adoption,
): Promise<Adopted | null> {
  // A life that begins now waits for this transaction, or this one for it.
  await lockInstance(tx, from);
  const life = await tx.get("select *, loop_now() as now from instance where name = ?", from);
  check(life === null ? null : rowOf(life));
  await lockItem(tx, workItem);
  const lanes = await tx.all(
    "select endpoint from lane where work_item = ? and instance = ? for update",
    workItem,
    from,
  );
  const before = await loadItem(tx, workItem);
  if (from === instance || (lanes.length === 0 && before.workItem?.control.instance !== from))
    return null;
  const uncertain = (await tx.all(underWay(standing), workItem, from)).map((row) => ({
    id: integer(row, "id"),
    lane: word<RefText>(row, "lane"),
  }));
  for (const { id } of uncertain) {
    const turn = await readTurn(tx, id);
    if (turn !== null) await saveProgress(tx, id, lostSight(turn, note));
  }
  await tx.run(passLanes, instance, workItem, from);
  await saveItem(
    tx,
    instance,
    workItem,
    before,
    heldFor(fold(before), new Set(uncertain.map(({ lane }) => lane)), note),
  );
  const begun = await passEffects(tx, instance, from, workItem, note);
  await arrive(tx, instance, now() - firstLookMs);
  await tx.run(...noteDecided(instance, from, workItem));
  await moveCursor(tx, instance);
  await reachBack(tx, instance, from);
  const decidedAnew = await decideAnew(tx, instance, from, workItem);
  const adopted = { uncertain: uncertain.map(({ id }) => id), begun, decidedAnew };
  await appendLines(tx, lines(adopted));
  return adopted;
}

async function passEffects(
  tx: Tx,
  instance: string,
  from: string,
  workItem: RefText,
  note: string,
): Promise<readonly OutboxEntry[]> {
  const pending = "instance = ? and work_item = ? and state = 'pending'";
  const begun = (
    await tx.all(`select * from effect where ${pending} and ${isBegun} order by id`, from, workItem)
  ).map(entryOf);
  await tx.run(
    `update effect set state = 'failed', note = ? where ${pending} and (kind = any(?::text[]) or (${isBegun}))`,
    note,
    from,
    workItem,
    machineEffects,
  );
  await tx.run(`update effect set instance = ? where ${pending}`, instance, from, workItem);
  return begun;
}

async function decideAnew(
  tx: Tx,
  instance: string,
  from: string,
  workItem: RefText,
): Promise<number> {
  const seqs = (
    await tx.all(
      ...turnedAway(instance, from, workItem, "mine.decision::jsonb -> 'effects' = '[]'::jsonb"),
    )
  ).map((row) => integer(row, "seq"));
  const [first] = seqs;
  if (first === undefined) return 0;
  await tx.run(
    "delete from decision where instance = ? and seq = any(?::bigint[])",
    instance,
    seqs,
  );
  await tx.run(
    "update cursor set seq = least(seq, ?::bigint) where instance = ?",
    first - 1,
    instance,
  );
  return seqs.length;
}

function rowOf(row: Row): InstanceRow {
  const ago = (at: string): number => Math.max(0, integer(row, "now") - integer(row, at));
  return {
    name: text(row, "name"),
    machine: text(row, "machine"),
    scope: document<InstanceLife["scope"]>(row, "scope"),
    ended: row["ended"] === true,
    drained: row["drained"] === true,
    startedAgoMs: ago("started_at"),
    seenAgoMs: ago("seen_at"),
  };
}
