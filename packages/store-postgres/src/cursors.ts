import type { PollCursors } from "@loopwork/core/ports";
import { text } from "@loopwork/store/driver";
import type { Postgres } from "./store.ts";

export function createPostgresCursors({ db, instance }: Postgres): PollCursors {
  return {
    get: (repository, resource) =>
      db.read(async (tx) => {
        const row = await tx.get(
          "select record from poll_cursor where instance = ? and repository = ? and resource = ?",
          instance,
          repository,
          resource,
        );
        return row === null ? null : text(row, "record");
      }),
    put: (repository, records) =>
      db.write(async (tx) => {
        for (const [resource, record] of Object.entries(records)) {
          await tx.run(
            "insert into poll_cursor (instance, repository, resource, record) values (?, ?, ?, ?) on conflict (instance, repository, resource) do update set record = excluded.record",
            instance,
            repository,
            resource,
            record,
          );
        }
      }),
    list: (resource) =>
      db.read(async (tx) =>
        (
          await tx.all(
            "select repository, record from poll_cursor where instance = ? and resource = ? order by repository",
            instance,
            resource,
          )
        ).map((row) => ({ repository: text(row, "repository"), record: text(row, "record") })),
      ),
  };
}
