import type { NamedRepository, RepositoryNames } from "@loopwork/core/ports";
import type { Database } from "./database.ts";
import { appendLines } from "./events.ts";
import { text } from "../rows.ts";
import type { Sqlite } from "./store.ts";

export function createSqliteRepositories({ db }: Sqlite): RepositoryNames {
  return {
    list: async () => db.read(() => listNames(db)),
    update: (step) =>
      db.durably(() => {
        const { write, lines } = step(listNames(db));
        for (const row of write) save(db, row);
        appendLines(db, lines);
        return listNames(db);
      }),
  };
}

export function listNames(db: Database): readonly NamedRepository[] {
  return db.all("select * from repository order by host, id").map((row) => ({
    host: text(row, "host") === "" ? null : text(row, "host"),
    id: text(row, "id"),
    known: { owner: text(row, "known_owner"), name: text(row, "known_name") },
    present: { owner: text(row, "present_owner"), name: text(row, "present_name") },
  }));
}

function save(db: Database, { host, id, known, present }: NamedRepository): void {
  db.run(
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
