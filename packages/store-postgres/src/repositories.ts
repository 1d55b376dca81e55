import type { NamedRepository, RepositoryNames } from "@loopwork/core/ports";
import { text } from "@loopwork/store/driver";
import type { Tx } from "./database.ts";
import { appendLines } from "./events.ts";
import { lockItem } from "./locks.ts";
import type { Postgres } from "./store.ts";

export function createPostgresRepositories({ db }: Postgres): RepositoryNames {
  return {
    list: () => db.read(list),
    update: (step) =>
      db.write(async (tx) => {
        // Of those who see the same names one goes first; no work item has this ref.
        await lockItem(tx, "repositories");
        const { write, lines } = step(await list(tx));
        for (const row of write) await save(tx, row);
        const after = await list(tx);
        await appendLines(tx, lines);
        return after;
      }),
  };
}

async function list(tx: Tx): Promise<readonly NamedRepository[]> {
  return (await tx.all("select * from repository order by host, id")).map((row) => ({
    host: text(row, "host") === "" ? null : text(row, "host"),
    id: text(row, "id"),
    known: { owner: text(row, "known_owner"), name: text(row, "known_name") },
    present: { owner: text(row, "present_owner"), name: text(row, "present_name") },
  }));
}

async function save(tx: Tx, { host, id, known, present }: NamedRepository): Promise<void> {
  await tx.run(
    `insert into repository (host, id, known_owner, known_name, present_owner, present_name) values (?, ?, ?, ?, ?, ?)
     on conflict (host, id) do update set present_owner = excluded.present_owner, present_name = excluded.present_name`,
    host ?? "",
    id,
    known.owner,
    known.name,
    present.owner,
    present.name,
  );
}
