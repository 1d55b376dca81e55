import pg from "pg";
import type { Armed } from "./commits.ts";
import type { DiskFault } from "./faults.ts";

/** What the server says when its disk is full, and when it cannot read or write. */
const states: Readonly<Record<DiskFault, { readonly state: string; readonly words: string }>> = {
  enospc: { state: "53100", words: "could not extend file: No space left on device" },
  eio: { state: "58030", words: "could not write block: Input/output error" },
};

type Query = (this: pg.Client, ...args: unknown[]) => unknown;

/**
 * Puts itself in front of `commit` in the driver; `take` is asked for transactions of the store
 * that write, `takeMigration` for those that migrate.
 */
export function watchPostgres(take: () => Armed | null, takeMigration: () => Armed | null): void {
  const begun = new WeakMap<pg.Client, string>();
  const prototype: { query: Query } = Object(pg.Client.prototype);
  const { query } = prototype;
  prototype.query = function (this: pg.Client, ...args) {
    const [text] = args;
    if (typeof text !== "string" || args.length > 1) return query.apply(this, args);
    if (text.startsWith("begin")) begun.set(this, text);
    const began = text === "commit" ? (begun.get(this) ?? "") : "";
    const armed = began.includes("statement_timeout = 0")
      ? takeMigration()
      : began.includes("read write")
        ? take()
        : null;
    return armed === null
      ? query.apply(this, args)
      : struck(armed, this, (sql) => Promise.resolve(query.call(this, sql)));
  };
}

async function struck(
  { trigger, when }: Armed,
  client: pg.Client,
  query: (sql: string) => Promise<unknown>,
): Promise<unknown> {
  const { fault } = trigger;
  if (when === "before") {
    trigger.strike();
    return query(fault === "eio" || fault === "enospc" ? raising(fault) : "commit");
  }
  const result = await query("commit");
  trigger.strike();
  if (fault !== "eio" && fault !== "enospc") return result;
  // A server whose disk fails as it ends a transaction goes down: nobody hears that it was
  // committed.
  await new Promise<void>((resolve) => {
    client.once("end", resolve);
    socketOf(client).destroy();
  });
  throw Object.assign(
    new Error("read ECONNRESET"),
    fault === "eio" ? { code: "ECONNRESET", syscall: "read" } : { code: "57P02" },
  );
}

/** The server raises the error itself, in the transaction that is open. */
function raising(fault: DiskFault): string {
  return `do $$ begin raise exception using errcode = '${states[fault].state}', message = '${states[fault].words}'; end $$`;
}

/** The driver's types do not name it. */
function socketOf(client: pg.Client): { destroy(): void } {
  const { connection }: { connection?: { readonly stream: { destroy(): void } } } = Object(client);
  if (connection === undefined) throw new Error("the driver has no socket");
  return connection.stream;
}
