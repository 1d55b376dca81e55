import { readdirSync, readFileSync } from "node:fs";

/** One step of the schema. `version` counts from 1 without a gap. */
export type Migration = { readonly version: number; readonly name: string; readonly sql: string };

/** Migrations in a folder, in order; their SQL is read only when it is needed. */
export function migrationsIn(folder: URL): readonly Migration[] {
  const files = readdirSync(folder)
    .filter(
      (file) =>
        file.length > 8 && file.endsWith(".sql") && Number.isInteger(Number(file.slice(0, 4))),
    )
    .toSorted();
  return files.map((file, n) => {
    if (Number(file.slice(0, 4)) !== n + 1)
      throw new Error(`the migration ${file} is out of order`);
    return {
      version: n + 1,
      name: file.slice(5, -4),
      get sql() {
        return readFileSync(new URL(file, folder), "utf8");
      },
    };
  });
}
