import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RuntimeParts } from "@loopwork/runtime";
import { loadConfig } from "../../src/configuration/load-config.ts";
import { openStoreOf } from "../../src/start/open.ts";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";
import { createWorld } from "../support/world.ts";

test(
  "while every place is taken the dispatcher rests, though a turn of another item is ready",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld({ routing: "  maxConcurrentTurns: 1" });
    let looks = 0;
    const counting = (parts: RuntimeParts): RuntimeParts => ({
      ...parts,
      store: {
        ...parts.store,
        log: {
          ...parts.store.log,
          undecided: (limit) => (looks++, parts.store.log.undecided(limit)),
        },
      },
    });
    const service = await world.start(counting);
    world.startIssue("{{stub:hang 3000}}");
    await until(() => world.prompts().length === 1, "the first turn");
    world.startIssue();
    await until(
      async () =>
        (await service.turns()).length === 2 &&
        (await service.parts.store.stats()).pendingEffects === 0,
      "the second turn, ready",
    );
    looks = 0;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await service.turns()).map(({ state }) => state)).toEqual(["injecting", "ready"]);
    expect(looks).toBeLessThan(20);
    await until(
      async () => (await service.turns()).every(({ state }) => state === "done"),
      "both turns",
      undefined,
      20_000,
    );
  },
);

test(
  "a lane that is given out while the service stops is given back, and its turn is the next life's",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    const stopping: Promise<void>[] = [];
    let made = 0;
    const late = (parts: RuntimeParts): RuntimeParts => {
      const { store, workspace } = parts;
      const take: typeof store.lanes.take = async (request) => {
        const taken = await store.lanes.take(request);
        if (taken === null) return null;
        if (stopping.length === 0) stopping.push(service.stop());
        await new Promise((resolve) => setTimeout(resolve, 200));
        return taken;
      };
      return {
        ...parts,
        store: { ...store, lanes: { ...store.lanes, take } },
        workspace: { ...workspace, prepare: (request) => (made++, workspace.prepare(request)) },
      };
    };
    const service = await world.start(late);
    world.startIssue();
    await until(() => stopping.length > 0, "a stop in the midst of it");
    await Promise.all(stopping);
    expect([made, world.prompts()]).toEqual([0, []]);
    const next = await world.start();
    await until(
      async () => (await next.turns()).some(({ state }) => state === "done"),
      "the turn, in the next life",
      undefined,
      20_000,
    );
    expect(world.prompts()).toHaveLength(1);
  },
);

test(
  "a drain waits for a lane that is being given out, as `--once` does",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    const slow = (parts: RuntimeParts): RuntimeParts => {
      const { store } = parts;
      const take: typeof store.lanes.take = async (request) => {
        const taken = await store.lanes.take(request);
        if (taken !== null) await new Promise((resolve) => setTimeout(resolve, 2_000));
        return taken;
      };
      return { ...parts, store: { ...store, lanes: { ...store.lanes, take } } };
    };
    const service = await world.start(slow);
    const number = world.startIssue();
    await until(
      async () => (await service.turns())[0]?.state === "done",
      "the first turn",
      undefined,
      20_000,
    );
    world.host.comment(number, "And the can.", "ada"); // Where it is to be worked on is known by now.
    await until(async () => (await service.turns()).length === 2, "another turn");
    expect(await service.dispatcher.drain()).toBe(true);
    expect((await service.turns()).map(({ state }) => state)).toEqual(["done", "done"]);
  },
);

test(
  "a process that dispatches again takes up the turn of the one that dispatched meanwhile",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    let mayBegin = true;
    const service = await world.start(undefined, () => mayBegin);
    const { dispatcher, parts } = service;
    await until(() => dispatcher.progress().phase === "running", "the first life");
    mayBegin = false;
    const elsewhere = await openStoreOf(loadConfig(world.scene.configFile, world.scene));
    await elsewhere.instances.enter({
      incarnation: parts.ids.uuid(),
      machine: "another",
      scope: { mode: "open", workItems: [] },
    });
    await elsewhere.close();
    await until(
      () => dispatcher.progress().phase === "waiting",
      "the loss of the right to dispatch",
      () => service.said.join("\n"),
      20_000,
    );

    const go = join(world.scene.dir, "go");
    const other = await startDaemon(world);
    world.startIssue(`{{fixture:wait ${go}}}`);
    await until(() => world.prompts().length === 1, "the turn of the other process", other.log);
    await other.end("SIGKILL");
    mayBegin = true;
    dispatcher.poke();
    await until(() => dispatcher.progress().phase === "running", "the next life");
    writeFileSync(go, "");
    await until(
      async () => (await service.turns())[0]?.state === "done",
      "the turn",
      () => service.said.join("\n"),
      15_000,
    );
    expect(world.prompts()).toHaveLength(1);
  },
);

test(
  "a poke while the dispatcher asks how long it may rest is not lost",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    let [poke, poked, looked] = [(): void => {}, 0, 0];
    const poking = (parts: RuntimeParts): RuntimeParts => {
      const { lanes, log } = parts.store;
      const wakeAt: typeof lanes.wakeAt = (now, merge) => {
        poke();
        return lanes.wakeAt(now, merge);
      };
      const undecided: typeof log.undecided = (limit) => {
        if (poked > 0 && looked === 0) looked = performance.now();
        return log.undecided(limit);
      };
      return {
        ...parts,
        store: { ...parts.store, lanes: { ...lanes, wakeAt }, log: { ...log, undecided } },
      };
    };
    const service = await world.start(poking);
    await until(() => service.dispatcher.progress().phase === "running", "the first looks");
    poke = () => {
      poke = () => {};
      poked = performance.now();
      service.dispatcher.poke();
    };
    await until(() => looked > 0, "the look that the poke asks for");
    expect(looked - poked).toBeLessThan(1_000);
  },
);
