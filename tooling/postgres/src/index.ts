export { isAlive } from "./alive.ts";
export { type PostgresServer, type ServerOptions, startPostgres } from "./server.ts";
