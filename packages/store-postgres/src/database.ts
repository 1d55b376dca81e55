import type { ClientBase, Pool, PoolClient } from "pg";
import { closedError, type Row, StoreError } from "@loopwork/store/driver";
import { type Backoff, createBackoff } from "./backoff.ts";
import { failureOf, hasCollided, isAway } from "./failure.ts";
import type { Place } from "./url.ts";

export type Value =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly (string | number | boolean | null | Uint8Array)[];

/** Statements of one transaction; `?` stands for the values in their order. */
export type Tx = {
  all(sql: string, ...values: readonly Value[]): Promise<readonly Row[]>;
  get(sql: string, ...values: readonly Value[]): Promise<Row | null>;
  /** The number of rows it changed. */
  run(sql: string, ...values: readonly Value[]): Promise<number>;
};

/**
 * The server behind a pool of connections.
 *
 *     open ──the server cannot be reached──▶ open, calls rejected until the next attempt is due ──reached──▶ open
 *       └──close──▶ closed
 *
 * Work that is handed in may run again: two transactions met, or the connection was lost before the
 * commit was asked for. One that is lost while it commits is not run again, because nobody knows
 * what became of it; who called finds out by asking.
 */
export type Database = {
  /**
   * Runs `work` in one transaction that writes, durable when it resolves; a rejection undoes it.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Runs `work` on one snapshot. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** Thrown by work that found what it had read overtaken: it is run again from the beginning. */
export class Overtaken extends Error {}

/**
 * Bounds for each transaction, set inside of it so that a pooler between us and the server may hand
 * connections around. The last one frees the locks of a process that was stopped in the midst of a
 * transaction.
 */
const bounds =
  "set local statement_timeout = 5000; set local lock_timeout = 5000; set local idle_in_transaction_session_timeout = 10000";
const beginWrite = `begin isolation level read committed read write; ${bounds}; set local synchronous_commit = on`;
const beginRead = `begin isolation level repeatable read read only; ${bounds}`;
const mostAttempts = 20;

export function createDatabase(pool: Pool, place: Place, readonly: boolean): Database {
  const backoff = createBackoff(() => performance.now());
  let closed: Promise<void> | null = null;

  const transaction = async <T>(begin: string, work: (tx: Tx) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      if (closed !== null) throw closedError();
      const client = await connect(pool, backoff, place);
      const result = await attempted(client, begin, work);
      if (result.kind === "done") return result.value;
      if (!result.again || attempt === mostAttempts)
        throw failureOf(result.error, place) ?? result.error;
    }
  };

  return {
    write: async (work) => {
      if (readonly)
        throw new StoreError(
          "LOOP_E_STORE_READONLY",
          "The store was opened for reading only.",
          "Write through a store that was opened for writing.",
        );
      return transaction(beginWrite, work);
    },
    read: async (work) => transaction(beginRead, work),
    close: () => (closed ??= pool.end()),
  };
}

async function connect(pool: Pool, backoff: Backoff, place: Place): Promise<PoolClient> {
  backoff.check();
  try {
    const client = await pool.connect();
    backoff.succeeded();
    return client;
  } catch (error) {
    const failure = failureOf(error, place) ?? error;
    if (isAway(error)) backoff.failed(failure);
    throw failure;
  }
}

type Attempted<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "failed"; readonly error: unknown; readonly again: boolean };

/**
 * One attempt at a transaction; the connection is given back, or thrown away when it may be broken.
 */
async function attempted<T>(
  client: PoolClient,
  begin: string,
  work: (tx: Tx) => Promise<T>,
): Promise<Attempted<T>> {
  let committing = false;
  try {
    await client.query(begin);
    const value = await work(createTx(client));
    committing = true;
    await client.query("commit");
    client.release();
    return { kind: "done", value };
  } catch (error) {
    const lost = isAway(error) || committing;
    if (lost) client.release(true);
    else
      await client.query("rollback").then(
        () => client.release(),
        () => client.release(true),
      );
    return {
      kind: "failed",
      error,
      again: error instanceof Overtaken || hasCollided(error) || (isAway(error) && !committing),
    };
  }
}

/** Statements over a connection; the transaction is the caller's. */
export function createTx(client: ClientBase): Tx {
  const query = async (
    sql: string,
    values: readonly Value[],
  ): Promise<{ readonly rows: readonly Row[]; readonly rowCount: number | null }> =>
    client.query<Record<string, unknown>>(numbered(sql), values.map(storable));
  return {
    all: async (sql, ...values) => (await query(sql, values)).rows,
    get: async (sql, ...values) => (await query(sql, values)).rows[0] ?? null,
    run: async (sql, ...values) => (await query(sql, values)).rowCount ?? 0,
  };
}

const numberedStatements = new Map<string, string>();

/** `$1`, `$2`, … for each `?`, so that statements read as they do for SQLite. */
function numbered(sql: string): string {
  const known = numberedStatements.get(sql);
  if (known !== undefined) return known;
  let n = 0;
  const text = sql.replaceAll("?", () => `$${(n += 1)}`);
  numberedStatements.set(sql, text);
  return text;
}

/**
 * A text of PostgreSQL cannot hold a zero character: its picture stands for it. In documents it is
 * escaped anyway.
 */
function storable(value: Value): unknown {
  if (typeof value === "string") return value.replaceAll("\u0000", "\u2400");
  return value instanceof Uint8Array && !Buffer.isBuffer(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : value;
}
