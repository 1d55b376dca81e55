import { StoreError } from "../errors.ts";
import { text } from "../rows.ts";
import { type Copied, copyRows } from "./copy.ts";
import type { MaintenanceDriver, TargetOptions } from "./driver.ts";
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
  /** Called when one of the URLs is a `postgres:` one. */
  readonly loadPostgres: () => Promise<MaintenanceDriver>;
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
  const [source, target] = [
    await sideOf(locationOf(from), options),
    await sideOf(locationOf(to), options),
  ];
  if (source.place === target.place)
    throw new StoreError(
      "LOOP_E_STORE_SAME",
      "Both URLs name the same store.",
      "Name another place with `--to`.",
    );
  const reading = await source.read();
  try {
    const writing = await target.write({
      from: reading.place,
      startOver: options.startOver,
      inPlace: guards.inPlace === true,
    });
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

/** One end of the copy, before it is opened. */
type Side = {
  readonly place: string;
  read(): Promise<Reading>;
  write(options: Omit<TargetOptions, "name">): Promise<Target>;
};

async function sideOf(location: Location, { loadPostgres }: MigrateOptions): Promise<Side> {
  if (location.driver === "sqlite") {
    const { file } = location;
    return {
      place: file,
      read: async () => openSqliteAlone(file),
      write: async ({ from, startOver, inPlace }) =>
        openSqliteTarget(file, {
          from,
          startOver,
          mayReplaceEmpty: true,
          ...(inPlace === true ? { staged: file } : {}),
        }),
    };
  }
  const driver = await loadPostgres();
  return {
    place: driver.placeOf(location.url),
    read: () => driver.openSource(location.url, { name, alone: true }),
    write: (options) => driver.openTarget(location.url, { ...options, name }),
  };
}
