import { type Acceptance, type NewDelivery, replayWindowMs } from "@loopwork/core/ports";
import {
  backlogFull,
  closedError,
  integer,
  StoreError,
  text,
  unavailable,
} from "@loopwork/store/driver";
import { countUndecided, cursorOf, moveCursor } from "./backlog.ts";
import type { Database, Tx } from "./database.ts";
import { lockAccepting } from "./locks.ts";

export type Appender = {
  append(delivery: NewDelivery): Promise<Acceptance>;
  /** Resolves once everything that came before is stored or refused; refuses what comes after. */
  close(): Promise<void>;
};

type Target = { readonly db: Database; readonly instance: string; readonly maxBacklog: number };
type Job = {
  readonly delivery: NewDelivery;
  resolve(answer: Acceptance): void;
  reject(error: unknown): void;
};

/** The channel on which whoever listens hears that deliveries were stored. */
export const channel = "loop_delivery";

const [mostTogether, mostBytesTogether] = [500, 16 * 1024 * 1024];

/**
 * The inbox. What waits while a transaction is under way shares the next one; everything is
 * answered after its commit, duplicates too. No timer is involved: the transaction is the batching
 * window, and the lock is asked for once a batch.
 */
export function createPostgresAppender(target: Target): Appender {
  let waiting: Job[] = [];
  let working: Promise<void> | null = null;
  let closed = false;

  const work = async (): Promise<void> => {
    // Those that come in the same round of the event loop belong to the first batch.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const batch = firstBatch(waiting);
      waiting = waiting.slice(batch.length);
      await storeAll(target, batch);
    }
    working = null;
  };

  return {
    append: (delivery) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(unavailable(closedError()));
        waiting.push({ delivery, resolve, reject });
        working ??= work();
      }),
    close: async () => {
      closed = true;
      await working;
    },
  };
}

function firstBatch(waiting: readonly Job[]): readonly Job[] {
  let bytes = 0;
  const end = waiting.findIndex(({ delivery }, n) => {
    bytes += delivery.body?.length ?? 0;
    return n > 0 && (n === mostTogether || bytes > mostBytesTogether);
  });
  return end === -1 ? waiting : waiting.slice(0, end);
}

/**
 * When one delivery alone cannot be stored, each is tried for itself so that it takes no other
 * down.
 */
async function storeAll(target: Target, jobs: readonly Job[]): Promise<void> {
  try {
    const answers = await target.db.write((tx) =>
      storeTogether(
        tx,
        target,
        jobs.map(({ delivery }) => delivery),
      ),
    );
    for (const [n, job] of jobs.entries()) answer(job, answers[n] ?? null, target.maxBacklog);
  } catch (error) {
    if (error instanceof StoreError || jobs.length === 1)
      for (const job of jobs) job.reject(unavailable(error));
    else for (const job of jobs) await storeAll(target, [job]);
  }
}

function answer(job: Job, acceptance: Acceptance | null, maxBacklog: number): void {
  if (acceptance === null) job.reject(backlogFull(maxBacklog));
  else job.resolve(acceptance);
}

/**
 * The acceptance of each; null where there is no room for a delivery that would have to be decided.
 */
async function storeTogether(
  tx: Tx,
  { instance, maxBacklog }: Target,
  deliveries: readonly NewDelivery[],
): Promise<readonly (Acceptance | null)[]> {
  await lockAccepting(tx);
  const known = await knownOf(tx, deliveries);
  let room = maxBacklog - (await undecidedAtLeast(tx, instance, known.last, maxBacklog));
  const fresh: (NewDelivery & { readonly seq: number })[] = [];
  const answers = deliveries.map((delivery): Acceptance | null => {
    if (known.ids.has(delivery.id)) return { kind: "duplicate", why: "id", of: delivery.id };
    const of = known.replayOf(delivery);
    if (of !== null) return { kind: "duplicate", why: "replay", of };
    if (delivery.ignored === null && room <= 0) return null;
    if (delivery.ignored === null) room -= 1;
    const seq = known.last + fresh.length + 1;
    fresh.push({ ...delivery, seq });
    known.note(delivery);
    return { kind: "accepted", seq };
  });
  if (fresh.length > 0) await insertAll(tx, instance, fresh);
  return answers;
}

/** What is stored already, in so far as these deliveries may repeat it. `note` adds one of them. */
type Known = {
  readonly last: number;
  readonly ids: Set<string>;
  replayOf(delivery: NewDelivery): string | null;
  note(delivery: NewDelivery): void;
};

async function knownOf(tx: Tx, deliveries: readonly NewDelivery[]): Promise<Known> {
  const digests = deliveries.flatMap((each) =>
    each.verified && each.allowReplay !== true ? [each.digest] : [],
  );
  const rows = await tx.all(
    `select coalesce(max(seq), 0) as seq, null as id, null as event, null as digest, 0::bigint as received_at from delivery
     union all select seq, id, null, null, 0 from delivery where id = any(?::text[])
     union all (select seq, id, event, digest, received_at from delivery where verified and digest = any(?::text[]) order by seq)`,
    deliveries.map(({ id }) => id),
    digests,
  );
  const [first] = rows;
  const ids = new Set(
    rows.flatMap((row) => (row["id"] !== null && row["digest"] === null ? [text(row, "id")] : [])),
  );
  const verified = rows.flatMap((row) =>
    row["digest"] === null
      ? []
      : [
          {
            id: text(row, "id"),
            event: text(row, "event"),
            digest: text(row, "digest"),
            receivedAt: integer(row, "received_at"),
          },
        ],
  );
  return {
    last: first === undefined ? 0 : integer(first, "seq"),
    ids,
    replayOf: ({ verified: counts, allowReplay, digest, event, receivedAt }) => {
      if (!counts || allowReplay === true) return null;
      return (
        verified.findLast(
          (each) =>
            each.digest === digest &&
            each.event === event &&
            each.receivedAt >= receivedAt - replayWindowMs,
        )?.id ?? null
      );
    },
    note: (delivery) => {
      ids.add(delivery.id);
      if (delivery.verified) verified.push(delivery);
    },
  };
}

/**
 * Counts only when the length of the log says that the bound could be close; far from it a bound
 * from above will do.
 */
async function undecidedAtLeast(
  tx: Tx,
  instance: string,
  last: number,
  maxBacklog: number,
): Promise<number> {
  const atMost = last - (await cursorOf(tx, instance));
  return atMost < maxBacklog / 2 ? atMost : countUndecided(tx, instance);
}

async function insertAll(
  tx: Tx,
  instance: string,
  fresh: readonly (NewDelivery & { readonly seq: number })[],
): Promise<void> {
  await tx.run(
    `insert into delivery (seq, id, source, event, verified, received_at, digest, ignored)
     select * from unnest(?::bigint[], ?::text[], ?::text[], ?::text[], ?::boolean[], ?::bigint[], ?::text[], ?::text[])`,
    fresh.map(({ seq }) => seq),
    fresh.map(({ id }) => id),
    fresh.map(({ source }) => source),
    fresh.map(({ event }) => event),
    fresh.map(({ verified }) => verified),
    fresh.map(({ receivedAt }) => receivedAt),
    fresh.map(({ digest }) => digest),
    fresh.map(({ ignored }) => ignored),
  );
  for (const { seq, body } of fresh)
    if (body !== null)
      await tx.run(
        "insert into delivery_body (seq, body, length) values (?, ?, ?)",
        seq,
        body,
        body.length,
      );
  // Nobody decides what is ignored, so that a stretch of it would be read again and again.
  if (fresh.some(({ ignored }) => ignored !== null)) await moveCursor(tx, instance);
  await tx.run(`select pg_notify('${channel}', '')`);
}
