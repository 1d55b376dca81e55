import type { HeldLock, Lock } from "@loopwork/core/ports";
import { failureOf } from "./failure.ts";
import { openClient } from "./driver.ts";
import { integer } from "@loopwork/store/driver";
import { placeOf } from "./url.ts";

const space = 1_819_242_355;
const retryMs = 1_000;

/**
 * Locks that all machines of a store share, as locks of the server. Each is held by a connection of
 * its own, and is free once that is lost. A holder that lives on takes it again as soon as it can;
 * should another have it by then, the fence of each lane keeps the two apart.
 */
export function createSharedLocks(url: string): Lock {
  const place = placeOf(url);
  return {
    acquire: async (name) => {
      try {
        return await acquire(url, name);
      } catch (error) {
        throw failureOf(error, place) ?? error;
      }
    },
  };
}

async function acquire(url: string, name: string): Promise<HeldLock | null> {
  let released = false;
  let retry: NodeJS.Timeout | null = null;
  let held: { end(): Promise<void> } | null = null;

  const take = async (): Promise<boolean> => {
    const client = await openClient(url, `loop lock ${name}`);
    client.on("error", () => {});
    const { rows } = await client.query<Record<string, unknown>>(
      "select case when pg_try_advisory_lock($1, hashtext($2)) then 1 else 0 end as held",
      [space, name],
    );
    if (released || integer(rows[0] ?? {}, "held") === 0) {
      await client.end();
      return false;
    }
    held = client;
    client.once("end", lost);
    return true;
  };
  const lost = (): void => {
    if (!released)
      retry = setTimeout(() => void take().then((got) => got || lost(), lost), retryMs).unref();
  };

  if (!(await take())) return null;
  return {
    name,
    release: async () => {
      released = true;
      if (retry !== null) clearTimeout(retry);
      await held?.end();
    },
  };
}
