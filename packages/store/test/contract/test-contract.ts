import { inboxContract, type InboxSubject } from "@loopwork/core/testing";
import type { Store } from "@loopwork/core/ports";
import { afterAll, describe, expect, test } from "vitest";
import { storeContract } from "../../src/contract/index.ts";
import type { Driver } from "../subjects.ts";

/** Runs every row of both contracts against the driver, and checks that none was left out. */
export function testContract(driver: Driver): void {
  const ran: string[] = [];
  describe(`the store contract holds for ${driver.name}`, () => {
    for (const row of storeContract) {
      test(`${row.id}: ${row.title}`, async () => {
        const subject = await driver.fresh();
        try {
          await row.run(subject.open);
          ran.push(row.id);
        } finally {
          await subject.close();
        }
      });
    }
  });

  describe(`the inbox contract holds for ${driver.name}`, () => {
    for (const row of inboxContract) {
      test(`${row.id}: ${row.title}`, async () => {
        const fresh = await driver.fresh();
        try {
          await row.run(await inboxSubject(fresh));
          ran.push(row.id);
        } finally {
          await fresh.close();
        }
      });
    }
  });

  afterAll(() => console.log(`${driver.name}: ${ran.length} rows: ${ran.join(" ")}`));

  test(`row ids are unique, and ${driver.name} runs every row`, () => {
    const ids = [...storeContract, ...inboxContract].map((row) => row.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ran).toEqual(ids);
  });
}

async function inboxSubject(fresh: Awaited<ReturnType<Driver["fresh"]>>): Promise<InboxSubject> {
  const store: Store = await fresh.open();
  return {
    inbox: store,
    stored: async () =>
      Promise.all(
        (await store.log.list({ limit: 10_000 })).map(
          async ({ decision: _decision, ignored, ...delivery }) => ({
            ...delivery,
            ignored:
              ignored === "ping" || ignored === "event-not-listed" || ignored === "unknown-event"
                ? ignored
                : null,
            body: await store.log.body(delivery.seq),
          }),
        ),
      ),
    reopen: async () => {
      await store.close();
      return inboxSubject(fresh);
    },
    close: () => store.close(),
  };
}
