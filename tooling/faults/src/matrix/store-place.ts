import { randomUUID } from "node:crypto";
import pg from "pg";

/** Where the store of one cell is; `url` null for a file of its own. */
export type StorePlace = {
  readonly url: string | null;
  /** The server ends every connection of the service, as it does once a machine has been gone for long. */
  cutOff(): Promise<void>;
  close(): Promise<void>;
};

/** A database of its own on the server, or nothing where the store is a file. */
export async function openStorePlace(server: string | null): Promise<StorePlace> {
  if (server === null) return { url: null, cutOff: () => Promise.resolve(), close: () => Promise.resolve() };
  const name = `cell_${randomUUID().replaceAll("-", "")}`;
  await ask(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    cutOff: () => ask(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and application_name like 'loop%'`),
    close: () => ask(server, `drop database ${name} with (force)`),
  };
}

async function ask(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
