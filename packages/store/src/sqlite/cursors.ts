import type { PollCursors } from "@loopwork/core/ports";
import { text } from "../rows.ts";
import type { Sqlite } from "./store.ts";

export function createSqliteCursors({ db, instance }: Sqlite): PollCursors {
  return {
    get: async (repository, resource) =>
      db.read(() => {
        const row = db.get(
          "select record from poll_cursor where instance = ? and repository = ? and resource = ?",
          instance,
          repository,
          resource,
        );
        return row === null ? null : text(row, "record");
      }),
    put: (repository, records) =>
      db.durably(() => {
        for (const [resource, record] of Object.entries(records)) {
          db.run(
            "insert into poll_cursor (instance, repository, resource, record) values (?, ?, ?, ?) on conflict (instance, repository, resource) do update set record = excluded.record",
            instance,
            repository,
            resource,
            record,
          );
        }
      }),
    list: async (resource) =>
      db.read(() =>
        db
          .all(
            "select repository, record from poll_cursor where instance = ? and resource = ? order by repository",
            instance,
            resource,
          )
          .map((row) => ({ repository: text(row, "repository"), record: text(row, "record") })),
      ),
  };
}
