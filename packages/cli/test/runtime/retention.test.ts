import { setImmediate } from "node:timers/promises";
import { defaultConfig, parseConfig } from "@loopwork/core/config";
import { expect, onTestFinished, test } from "vitest";
import { forgetOld, keepForgetting } from "../../../runtime/src/retention.ts";
import { loadConfig, runtimeSettings } from "../../src/configuration/load-config.ts";
import { openStoreOf } from "../../src/start/open.ts";
import { createScene } from "../support/scene.ts";

const day = 86_400_000;

test("bodies and event lines go after the days of the configuration; ids stay and still tell a repetition", async () => {
  const { configFile, cwd, home } = createScene("retention: { bodiesDays: 2, eventsDays: 3 }\n");
  const loaded = loadConfig(configFile, { env: {}, cwd, home });
  const store = await openStoreOf(loaded);
  onTestFinished(() => store.close());
  const now = Date.now();
  const delivery = {
    id: "d-1",
    source: "webhook",
    event: "issues",
    verified: true,
    receivedAt: now - 2.5 * day,
    digest: "aa",
    body: Buffer.from("{"),
    ignored: null,
  } as const;
  await store.append(delivery);
  const [stored] = await store.log.undecided(1);
  const forget = (at: number): ReturnType<typeof forgetOld> =>
    forgetOld({ store, clock: { now: () => at }, settings: () => runtimeSettings(loaded) });

  expect((await forget(now)).bodies).toBe(0);
  await store.log.decide(stored?.seq ?? 0, null, () => ({
    event: null,
    state: null,
    decision: {
      verdict: { kind: "rejected", why: "not-json" },
      reason: "payload-rejected",
      effects: [],
    },
    after: null,
    key: null,
    lines: [
      {
        time: now - 2.5 * day,
        kind: "delivery.decided",
        level: "warn",
        instance: "default",
        workItem: null,
        delivery: "d-1",
        reason: "payload-rejected",
        fields: {},
      },
    ],
    pin: null,
  }));
  expect(await forget(now)).toEqual({ bodies: 1, events: 0 });
  expect(await store.log.body(stored?.seq ?? 0)).toBeNull();
  expect(await forget(now + day)).toEqual({ bodies: 0, events: 1 });
  expect(await store.append(delivery)).toMatchObject({ kind: "duplicate", why: "id", of: "d-1" });
  expect(await store.log.decision("d-1")).not.toBeNull();
});

test("what is not forgotten when the service ends is no fault; while it goes on it is", async () => {
  const { configFile, cwd, home } = createScene();
  const loaded = loadConfig(configFile, { env: {}, cwd, home });
  const said: string[] = [];
  const faults = async (ends: boolean): Promise<readonly string[]> => {
    const store = await openStoreOf(loaded);
    const stop = keepForgetting({
      store,
      clock: { now: Date.now },
      settings: () => runtimeSettings(loaded),
      log: (_level, text) => void said.push(text),
      timers: { every: () => () => {}, after: () => () => {} },
    });
    if (ends) stop();
    await store.close();
    await setImmediate();
    return said.splice(0);
  };
  expect(await faults(true)).toEqual([]);
  expect(await faults(false)).toEqual([
    "what is too old could not be dropped: The store was closed.",
  ]);
});

test("keeps bodies for 30 days and the event log for 90 by default", () => {
  expect(defaultConfig.retention).toEqual({ bodiesDays: 30, eventsDays: 90 });
  expect(parseConfig("retention: { bodiesDays: 0 }\n", { file: "x" }).ok).toBe(false);
});
