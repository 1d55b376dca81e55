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
  heldFor,
  isBegun,
  itemsOf,
  lostSight,
  machineEffects,
  noteDecided,
  passLanes,
  turnedAway,
  underWay,
} from "../model/adopted.ts";
import { firstLookMs } from "../model/limits.ts";
import { document, integer, type Row, text, word } from "../rows.ts";
import { arrive, moveCursor, reachBack } from "./backlog.ts";
import { appendLines } from "./events.ts";
import { loadItem, saveItem } from "./items.ts";
import { entryOf } from "./outbox.ts";
import type { Sqlite } from "./store.ts";
import { readTurn, saveProgress, standing } from "./turns.ts";

export function createSqliteInstances(sqlite: Sqlite): Instances {
  const { db, instance, life, now } = sqlite;
  return {
    enter: async ({ incarnation, machine, scope }) => {
      await db.durably(() => {
        arrive(db, instance, now() - firstLookMs);
        db.run(
          `insert into instance (name, incarnation, machine, scope, started_at, seen_at, ended) values (?, ?, ?, ?, ?, ?, 0)
           on conflict (name) do update set incarnation = excluded.incarnation, machine = excluded.machine, scope = excluded.scope, started_at = excluded.started_at, seen_at = excluded.seen_at, ended = 0`,
          instance,
          incarnation,
          machine,
          JSON.stringify(scope),
          now(),
          now(),
        );
      });
      life.incarnation = incarnation;
    },
    beat: (scope) =>
      db.durably(
        () =>
          db.run(
            "update instance set seen_at = ?, scope = ? where name = ? and incarnation = ?",
            now(),
            JSON.stringify(scope),
            instance,
            life.incarnation,
          ).changes > 0,
      ),
    leave: async () => {
      await db.durably(() =>
        db.run(
          "update instance set seen_at = ?, ended = 1 where name = ? and incarnation = ?",
          now(),
          instance,
          life.incarnation,
        ),
      );
    },
    list: async () =>
      db.read(() => db.all("select * from instance order by name").map((row) => rowOf(row, now()))),
    isDrained: async () =>
      db.read(
        () => db.get("select 1 from instance where name = ? and drained = 1", instance) !== null,
      ),
    drain: (name, drained, lines) =>
      db.durably(() => {
        const known =
          db.run("update instance set drained = ? where name = ?", Number(drained), name).changes >
          0;
        if (known) appendLines(db, lines);
        return known;
      }),
    itemsOf: async (name) =>
      db.read(() =>
        db.all(itemsOf(standing), name, name, name).map((row) => word<RefText>(row, "ref")),
      ),
    adopt: (from, workItem, how) => db.durably(() => adopt(sqlite, from, workItem, how)),
  };
}

const quoted = (words: readonly string[]): string => words.map((each) => `'${each}'`).join(", ");

function adopt(
  sqlite: Sqlite,
  from: string,
  workItem: RefText,
  { fold, note, check, lines }: Adoption,
): Adopted | null {
  const { db, instance, now } = sqlite;
  const life = db.get("select * from instance where name = ?", from);
  check(life === null ? null : rowOf(life, now()));
  const before = loadItem(db, workItem);
  const lanes = db.all(
    "select endpoint from lane where work_item = ? and instance = ?",
    workItem,
    from,
  );
  if (from === instance || (lanes.length === 0 && before.workItem?.control.instance !== from))
    return null;
  const uncertain = db
    .all(underWay(standing), workItem, from)
    .map((row) => ({ id: integer(row, "id"), lane: word<RefText>(row, "lane") }));
  for (const { id } of uncertain) {
    const turn = readTurn(db, id);
    if (turn !== null) saveProgress(db, id, lostSight(turn, note));
  }
  db.run(passLanes, instance, workItem, from);
  saveItem(
    sqlite,
    workItem,
    before,
    heldFor(fold(before), new Set(uncertain.map(({ lane }) => lane)), note),
  );
  const begun = passEffects(sqlite, from, workItem, note);
  arrive(db, instance, now() - firstLookMs);
  db.run(...noteDecided(instance, from, workItem));
  moveCursor(db, instance);
  reachBack(db, instance, from);
  const decidedAnew = decideAnew(sqlite, from, workItem);
  const adopted = { uncertain: uncertain.map(({ id }) => id), begun, decidedAnew };
  appendLines(db, lines(adopted));
  return adopted;
}

function passEffects(
  { db, instance }: Sqlite,
  from: string,
  workItem: RefText,
  note: string,
): readonly OutboxEntry[] {
  const pending = "instance = ? and work_item = ? and state = 'pending'";
  const begun = db
    .all(`select * from effect where ${pending} and ${isBegun} order by id`, from, workItem)
    .map(entryOf);
  db.run(
    `update effect set state = 'failed', note = ? where ${pending} and (kind in (${quoted(machineEffects)}) or (${isBegun}))`,
    note,
    from,
    workItem,
  );
  db.run(`update effect set instance = ? where ${pending}`, instance, from, workItem);
  return begun;
}

function decideAnew({ db, instance }: Sqlite, from: string, workItem: RefText): number {
  const seqs = db
    .all(
      ...turnedAway(instance, from, workItem, "json_array_length(mine.decision, '$.effects') = 0"),
    )
    .map((row) => integer(row, "seq"));
  for (const seq of seqs)
    db.run("delete from decision where instance = ? and seq = ?", instance, seq);
  const [first] = seqs;
  if (first !== undefined)
    db.run("update cursor set seq = min(seq, ?) where instance = ?", first - 1, instance);
  return seqs.length;
}

function rowOf(row: Row, now: number): InstanceRow {
  const ago = (at: string): number => Math.max(0, now - integer(row, at));
  return {
    name: text(row, "name"),
    machine: text(row, "machine"),
    scope: document<InstanceLife["scope"]>(row, "scope"),
    ended: row["ended"] === 1,
    drained: row["drained"] === 1,
    startedAgoMs: ago("started_at"),
    seenAgoMs: ago("seen_at"),
  };
}
