import { type Migration, migrationsIn } from "@loopwork/store/driver";

/** The folder is the same seen from `src` and from `dist`. */
export function readMigrations(): readonly Migration[] {
  return migrationsIn(new URL("../migrations/", import.meta.url));
}
