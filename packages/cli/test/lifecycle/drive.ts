import { setTimeout as sleep } from "node:timers/promises";
import { createPoll } from "@loopwork/codehost/poller";
import { emptyItemState, type StoredEvent } from "@loopwork/core/ports";
import { until } from "../support/until.ts";
import { createWorld, type Service, type World } from "../support/world.ts";
import type { Play, Stage, WorldKind } from "./play.ts";

export type Ingress = "webhook" | "poller";

/**
 * What came of one play: the decisions about its item by the act itself, and the status that it
 * left.
 */
export type Ending = {
  readonly play: Play;
  readonly decided: readonly string[];
  readonly status: string | null;
  readonly also: unknown;
};

const routings: Readonly<Record<WorldKind, string>> = {
  usual: "",
  granting: "",
  granted: "",
  uncertain: "",
  held: "  budget: { turns: 1 }",
  "spawning-off": "  spawnOnUnmatched: never",
  "by-activity": "  control: { requireStartCommand: false }",
};

/**
 * Performs plays of one kind of world side by side, one act of each after the other, through the
 * real HTTP of the practice host. Between two acts everything that happened is taken in by the one
 * ingress, and all work that follows from it is done.
 */
export async function perform(
  plays: readonly Play[],
  kind: WorldKind,
  ingress: Ingress,
): Promise<readonly Ending[]> {
  const world = await createWorld({ routing: routings[kind] });
  const service = await world.start((parts) =>
    kind === "uncertain" && parts.harnesses.A !== null
      ? {
          ...parts,
          harnesses: {
            ...parts.harnesses,
            A: {
              ...parts.harnesses.A,
              turns: {
                ...parts.harnesses.A.turns,
                evidence: () => Promise.resolve({ kind: "unknown", why: "the play says so" }),
              },
            },
          },
        }
      : parts,
  );
  const takeIn = ingress === "webhook" ? () => world.host.idle() : pollInto(world, service);
  await takeIn();
  const stages = plays.map((play): Stage => ({
    world,
    service,
    pull: 0,
    number: world.host.openIssue({
      title: "Water the garden",
      body: play.words,
      labels: play.labelled ? ["loop: auto-execute"] : [],
      by: "ada",
    }).number,
  }));
  await settle(service, takeIn);
  const rounds = Math.max(...plays.map(({ before }) => before.length));
  for (let round = 0; round < rounds; round++) {
    await nextSecond();
    // Who needs fewer acts begins later, so that the last one of all comes at once.
    for (const [n, play] of plays.entries()) {
      const act = play.before[round - (rounds - play.before.length)];
      const stage = stages[n];
      if (act !== undefined && stage !== undefined) await act(stage);
    }
    await settle(service, takeIn);
  }
  await nextSecond();
  const earlier = (await service.events("delivery.decided")).at(-1)?.id ?? 0;
  for (const [n, { act }] of plays.entries()) if (stages[n] !== undefined) await act(stages[n]);
  await settle(service, takeIn);
  const decisions = (await service.events("delivery.decided")).filter(({ id }) => id > earlier);
  return Promise.all(plays.map((play, n) => endingOf(play, stages[n], decisions)));
}

/**
 * The host counts in seconds: what two people do one after the other is seldom done in the same
 * one.
 */
function nextSecond(): Promise<void> {
  return sleep(1_020 - (Date.now() % 1_000));
}

async function endingOf(
  play: Play,
  stage: Stage | undefined,
  decisions: readonly StoredEvent[],
): Promise<Ending> {
  if (stage === undefined) throw new Error("a play without a stage");
  const ref = stage.world.ref(play.of(stage));
  const decided = decisions
    .filter(({ workItem }) => workItem === ref)
    .map(({ fields, reason }) => `${String(fields["verdict"])}: ${reason}`);
  const { workItem } = (await stage.service.parts.store.items.load(ref)) ?? emptyItemState;
  const also = await play.also(stage).then(
    () => null,
    (error: unknown) => error,
  );
  return { play, decided, status: workItem?.control.status ?? null, also };
}

/**
 * The poller of the product, over HTTP, into the store of the running service; the host sends no
 * webhook anywhere.
 */
function pollInto(world: World, service: Service): () => Promise<void> {
  world.host.aim(null);
  const { store, settings } = service.parts;
  const poll = createPoll(
    { host: new URL(world.host.url).host, apiBaseUrl: world.host.apiUrl, token: "practice-agent" },
    {
      inbox: store,
      cursors: store.cursors,
      items: () => store.items.list(),
      settings: () => ({
        repositories: ["practice/garden"],
        autoExecuteLabel: settings().policy.autoExecuteLabel,
      }),
      now: Date.now,
    },
  );
  return async () => {
    const { repositories } = await poll();
    const failed = repositories.find(({ failure }) => failure !== null);
    if (failed !== undefined) throw new Error(`the poll failed: ${failed.failure?.message ?? ""}`);
    service.dispatcher.poke();
  };
}

/**
 * Everything was heard of, decided and carried out; what still waits, waits on a lane that is held.
 * What the service itself has said comes in, too.
 */
async function settle(service: Service, takeIn: () => Promise<unknown>): Promise<void> {
  for (let heard = -1, before = -2; heard !== before;) {
    before = heard;
    await takeIn();
    service.dispatcher.poke();
    await until(
      () => isAtRest(service),
      "rest",
      async () =>
        JSON.stringify([await service.parts.store.stats(), ...service.said.slice(-20)], null, 1),
      120_000,
    );
    heard = (await service.events("delivery.decided")).length;
  }
}

async function isAtRest({ parts: { store } }: Service): Promise<boolean> {
  const stats = await store.stats();
  if (stats.undecided > 0 || stats.pendingEffects > 0 || stats.turns.injecting > 0) return false;
  const ready = await store.lanes.turns({ states: ["ready"], limit: 1000 });
  for (const { workItem, lane } of ready) {
    const held =
      (await store.items.load(workItem)).lanes.find(({ endpoint }) => endpoint === lane)?.hold ??
      null;
    if (held === null) return false;
  }
  return true;
}
