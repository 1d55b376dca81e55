import type { Sqlite } from "./store.ts";

/**
 * Whether this handle may take lanes and settle effects: one whose instance has begun another life
 * since may not.
 */
export function isPresentLife({ db, instance, life }: Sqlite): boolean {
  return (
    life.incarnation === null ||
    db.get(
      "select 1 from instance where name = ? and incarnation = ?",
      instance,
      life.incarnation,
    ) !== null
  );
}
