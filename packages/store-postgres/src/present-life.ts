import type { Tx } from "./database.ts";
import type { Postgres } from "./store.ts";

/**
 * Whether this handle may take lanes and settle effects: one whose instance has begun another life
 * since may not.
 */
export async function isPresentLife(
  tx: Tx,
  { instance, life }: Pick<Postgres, "instance" | "life">,
): Promise<boolean> {
  return (
    life.incarnation === null ||
    (await tx.get(
      "select 1 from instance where name = ? and incarnation = ?",
      instance,
      life.incarnation,
    )) !== null
  );
}
