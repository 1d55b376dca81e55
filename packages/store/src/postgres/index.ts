export { createSharedLocks } from "./shared-locks.ts";
export { openPostgresStore, type PostgresOptions } from "./open.ts";
