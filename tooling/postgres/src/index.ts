export { type PostgresServer, type ServerOptions, startPostgres } from "./server.ts";
