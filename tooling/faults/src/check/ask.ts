import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { type Ask, readRows, type StoreRows } from "./rows.ts";

/**
 * Reads the store behind a URL as `store.url` has it, on a connection of its own that cannot write;
 * null where there is none yet.
 */
export async function readStore(url: string): Promise<StoreRows | null> {
  return url.startsWith("sqlite:") ? readSqlite(url.slice("sqlite:".length)) : readPostgres(url);
}

async function readSqlite(file: string): Promise<StoreRows | null> {
  if (!existsSync(file)) return null;
  const db = new DatabaseSync(file, { readOnly: true, timeout: 2_000 });
  try {
    db.exec("begin");
    return await rowsOrNull(async (sql) => db.prepare(sql).all());
  } finally {
    db.close();
  }
}

async function readPostgres(url: string): Promise<StoreRows | null> {
  const client = new pg.Client({ connectionString: url, application_name: "checker" });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    return await rowsOrNull(async (sql) => (await client.query<Record<string, unknown>>(sql)).rows);
  } finally {
    await client.end();
  }
}

/** The schema comes in one transaction: there are all tables or none. */
async function rowsOrNull(ask: Ask): Promise<StoreRows | null> {
  try {
    return await readRows(ask);
  } catch (error) {
    if (error instanceof Error && /no such table|does not exist/.test(error.message)) return null;
    throw error;
  }
}
