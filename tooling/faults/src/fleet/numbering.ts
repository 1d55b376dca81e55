import pg from "pg";

/** The lock for accepting as `packages/store` asks for it: its space and its name. */
const accepting = { space: 1_819_242_352, name: 1 };

/**
 * Lets a database draw the numbers of deliveries from a sequence, as a store would that has no lock
 * for accepting. Every fifth is committed only once a reader has passed its number, or a second
 * later, as where a machine or a disk stalls. The product's own statements run unchanged: triggers
 * put the drawn number in the place of theirs.
 */
export async function drawNumbers(url: string): Promise<void> {
  await run(
    url,
    `
    create schema numbering;
    create sequence numbering.drawn;
    create function numbering.draw() returns trigger language plpgsql as $$
      declare drawn bigint := nextval('numbering.drawn');
      begin
        perform set_config('numbering.for_' || new.seq, drawn::text, true);
        if drawn % 5 = 0 then
          for look in 1..50 loop
            exit when exists (select 1 from public.cursor where instance like 'reader-%' and seq >= drawn);
            perform pg_sleep(0.02);
          end loop;
        end if;
        new.seq := drawn;
        return new;
      end $$;
    create function numbering.follow() returns trigger language plpgsql as $$
      begin
        new.seq := current_setting('numbering.for_' || new.seq)::bigint;
        return new;
      end $$;
    create trigger draw before insert on delivery for each row execute function numbering.draw();
    create trigger follow before insert on delivery_body for each row execute function numbering.follow();`,
  );
}

/**
 * Takes the lock for accepting away, and no other: a function of the same name stands in front of
 * the server's. For connections made from now on.
 */
export async function withoutAcceptLock(url: string): Promise<void> {
  await run(
    url,
    `
    create schema unguarded;
    create sequence unguarded.skipped;
    create function unguarded.pg_advisory_xact_lock(space integer, name integer) returns void language plpgsql as $$
      begin
        if space = ${accepting.space} and name = ${accepting.name} then perform nextval('unguarded.skipped');
        else perform pg_catalog.pg_advisory_xact_lock(space, name);
        end if;
      end $$;
    do $$ begin execute format('alter database %I set search_path = unguarded, public, pg_catalog', current_database()); end $$;`,
  );
}

/** Throws when nobody asked for the lock that was taken away, as then nothing was shown. */
export async function requireSkipped(url: string): Promise<void> {
  const [row] = await run(url, "select is_called from unguarded.skipped");
  if (row?.["is_called"] !== true)
    throw new Error(
      "nobody asked for the lock that was taken away: packages/store asks for another one now",
    );
}

/** A new database of the server; resolves to its URL. */
export async function createDatabase(administrator: string, name: string): Promise<string> {
  await run(administrator, `create database ${name}`);
  const url = new URL(administrator);
  url.pathname = `/${name}`;
  return url.href;
}

export async function run(
  url: string,
  sql: string,
  values: readonly string[] = [],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}
