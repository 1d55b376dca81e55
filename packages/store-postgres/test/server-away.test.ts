import { setTimeout as sleep } from "node:timers/promises";
import { type PostgresServer, startPostgres } from "@loopwork-tooling/postgres";
import { deliveryOf } from "@loopwork/core/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPostgresStore } from "../src/index.ts";

const options = { instance: "default", now: Date.now };
let server: PostgresServer;
beforeAll(async () => void (server = await startPostgres()), 120_000);
afterAll(() => server.stop(), 60_000);

test("R14, D01: while the server is away nothing is accepted; what was acknowledged is there when it is back, and the same handle goes on", async () => {
  const store = await openPostgresStore(server.url(), options);
  let told = 0;
  const stop = store.listen(() => void (told += 1));
  expect((await store.append(deliveryOf("before"))).kind).toBe("accepted");
  await server.kill();
  await expect(store.append(deliveryOf("meanwhile"))).rejects.toMatchObject({
    code: "LOOP_E_STORE_UNAVAILABLE",
  });
  await expect(store.log.undecided(9)).rejects.toMatchObject({ code: "LOOP_E_STORE_AWAY" });
  await server.start();
  while ((await store.append(deliveryOf("after")).catch(() => null)) === null) await sleep(20);
  expect((await store.log.undecided(9)).map(({ id }) => id)).toEqual(["before", "after"]);
  const other = await openPostgresStore(server.url(), options);
  // Whoever listens hears of another handle's delivery, also after its connection was lost.
  for (let n = 0; told < 3; n += 1) {
    await other.append(deliveryOf(`heard-${n}`));
    await sleep(50);
  }
  stop();
  await Promise.all([store.close(), other.close()]);
}, 120_000);

test("a replica takes no writer", async () => {
  const standby = await startPostgres({ standby: true });
  try {
    await expect(openPostgresStore(standby.url(), options)).rejects.toMatchObject({
      code: "LOOP_E_STORE_STANDBY",
    });
  } finally {
    await standby.stop();
  }
}, 120_000);
