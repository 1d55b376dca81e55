import type { Effect } from "@loopwork/core";
import {
  formatRef,
  type Lanes,
  type RefText,
  type Turn,
  type TurnInput,
  type TurnState,
} from "@loopwork/core/ports";
import { maxShownTurns } from "../model/limits.ts";
import type { QueuedDelivery } from "../model/decided.ts";
import { dropNote, queued, type TurnProgress } from "../model/turn.ts";
import type { Database } from "./database.ts";
import { ensureItem, ensureLane } from "./items.ts";
import { document, documentOrNull, integer, type Row, text, textOrNull, word } from "../rows.ts";
import type { Sqlite } from "./store.ts";

/** States that stand in the lane; the words of the partial index `turn_standing`. */
export const standing: string = "state in ('ready', 'injecting', 'uncertain')";

/**
 * Puts the turns of a decision on their lanes, and drops what the decision drops, in the order of
 * the effects.
 */
export function queueTurns(
  sqlite: Sqlite,
  workItem: RefText,
  delivery: QueuedDelivery,
  effects: readonly Effect[],
): void {
  for (const effect of effects) {
    if (effect.kind === "turn") queueTurn(sqlite, workItem, delivery, effect);
    if (effect.kind === "drop-turns")
      sqlite.db.run(
        "update turn set state = 'dropped', note = ? where lane = ? and state in ('ready', 'uncertain')",
        dropNote(effect.why),
        formatRef(effect.endpoint),
      );
  }
}

/** Unique per lane and delivery: a second turn of the same delivery on the same lane is none. */
function queueTurn(
  { db, instance, now }: Sqlite,
  workItem: RefText,
  delivery: QueuedDelivery,
  effect: Extract<Effect, { kind: "turn" }>,
): void {
  const lane = formatRef(effect.endpoint);
  ensureItem(db, workItem);
  ensureLane(db, instance, workItem, lane);
  if (
    db.get("select 1 from turn_delivery where lane = ? and delivery_id = ?", lane, delivery.id) !==
    null
  )
    return;
  const { id } = db.run(
    "insert into turn (lane, work_item, mode, state, attempt, attempts, not_before, next, note, created_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    lane,
    workItem,
    effect.mode,
    ...progressValues(queued),
    now(),
  );
  db.run(
    "insert into turn_delivery (lane, delivery_id, turn, seq, authority, received_at, event, steered) values (?, ?, ?, ?, ?, ?, ?, ?)",
    lane,
    delivery.id,
    id,
    delivery.seq,
    effect.authority,
    delivery.receivedAt,
    JSON.stringify(effect.event),
    delivery.steered,
  );
}

export function readTurn(db: Database, id: number): Turn | null {
  const row = db.get("select * from turn where id = ?", id);
  return row === null ? null : turnOf(db, row);
}

export function saveProgress(db: Database, id: number, progress: TurnProgress): void {
  db.run(
    "update turn set state = ?, attempt = ?, attempts = ?, not_before = ?, next = ?, note = ? where id = ?",
    ...progressValues(progress),
    id,
  );
}

/** Ready turns from the head of the lane on, up to the first that is not ready. */
export function waitingTurns(db: Database, lane: RefText): readonly Turn[] {
  const rows = db.all(
    `select * from turn where lane = ? and ${standing} order by id limit ?`,
    lane,
    maxShownTurns,
  );
  const end = rows.findIndex((row) => text(row, "state") !== "ready");
  return (end === -1 ? rows : rows.slice(0, end)).map((row) => turnOf(db, row));
}

/** Moves the deliveries of the folded turns to the head; the folded turns go. */
export function foldTurns(db: Database, head: number, folded: readonly number[]): void {
  for (const id of folded) {
    db.run("update turn_delivery set turn = ? where turn = ?", head, id);
    db.run("delete from turn where id = ?", id);
  }
}

/** The newest `limit` turns of the query, oldest of them first. */
export function listTurns(
  db: Database,
  { beforeId, lane, workItem, states, limit }: Parameters<Lanes["turns"]>[0],
): readonly Turn[] {
  const conditions = [
    "true",
    ...(beforeId === undefined ? [] : ["id < ?"]),
    ...(lane === undefined ? [] : ["lane = ?"]),
    ...(workItem === undefined ? [] : ["work_item = ?"]),
    ...(states === undefined ? [] : [`state in (${states.map(() => "?").join(", ")})`]),
  ];
  const values = [
    ...(beforeId === undefined ? [] : [beforeId]),
    ...(lane === undefined ? [] : [lane]),
    ...(workItem === undefined ? [] : [workItem]),
    ...(states ?? []),
  ];
  // Few stand at a time: the plus keeps their partial index in use, where the order would read all
  // turns that ever were.
  const [filter, order] =
    states?.every(isStanding) === true
      ? [`${conditions.join(" and ")} and ${standing}`, "+id"]
      : [conditions.join(" and "), "id"];
  const rows = db.all(
    `select * from turn where ${filter} order by ${order} desc limit ?`,
    ...values,
    limit,
  );
  return rows.map((row) => turnOf(db, row)).toReversed();
}

function isStanding(state: TurnState): boolean {
  return standing.includes(`'${state}'`);
}

function turnOf(db: Database, row: Row): Turn {
  const id = integer(row, "id");
  const inputs = db
    .all(
      "select seq, delivery_id, event, authority, received_at, steered from turn_delivery where turn = ? order by seq",
      id,
    )
    .map(inputOf);
  return {
    id,
    lane: word(row, "lane"),
    workItem: word(row, "work_item"),
    mode: word(row, "mode"),
    state: word(row, "state"),
    inputs,
    attempt: documentOrNull(row, "attempt"),
    attempts: integer(row, "attempts"),
    notBefore: integer(row, "not_before"),
    next: word(row, "next"),
    note: textOrNull(row, "note"),
    createdAt: integer(row, "created_at"),
  };
}

function inputOf(row: Row): TurnInput {
  return {
    seq: integer(row, "seq"),
    deliveryId: text(row, "delivery_id"),
    event: document(row, "event"),
    authority: word(row, "authority"),
    receivedAt: integer(row, "received_at"),
    steered: textOrNull(row, "steered"),
  };
}

function progressValues({
  state,
  attempt,
  attempts,
  notBefore,
  next,
  note,
}: TurnProgress): [string, string | null, number, number, string, string | null] {
  return [
    state,
    attempt === null ? null : JSON.stringify(attempt),
    attempts,
    notBefore,
    next,
    note,
  ];
}
