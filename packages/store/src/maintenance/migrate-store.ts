import { StoreError } from "../errors.ts";
import { text } from "../rows.ts";
import { type Copied, copyRows } from "./copy.ts";
import { namePlace } from "./postgres-session.ts";
import { placeOf } from "../postgres/url.ts";
import { openPostgresSource } from "./postgres-source.ts";
import { openPostgresTarget } from "./postgres-target.ts";
import type { Reading, Renaming, Target } from "./side.ts";
import { openSqliteAlone } from "./sqlite-open.ts";
import { openSqliteTarget } from "./sqlite-target.ts";
import { instanceColumns } from "./tables.ts";
import { type Location, locationOf } from "./url.ts";

export type MigrateOptions = {
  /** Bodies that are damaged are left out, instead of ending the copy. */
  readonly leaveDamaged: boolean;
  /** What an earlier run left at the destination is thrown away. */
  readonly startOver: boolean;
  /** The name under which the store's one instance goes on; as it is called when null. */
  readonly instance: string | null;
  readonly progress: (line: string) => void;
};

export type Migrated = Copied & {
  readonly from: string;
  readonly to: string;
  /**
   * Names of the instances whose decisions and sessions it holds: they go on under these names
   * alone.
   */
  readonly instances: readonly string[];
};

/**
 * What a test takes away to see what it guards: that the copy is made beside its place, and what
 * the copying asks of its destination.
 */
export type Guards = {
  readonly inPlace?: boolean;
  readonly around?: (target: Target, source: Reading) => Target;
};

const name = "loop store migrate";

/**
 * Copies a store to an empty place, compares both, and then puts the copy into its place as a
 * whole. The source stays as it is, and nobody writes to it meanwhile. Killed at any moment, a
 * further run goes on. Rejects with `StoreError`.
 */
export async function migrateStore(
  from: string,
  to: string,
  options: MigrateOptions,
  guards: Guards = {},
): Promise<Migrated> {
  const [source, target] = [locationOf(from), locationOf(to)];
  if (nameOf(source) === nameOf(target))
    throw new StoreError(
      "LOOP_E_STORE_SAME",
      "Both URLs name the same store.",
      "Name another place with `--to`.",
    );
  const reading = await openSource(source);
  try {
    const writing = await openTarget(
      target,
      reading.place,
      options.startOver,
      guards.inPlace === true,
    );
    try {
      const instances = await instancesOf(reading);
      const rename = renamingOf(instances, options.instance);
      const copied = await copyRows(reading, guards.around?.(writing, reading) ?? writing, options);
      await writing.finish(rename);
      return {
        ...copied,
        from: reading.place,
        to: writing.place,
        instances: rename === null ? instances : [rename.to],
      };
    } catch (error) {
      await writing.close().catch(() => {}); // The first failure is what counts.
      throw error;
    }
  } finally {
    await reading.close();
  }
}

/**
 * Names that own something, or have said that they are there. Lines of the event log alone make no
 * instance.
 */
async function instancesOf(reading: Reading): Promise<readonly string[]> {
  const columns = instanceColumns.filter(({ table }) => table !== "event");
  return (
    await reading.all(
      `${columns.map(({ table, column }) => `select ${column} as name from ${table}`).join(" union ")} order by 1`,
    )
  ).map((row) => text(row, "name"));
}

/** With several nobody could say which one is meant, and two must not become one. */
function renamingOf(instances: readonly string[], to: string | null): Renaming | null {
  const [from, ...others] = instances;
  if (to === null || from === undefined || (from === to && others.length === 0)) return null;
  if (others.length > 0)
    throw new StoreError(
      "LOOP_E_STORE_INSTANCE",
      `The store is that of ${instances.join(", ")}; only the one instance of a store can get another name.`,
      "Leave `--instance` out: they go on under their names.",
    );
  return { from, to };
}

function nameOf(location: Location): string {
  return location.driver === "sqlite" ? location.file : namePlace(placeOf(location.url));
}

async function openSource(location: Location): Promise<Reading> {
  return location.driver === "sqlite"
    ? openSqliteAlone(location.file)
    : openPostgresSource(location.url, name, true);
}

async function openTarget(
  location: Location,
  from: string,
  startOver: boolean,
  inPlace: boolean,
): Promise<Target> {
  if (location.driver === "sqlite")
    return openSqliteTarget(location.file, {
      from,
      startOver,
      mayReplaceEmpty: true,
      ...(inPlace ? { staged: location.file } : {}),
    });
  return openPostgresTarget(location.url, {
    name,
    from,
    startOver,
    ...(inPlace ? { staging: "public" } : {}),
  });
}
