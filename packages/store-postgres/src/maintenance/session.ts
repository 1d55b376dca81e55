import { setTimeout as sleep } from "node:timers/promises";
import type { ClientBase } from "pg";
import { StoreError, text } from "@loopwork/store/driver";
import { createTx, type Tx } from "../database.ts";
import { openClient } from "../driver.ts";
import { failureOf } from "../failure.ts";
import { checkServer, serverOf } from "../server.ts";
import { type Place, placeOf } from "../url.ts";

/** Somebody waits for it, and no sender of a webhook does. */
const connectWithinMs = 30_000;

/** One connection for a long piece of work, without the short bounds of a service. */
export type Session = { readonly place: string; readonly tx: Tx; close(): Promise<void> };

export function namePlace({ server, database }: Place): string {
  return `postgres://${server}/${database}`;
}

export async function openSession(
  url: string,
  name: string,
  onlyReading: boolean,
): Promise<Session> {
  const place = placeOf(url);
  const client = await connected(url, name, place);
  const tx = explained(createTx(client), place);
  const session = { place: namePlace(place), tx, close: () => client.end() };
  try {
    await tx.run(
      "set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = 5000; set synchronous_commit = on",
    );
    checkServer(await serverOf(tx), place, onlyReading);
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
}

async function connected(
  url: string,
  name: string,
  place: Place,
): Promise<ClientBase & { end(): Promise<void> }> {
  try {
    const client = await openClient(url, name, connectWithinMs);
    // One that breaks is found out by the next statement; the event alone would end the process.
    client.on("error", () => {});
    return client;
  } catch (error) {
    throw failureOf(error, place) ?? error;
  }
}

/** The same statements; what goes wrong with the server is said for people. */
function explained(tx: Tx, place: Place): Tx {
  const guard = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw failureOf(error, place) ?? error;
    }
  };
  return {
    all: (sql, ...values) => guard(tx.all(sql, ...values)),
    get: (sql, ...values) => guard(tx.get(sql, ...values)),
    run: (sql, ...values) => guard(tx.run(sql, ...values)),
  };
}

/**
 * How long to wait for a command that is connected and ends by itself; also the server takes a
 * moment to let a connection go.
 */
const patienceMs = 3_000;

/**
 * Throws while another process of loop is connected to the database: services, and commands that do
 * not end meanwhile.
 */
export async function requireNobodyElse({ tx, place }: Session): Promise<void> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const others = await tx.all(
      "select distinct application_name as name from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name like 'loop %' order by 1",
    );
    if (others.length === 0) return;
    if (performance.now() >= until)
      throw new StoreError(
        "LOOP_E_STORE_IN_USE",
        `${place} is in use by ${others.map((row) => text(row, "name")).join(", ")}.`,
        "Stop the services of all machines with `loop stop`, then run this again.",
      );
    await sleep(100);
  }
}
