import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { evolve } from "@loopwork/core";
import { type Hold, parseRef, type RefText, type Session } from "@loopwork/core/ports";
import { createLocks, openStore } from "@loopwork/store";
import { expect, onTestFinished, test } from "vitest";
import { keepLane, type KeepLanePorts } from "../../src/steer/keep-lane.ts";

const ref = "host:acme/widgets#7" as RefText;

type Scene = {
  readonly ports: KeepLanePorts;
  readonly session: Session;
  at: number;
  hold(hold: Hold): Promise<void>;
  waits(): Promise<Hold | null>;
  open(): Promise<void>;
};

/** A store with a session on record, the locks of its state root, and a clock that stands still. */
async function createScene(): Promise<Scene> {
  const dir = mkdtempSync(join(tmpdir(), "loop-keep-lane-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const store = await openStore(`sqlite:${join(dir, "loop.db")}`, {
    instance: "default",
    now: Date.now,
  });
  onTestFinished(() => store.close());
  const endpoint = parseRef(ref);
  if (endpoint === null) throw new Error("the reference parses");
  const item = await store.items.update(ref, (before) => ({
    after: evolve(before, {
      kind: "session-opened",
      endpoint,
      harness: "A",
      harnessSessionId: "s-1",
      workdir: dir,
      runner: "tmux",
      at: 1,
    }),
    lines: [],
  }));
  const [session] = item.sessions;
  if (session === undefined) throw new Error("the session is on record");
  const locks = createLocks(join(dir, "locks"));
  const scene: Scene = {
    at: 1_000_000,
    session,
    ports: {
      store: async () => store,
      locks: async () => locks,
      clock: { now: () => scene.at },
      wake: async () => {},
    },
    hold: async (hold) =>
      void (await store.items.update(ref, (before) => ({
        after: evolve(before, { kind: "lane-held", endpoint, hold }),
        lines: [],
      }))),
    open: async () =>
      void (await store.items.update(ref, (before) => ({
        after: evolve(before, { kind: "lane-opened", endpoint }),
        lines: [],
      }))),
    waits: async () => (await store.items.load(ref)).lanes[0]?.hold ?? null,
  };
  return scene;
}

const never = (): void => {
  throw new Error("nobody works in the session");
};

test("an open lane says that somebody is attached, and is open when they leave", async () => {
  const { ports, session, waits } = await createScene();
  const lane = await keepLane(session, ports, never);
  expect((await waits())?.reason).toBe("attached");
  await lane.leave();
  expect(await waits()).toBe(null);
});

test.each([
  [
    "a usage limit for hours",
    {
      reason: "usage-limit",
      until: 1_000_000 + 3_600_000,
      detail: "usage limit (five_hour) reached",
    },
  ],
  ["a backoff of seconds", { reason: "backoff", until: 1_000_000 + 30_000, detail: "overloaded" }],
] as const)("%s is still there when they leave", async (_what, hold) => {
  const scene = await createScene();
  await scene.hold(hold);
  const lane = await keepLane(scene.session, scene.ports, never);
  scene.at += 5_000;
  await lane.leave();
  expect(await scene.waits()).toEqual(hold);
});

test("a backoff that ran out while they sat there is gone; one that somebody resumed meanwhile is not brought back", async () => {
  for (const meanwhile of ["runs out", "resumed"] as const) {
    const scene = await createScene();
    await scene.hold({ reason: "backoff", until: scene.at + 30_000, detail: "overloaded" });
    const lane = await keepLane(scene.session, scene.ports, never);
    if (meanwhile === "runs out") scene.at += 40_000;
    else await scene.open();
    await lane.leave();
    expect(await scene.waits(), meanwhile).toBe(null);
  }
});

test("whoever waits for a turn to end finds the limit that the turn met still there when they leave", async () => {
  const scene = await createScene();
  const limit = {
    reason: "usage-limit",
    until: scene.at + 3_600_000,
    detail: "usage limit reached",
  } as const;
  const turn = await (await scene.ports.locks()).acquire("session-s-1");
  const told = Promise.withResolvers<void>();
  const kept = keepLane(scene.session, scene.ports, told.resolve);
  await told.promise;
  expect((await scene.waits())?.reason).toBe("attached");
  await scene.hold(limit);
  await turn?.release();
  await (await kept).leave();
  expect(await scene.waits()).toEqual(limit);
});
