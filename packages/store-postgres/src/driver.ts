import driver from "pg";
import type * as Driver from "pg";
import { connectable } from "./url.ts";

const connectWithinMs = 5_000;
/** How long one statement of a service is waited for. */
export const answerWithinMs: number = 15_000;

/**
 * How many connections a handle opens at most. Each transaction holds one for some milliseconds.
 */
const mostConnections = 8;

/** A pool of connections to the server of the URL. */
export function openPool(url: string, name: string): Driver.Pool {
  const config: Driver.PoolConfig = {
    Client: endingClient(driver),
    connectionString: connectable(url),
    application_name: name,
    max: mostConnections,
    connectionTimeoutMillis: connectWithinMs,
    // The server has its own bounds; this one ends the wait for a server that has gone without a
    // word.
    query_timeout: answerWithinMs,
    keepAlive: true,
    types: asNumbers(driver),
  };
  const pool = new driver.Pool(config);
  // An idle connection that breaks is replaced when the next one is asked for.
  pool.on("error", () => {});
  // One that breaks between two statements is found out by the next statement; the event alone
  // would end the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** One connection that is made at once, for waiting on it. */
export async function openClient(
  url: string,
  name: string,
  withinMs: number = connectWithinMs,
): Promise<Driver.Client> {
  const client = new (endingClient(driver))({
    connectionString: connectable(url),
    application_name: name,
    connectionTimeoutMillis: withinMs,
    keepAlive: true,
    types: asNumbers(driver),
  });
  await client.connect();
  return client;
}

/**
 * The driver leaves a connection open at which the login failed on our side; until the server gives
 * up on it, its database cannot be copied or dropped.
 */
function endingClient(driver: typeof Driver.default): typeof Driver.Client {
  return class extends driver.Client {
    override connect(): Promise<Driver.Client>;
    override connect(callback: (error: Error | null) => void): void;
    override connect(callback?: (error: Error | null) => void): Promise<Driver.Client> | undefined {
      // The server may end it before anybody listens; an error without a listener would end the
      // process, and whoever asks next hears of it.
      this.on("error", () => {});
      const connecting = super.connect().catch((error: unknown) => {
        void this.end();
        throw error;
      });
      if (callback === undefined) return connecting;
      connecting.then(() => callback(null), callback);
      return undefined;
    }
  };
}

/** Times and row numbers are far below 2^53; the driver would hand them over as texts. */
function asNumbers({ TypeOverrides, types }: typeof Driver.default): Driver.TypeOverrides {
  const overrides = new TypeOverrides();
  overrides.setTypeParser(types.builtins.INT8, Number);
  return overrides;
}
