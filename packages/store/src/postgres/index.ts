export { openPostgresStore, type PostgresOptions } from "./open.ts";
