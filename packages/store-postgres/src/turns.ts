import type { Effect } from "@loopwork/core";
import {
  formatRef,
  type Lanes,
  type RefText,
  type Turn,
  type TurnInput,
} from "@loopwork/core/ports";
import {
  document,
  documentOrNull,
  dropNote,
  integer,
  maxShownTurns,
  queued,
  type QueuedDelivery,
  type Row,
  text,
  textOrNull,
  type TurnProgress,
  word,
} from "@loopwork/store/driver";
import type { Tx } from "./database.ts";
import { ensureItem, ensureLane } from "./items.ts";
import type { Postgres } from "./store.ts";

/** States that stand in the lane; the words of the partial index `turn_standing`. */
export const standing: string = "state in ('ready', 'injecting', 'uncertain')";

/**
 * Puts the turns of a decision on their lanes, and drops what the decision drops, in the order of
 * the effects.
 */
export async function queueTurns(
  tx: Tx,
  postgres: Postgres,
  workItem: RefText,
  delivery: QueuedDelivery,
  effects: readonly Effect[],
): Promise<void> {
  for (const effect of effects) {
    if (effect.kind === "turn") await queueTurn(tx, postgres, workItem, delivery, effect);
    if (effect.kind === "drop-turns")
      await tx.run(
        "update turn set state = 'dropped', note = ? where lane = ? and state in ('ready', 'uncertain')",
        dropNote(effect.why),
        formatRef(effect.endpoint),
      );
  }
}

/** Unique per lane and delivery: a second turn of the same delivery on the same lane is none. */
async function queueTurn(
  tx: Tx,
  { instance, now }: Postgres,
  workItem: RefText,
  delivery: QueuedDelivery,
  effect: Extract<Effect, { kind: "turn" }>,
): Promise<void> {
  const lane = formatRef(effect.endpoint);
  await ensureItem(tx, workItem);
  await ensureLane(tx, instance, workItem, lane);
  if (
    (await tx.get(
      "select 1 from turn_delivery where lane = ? and delivery_id = ?",
      lane,
      delivery.id,
    )) !== null
  )
    return;
  const row = await tx.get(
    "insert into turn (lane, work_item, mode, state, attempt, attempts, not_before, next, note, created_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning id",
    lane,
    workItem,
    effect.mode,
    ...progressValues(queued),
    now(),
  );
  await tx.run(
    "insert into turn_delivery (lane, delivery_id, turn, seq, authority, received_at, event, steered) values (?, ?, ?, ?, ?, ?, ?, ?)",
    lane,
    delivery.id,
    integer(row ?? {}, "id"),
    delivery.seq,
    effect.authority,
    delivery.receivedAt,
    JSON.stringify(effect.event),
    delivery.steered,
  );
}

export async function readTurn(tx: Tx, id: number): Promise<Turn | null> {
  return (await turnsOf(tx, await tx.all("select * from turn where id = ?", id)))[0] ?? null;
}

export async function saveProgress(tx: Tx, id: number, progress: TurnProgress): Promise<void> {
  await tx.run(
    "update turn set state = ?, attempt = ?, attempts = ?, not_before = ?, next = ?, note = ? where id = ?",
    ...progressValues(progress),
    id,
  );
}

/** Ready turns from the head of the lane on, up to the first that is not ready. */
export async function waitingTurns(tx: Tx, lane: RefText): Promise<readonly Turn[]> {
  const rows = await tx.all(
    `select * from turn where lane = ? and ${standing} order by id limit ?`,
    lane,
    maxShownTurns,
  );
  const end = rows.findIndex((row) => text(row, "state") !== "ready");
  return turnsOf(tx, end === -1 ? rows : rows.slice(0, end));
}

/** Moves the deliveries of the folded turns to the head; the folded turns go. */
export async function foldTurns(tx: Tx, head: number, folded: readonly number[]): Promise<void> {
  if (folded.length === 0) return;
  await tx.run("update turn_delivery set turn = ? where turn = any(?::bigint[])", head, folded);
  await tx.run("delete from turn where id = any(?::bigint[])", folded);
}

/** The newest `limit` turns of the query, oldest of them first. */
export async function listTurns(
  tx: Tx,
  { beforeId, lane, workItem, states, limit }: Parameters<Lanes["turns"]>[0],
): Promise<readonly Turn[]> {
  const conditions = [
    "true",
    ...(beforeId === undefined ? [] : ["id < ?"]),
    ...(lane === undefined ? [] : ["lane = ?"]),
    ...(workItem === undefined ? [] : ["work_item = ?"]),
    ...(states === undefined ? [] : ["state = any(?::text[])"]),
  ];
  const values = [beforeId, lane, workItem, states, limit].filter((value) => value !== undefined);
  const rows = await tx.all(
    `select * from turn where ${conditions.join(" and ")} order by id desc limit ?`,
    ...values,
  );
  return turnsOf(tx, rows.toReversed());
}

/** The turns with their inputs, which are fetched together. */
async function turnsOf(tx: Tx, rows: readonly Row[]): Promise<readonly Turn[]> {
  if (rows.length === 0) return [];
  const inputs = await tx.all(
    "select turn, seq, delivery_id, event, authority, received_at, steered from turn_delivery where turn = any(?::bigint[]) order by seq",
    rows.map((row) => integer(row, "id")),
  );
  return rows.map((row) =>
    turnOf(row, inputs.filter((input) => input["turn"] === row["id"]).map(inputOf)),
  );
}

function turnOf(row: Row, inputs: readonly TurnInput[]): Turn {
  return {
    id: integer(row, "id"),
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
