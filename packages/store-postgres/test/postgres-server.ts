import { startPostgres } from "@loopwork-tooling/postgres";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { openPostgresStore } from "../src/index.ts";

declare module "vitest" {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface ProvidedContext {
    /** URL of the server that all tests of this run share. */
    readonly postgresUrl: string;
  }
}

/**
 * Leases go by the clock of the server. For rows that hand in the time, the clock of the server is
 * what they handed in last: a table holds it, and the function that the driver asks reads there.
 */
const handedInClock = `
  delete from instance;
  create table test_clock (ms bigint not null);
  insert into test_clock values (0);
  create or replace function loop_now() returns bigint language sql volatile as 'select ms from test_clock'`;

/**
 * One server for the run; each test makes a database of its own in it, as a copy of the one that is
 * set up here.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  project.provide("postgresUrl", server.url());
  await query(server.url(), "create database loop_template template template0");
  await (
    await openPostgresStore(server.url("loop_template"), { instance: "default", now: Date.now })
  ).close();
  await query(server.url("loop_template"), handedInClock);
  return () => server.stop();
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}
