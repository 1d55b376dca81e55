import { readdirSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Point } from "./series.ts";

/**
 * What a store keeps, at one moment: bytes of all bodies that a row names, bodies of what was
 * decided and came before a time, lines of the event log, bytes of all files of the state root.
 */
export type Kept = {
  readonly at: number;
  readonly bodyBytes: number;
  readonly oldBodies: number;
  readonly events: number;
  readonly fileBytes: number;
};

/**
 * Looks at the tables and files of a store that is in use, with SQL of its own. Bodies are old when
 * they came before `old`. Null where it is not there, or busy.
 */
export function sizeOfStore(stateRoot: string, database: string, old: number): Kept | null {
  try {
    const db = new DatabaseSync(database, { readOnly: true, timeout: 500 });
    try {
      const number = (sql: string, ...values: readonly number[]): number =>
        Number(db.prepare(sql).get(...values)?.["n"] ?? 0);
      return {
        at: Date.now(),
        bodyBytes: number("select sum(length) as n from delivery_body"),
        oldBodies: number(
          `select count(*) as n from delivery_body join delivery using (seq) where received_at < ? and seq in (select seq from decision)`,
          old,
        ),
        events: number("select count(*) as n from event"),
        fileBytes: bytesIn(stateRoot),
      };
    } finally {
      db.close();
    }
  } catch {
    return null;
  }
}

/** Deliveries that were read and whose bodies are not there any more. */
export function forgottenIn(database: string): number {
  const db = new DatabaseSync(database, { readOnly: true });
  try {
    return Number(
      db
        .prepare(
          "select count(*) as n from delivery where ignored is null and seq not in (select seq from delivery_body)",
        )
        .get()?.["n"] ?? 0,
    );
  } finally {
    db.close();
  }
}

/**
 * What goes on growing by a third or more; under retention a quantity is about the same in the
 * second and the last third of the time.
 */
const mostGrowth = 1.35;

/**
 * One sentence where the last third of the time holds more than that of what the second held; none
 * without points.
 */
export function levelsOff(name: string, points: readonly Point[]): readonly string[] {
  const [from, to] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  const mean = (first: number, last: number): number => {
    const within = points.filter(
      ({ at }) => at >= from + (to - from) * first && at <= from + (to - from) * last,
    );
    return within.reduce((sum, { value }) => sum + value, 0) / Math.max(1, within.length);
  };
  const [second, third] = [mean(1 / 3, 2 / 3), mean(2 / 3, 1)];
  return third <= second * mostGrowth
    ? []
    : [
        `disk: ${name} does not level off: ${second.toFixed(1)} over the second third of the time, ${third.toFixed(1)} over the last`,
      ];
}

/** Files may go while they are looked at. */
function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).reduce(
    (sum, entry) =>
      sum +
      (entry.isFile()
        ? (statSync(`${entry.parentPath}/${entry.name}`, { throwIfNoEntry: false })?.size ?? 0)
        : 0),
    0,
  );
}
