import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

/** A database of a test's own; `url` names it. */
export type TestDatabase = {
  readonly url: string;
  query(sql: string): Promise<readonly Record<string, unknown>[]>;
  drop(): Promise<void>;
};

export async function makeDatabase(template: string = "template0"): Promise<TestDatabase> {
  const name = `loop_${randomBytes(6).toString("hex")}`;
  await onServer(`create database ${name} template ${template} strategy file_copy`);
  const url = urlOf(name);
  return {
    url,
    query: (sql) => query(url, sql),
    drop: () => onServer(`drop database ${name} with (force)`),
  };
}

export function urlOf(database: string): string {
  const url = new URL(inject("postgresUrl"));
  url.pathname = `/${database}`;
  return url.href;
}

/** One connection a test file: making one costs more than most statements. */
let administrator: Promise<pg.Client> | null = null;

export async function onServer(sql: string): Promise<void> {
  administrator ??= connected(inject("postgresUrl"));
  await (await administrator).query(sql);
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  // The server may end before this file does.
  client.on("error", () => {});
  await client.connect();
  return client;
}

async function query(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = await connected(url);
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
