import { randomUUID } from "node:crypto";
import pg from "pg";
import { instance } from "./scene.ts";

/** Where the store of one cell is; `url` null for a file of its own. */
export type StorePlace = {
  readonly url: string | null;
  /**
   * The server ends every connection of the service, as it does once a machine has been gone for
   * long.
   */
  cutOff(): Promise<void>;
  /**
   * Which life of the instance is the present one, empty before the first; null where nobody else
   * can begin one.
   */
  presentLife(): Promise<string | null>;
  close(): Promise<void>;
};

/** A database of its own on the server, or nothing where the store is a file. */
export async function openStorePlace(server: string | null): Promise<StorePlace> {
  if (server === null)
    return {
      url: null,
      cutOff: () => Promise.resolve(),
      presentLife: () => Promise.resolve(null),
      close: () => Promise.resolve(),
    };
  const name = `cell_${randomUUID().replaceAll("-", "")}`;
  await ask(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    cutOff: async () =>
      void (await ask(
        server,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and application_name like 'loop%'`,
      )),
    presentLife: async () => {
      const [{ made } = { made: null }] = await ask(
        url.href,
        "select to_regclass('instance') as made",
      );
      return made === null
        ? ""
        : String(
            (
              await ask(url.href, `select incarnation from instance where name = '${instance}'`)
            )[0]?.["incarnation"] ?? "",
          );
    },
    close: async () => void (await ask(server, `drop database ${name} with (force)`)),
  };
}

async function ask(server: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
