import { integer, StoreError } from "@loopwork/store/driver";
import type { Tx } from "./database.ts";
import { standby } from "./failure.ts";
import type { Place } from "./url.ts";

/** The oldest server that the statements were written for, as `server_version_num` tells it. */
const oldestServer = 140_000;

export type Server = {
  readonly version: number;
  readonly name: string;
  readonly readonly: boolean;
};

/** What the server says of itself. */
export async function serverOf(tx: Tx): Promise<Server> {
  const row =
    (await tx.get(
      "select current_setting('server_version_num')::integer as version, current_setting('server_version') as name, pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as readonly",
    )) ?? {};
  return {
    version: integer(row, "version"),
    name: String(row["name"]),
    readonly: row["readonly"] === true,
  };
}

/** Throws for a server that cannot be used, whatever is in it. */
export function checkServer(server: Server, place: Place, onlyReading: boolean): void {
  if (server.version < oldestServer)
    throw new StoreError(
      "LOOP_E_STORE_TOO_OLD",
      `PostgreSQL at ${place.server} is ${server.name}; the oldest that can be used is ${Math.trunc(oldestServer / 10_000)}.`,
      "Name a newer server in the URL, or upgrade this one.",
    );
  if (server.readonly && !onlyReading) throw standby(place);
}
