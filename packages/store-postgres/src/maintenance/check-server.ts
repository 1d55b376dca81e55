import {
  type Finding,
  found,
  integer,
  type Reading,
  type Row,
  type ServerCheck,
  text,
} from "@loopwork/store/driver";

/**
 * What PostgreSQL knows of its tables without being stopped. Read rows tell damaged pages only
 * where the server keeps checksums.
 */
export async function checkServer(reading: Reading): Promise<ServerCheck> {
  const indexes = await reading.all(
    "select indexrelid::regclass::text as name from pg_index join pg_class on pg_class.oid = indrelid where relnamespace = current_schema()::regnamespace and not (indisvalid and indisready) order by 1",
  );
  const constraints = await reading.all(
    "select conname::text as name from pg_constraint where connamespace = current_schema()::regnamespace and not convalidated order by 1",
  );
  const [server] = await reading.all(
    "select current_setting('data_checksums') as checksums, (select count(*) from pg_extension where extname = 'amcheck') as amcheck",
  );
  const hasAmcheck = server !== undefined && integer(server, "amcheck") > 0;
  return {
    findings: [
      ...indexes.map((row) =>
        found("index-damaged", `the index ${text(row, "name")} is not valid`),
      ),
      ...constraints.map((row) =>
        found(
          "constraint-unchecked",
          `the constraint ${text(row, "name")} was never checked against what stands there`,
        ),
      ),
      ...(hasAmcheck ? await checkIndexes(reading) : []),
    ],
    notes: [
      ...(server?.["checksums"] === "on"
        ? []
        : [
            "the server keeps no checksums of its pages (data_checksums), so that it cannot tell damaged ones",
          ]),
      ...(hasAmcheck
        ? []
        : [
            "indexes were not compared with their tables: the extension amcheck is not in this database",
          ]),
    ],
  };
}

async function checkIndexes(reading: Reading): Promise<readonly Finding[]> {
  const indexes: readonly Row[] = await reading.all(
    "select indexrelid::regclass::text as name from pg_index join pg_class on pg_class.oid = indexrelid join pg_am on pg_am.oid = relam where relnamespace = current_schema()::regnamespace and amname = 'btree' and indisvalid order by 1",
  );
  for (const index of indexes) {
    const name = text(index, "name");
    try {
      await reading.all("select bt_index_check(?::regclass, true)", name);
    } catch (error) {
      return [
        found(
          "index-damaged",
          `the index ${name} is damaged: ${error instanceof Error ? error.message : String(error)}`,
        ),
      ]; // The transaction is over with that.
    }
  }
  return [];
}
