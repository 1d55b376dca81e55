import type { Client } from "pg";
import { channel } from "./append.ts";

/** Calls those who listen when somebody appended. `close` ends it. */
export type Listening = { add(call: () => void): () => void; close(): Promise<void> };

const [firstRetryMs, longestRetryMs] = [100, 5_000];

/**
 * A connection of its own that waits for notifications; it is made when the first one listens, and
 * made anew when it is lost. Nothing depends on it: whoever listens looks by itself every few
 * seconds, and here only sooner.
 */
export function createListening(connect: () => Promise<Client>): Listening {
  const calls = new Set<() => void>();
  let client: Client | null = null;
  let closed = false;
  let retry: NodeJS.Timeout | null = null;
  let delay = firstRetryMs;

  const tell = (): void => {
    for (const call of calls) call();
  };
  const again = (): void => {
    client = null;
    if (closed) return;
    retry = setTimeout(() => void begin(), delay).unref();
    delay = Math.min(delay * 2, longestRetryMs);
  };
  const begin = async (): Promise<void> => {
    try {
      const fresh = await connect();
      fresh.on("error", () => {});
      fresh.once("end", again);
      fresh.on("notification", tell);
      client = fresh;
      await fresh.query(`listen ${channel}`);
      delay = firstRetryMs;
      // Something may have been appended while nobody listened.
      tell();
      if (closed) await fresh.end();
    } catch {
      // What failed after the connection stood ends it, and that is heard of.
      if (client === null) again();
      else await client.end().catch(() => {});
    }
  };

  return {
    add: (call) => {
      calls.add(call);
      if (calls.size === 1 && client === null && retry === null) void begin();
      return () => void calls.delete(call);
    },
    close: async () => {
      closed = true;
      if (retry !== null) clearTimeout(retry);
      await client?.end();
    },
  };
}
