import { type SourceOptions, type Reading, StoreError, tables, text } from "@loopwork/store/driver";
import { readMigrations } from "../migrations.ts";
import { checkedVersion } from "../migrate.ts";
import { createPostgresReading } from "./reading.ts";
import { openSession, requireNobodyElse, type Session } from "./session.ts";

/** Opens a store for reading on one snapshot. */
export async function openPostgresSource(
  url: string,
  { name, alone }: SourceOptions,
): Promise<Reading> {
  const session = await openSession(url, name, true);
  try {
    const schema = await schemaOf(session);
    await requireCurrent(session);
    if (alone) await requireNobodyElse(session);
    await session.tx.run("begin isolation level repeatable read read only");
    // Before the first query, which takes the snapshot.
    if (alone)
      await session.tx.run(
        `lock table ${tables.map((table) => `${schema}.${table.name}`).join(", ")} in share mode`,
      );
    return createPostgresReading(session, schema);
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** The schema in which the tables of a service stand, quoted. */
export async function schemaOf({ tx, place }: Session): Promise<string> {
  const row = await tx.get("select quote_ident(current_schema()) as name");
  if (typeof row?.["name"] !== "string")
    throw new StoreError(
      "LOOP_E_STORE_RIGHTS",
      `The user of ${place} has no schema to work in.`,
      "Make the user the owner of the database, or grant it usage and create on its schema.",
    );
  return text(row, "name");
}

async function requireCurrent({ tx, place }: Session): Promise<void> {
  const migrations = readMigrations();
  if ((await checkedVersion(tx, migrations)) < migrations.length)
    throw new StoreError(
      "LOOP_E_STORE_MISSING",
      `The store in ${place} has not been set up by this version yet.`,
      "Run `loop start` once, or name another database.",
    );
}
