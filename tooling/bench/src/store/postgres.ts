import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { startPostgres } from "@loopwork-tooling/postgres";
import pg from "pg";
import { scratchFolder } from "../scratch.ts";

/** A store to be measured, and what removes it afterwards. */
export type Database = { readonly url: string; remove(): Promise<void> };

/** As its makers configure it, where a test run would save memory and flushes. */
const settings = ["shared_buffers = 128MB", "autovacuum = on"];

/**
 * Starts a server that flushes, beside the other contenders' files, with an empty database for each
 * measurement.
 */
export async function startBenchServer(
  progress: (line: string) => void,
): Promise<{ fresh(): Promise<Database>; stop(): Promise<void> }> {
  const parent = placeFor(progress);
  const server = await startPostgres({ durable: true, settings, parent });
  const administrator = new pg.Client({ connectionString: server.url() });
  await administrator.connect();
  let made = 0;
  return {
    fresh: async () => {
      const name = `bench_${(made += 1)}`;
      await administrator.query(`create database ${name} template template0`);
      return {
        url: server.url(name),
        remove: async () => void (await administrator.query(`drop database ${name} with (force)`)),
      };
    },
    stop: async () => {
      await administrator.end();
      await server.stop();
    },
  };
}

/** The server of a run as root belongs to nobody, who may not be let into the checkout. */
function placeFor(progress: (line: string) => void): string {
  const scratch = scratchFolder();
  if (process.getuid?.() !== 0 || isOpenToAll(scratch)) return scratch;
  progress(
    `store: the server's files stand in ${tmpdir()}: its account is not let into the checkout`,
  );
  return tmpdir();
}

function isOpenToAll(folder: string): boolean {
  return (
    (statSync(folder).mode & 0o001) !== 0 &&
    (dirname(folder) === folder || isOpenToAll(dirname(folder)))
  );
}
