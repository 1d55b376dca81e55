export { postgresMaintenance } from "./maintenance/index.ts";
export { openPostgresStore, type PostgresOptions } from "./open.ts";
export { createSharedLocks } from "./shared-locks.ts";
