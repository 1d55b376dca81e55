import { randomUUID } from "node:crypto";
import { openPostgresStore } from "@loopwork/store-postgres";
import { commented } from "../payloads.ts";
import { type FleetOptions, seen, startMember } from "./fleet.ts";
import { run } from "./numbering.ts";
import { openSenders, stage } from "./senders.ts";

/**
 * How many deliveries several receivers accepted beside each other, and how often one of the
 * instances that read the log never came to one of them.
 */
export type Accepts = {
  readonly accepted: number;
  readonly passedOver: number;
  readonly violations: readonly string[];
};

const [receivers, readers] = [12, 2];
const firstItem = 200_000;

/**
 * Lets receivers accept while instances read at the end of the log, each from the last number that
 * it has seen on; then looks for what they passed over.
 */
export async function runAccepts(options: FleetOptions, deliveries: number): Promise<Accepts> {
  const names = Array.from({ length: readers }, (_, n) => `reader-${n}`);
  const members = names.map((name) => startMember(name, { ...options, room: 0 }));
  const senders = await openSenders(options.url, receivers);
  try {
    await Promise.all(members.map(({ up }) => up));
    // In bursts, so that readers have caught up whenever one begins: whoever is behind passes
    // nothing over.
    for (let sent = 0; sent < deliveries; sent += receivers) {
      await Promise.all(
        Array.from({ length: receivers }, (_, n) =>
          senders.send(
            commented(stage, firstItem + sent + n, firstItem + sent + n, "a word", randomUUID()),
          ),
        ),
      );
      await untilRead(options.url, names);
    }
    const rows = await run(
      options.url,
      "select reader, delivery.seq from delivery cross join unnest($1::text[]) reader where ignored is null and not exists (select 1 from decision where instance = reader and decision.seq = delivery.seq) order by delivery.seq, reader",
      [`{${names.join(",")}}`],
    );
    return {
      accepted: Math.ceil(deliveries / receivers) * receivers,
      passedOver: rows.length,
      violations: rows.map(
        (row) =>
          `passed over: ${String(row["reader"])} never came to delivery ${String(row["seq"])}`,
      ),
    };
  } finally {
    await senders.close();
    await Promise.all(members.map((member) => member.kill()));
  }
}

/** Until every reader has, by its own account, nothing left to decide. */
async function untilRead(url: string, names: readonly string[]): Promise<void> {
  const stores = await Promise.all(
    names.map((instance) => openPostgresStore(url, { instance, now: Date.now })),
  );
  try {
    await seen(
      async () =>
        (await Promise.all(stores.map((store) => store.stats()))).every(
          ({ undecided }) => undecided === 0,
        ),
      120_000,
      100,
    );
  } finally {
    await Promise.all(stores.map((store) => store.close()));
  }
}
