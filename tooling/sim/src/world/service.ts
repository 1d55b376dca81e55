import {
  createRuntime,
  type Runtime,
  type RuntimeParts,
  type RuntimeSettings,
} from "@loopwork/runtime";
import { createUnwind, type Unwind } from "@loopwork/runtime/unwind";
import { openRepositoryNames, underPresentNames } from "@loopwork/runtime/steering";
import { type Client, codeHostOver, createMarks } from "@loopwork/codehost";
import { gapAuditOver, pollOver } from "@loopwork/codehost/poller";
import { createRedactor } from "@loopwork/core";
import type { Store } from "@loopwork/core/ports";
import { type Accept, createAccept, createVerifier, defaultEvents } from "@loopwork/receiver";
import { createMemoryStore } from "@loopwork/store/memory";
import { createSimulatedClient } from "../host/client.ts";
import { origin } from "../host/host.ts";
import { createTurns } from "../harness/turns.ts";
import { type Life, through } from "./life.ts";
import type { World } from "./world.ts";
import { createSimulatedWorkspace } from "./workspace.ts";

export const secret = "simulated-secret";

/** The service of one life: the real wiring, over parts whose calls are steps. */
export type Service = {
  readonly life: Life;
  readonly wired: Runtime;
  readonly accept: Accept;
  readonly unwind: Unwind;
};

export async function startService(life: Life, world: World): Promise<Service> {
  const { settings } = world;
  const parts = world.plant.decorate(await partsOf(life, world, settings), world);
  const unwind = createUnwind(() => {});
  const wired = createRuntime(parts, unwind);
  const accept = createAccept({
    inbox: parts.store,
    verifier: () => createVerifier([secret]),
    events: defaultEvents,
    maxBodyBytes: 1_000_000,
    dialect: "auto",
    dedupeBody: true,
    allowUnsigned: false,
    now: parts.clock.now,
    onFault: (error) => world.fault(error),
  });
  if (settings.config.polling.enabled) startPolling(life, world, parts, wired);
  if (world.auditing) startAudit(life, world, parts, wired);
  return { life, wired, accept, unwind };
}

async function partsOf(life: Life, world: World, settings: RuntimeSettings): Promise<RuntimeParts> {
  const store = storeOf(life, world);
  const names = await openRepositoryNames(store);
  const client = clientOf(life, world);
  const turns = createTurns(world.transcripts, () => world.trouble.harness.loggedOut);
  const trust = {
    check: async () => null,
    prepare: () => life.call("trust", async () => ({ kind: "already" }) as const),
  };
  return {
    store,
    names,
    locks: world.machine.locksOf(life),
    run: world.machine.runOf(life),
    host: underPresentNames(codeHostOver(client), names),
    workspace: createSimulatedWorkspace(world.checkouts, life, world.random),
    harnesses: {
      A: {
        turns: {
          ...turns,
          evidence: (trace) => life.call("evidence", () => turns.evidence(trace)),
          probe: () => life.call("probe", () => turns.probe()),
        },
        trust,
        oneShots: null,
        sandbox: null,
        newConversation: async () => ({ kind: "made", id: world.random.uuid() }),
        isHeldElsewhere: async () => false,
        endConversation: async () => {},
      },
      B: null,
    },
    graphFiles: null,
    programs: noPrograms,
    gate: { check: async () => ({ kind: "complete" }) },
    files: world.requests.filesOf(world.machine, life, world.checkouts),
    clock: { now: world.wallClock },
    timers: life.timers,
    ids: { uuid: world.random.uuid },
    settings: () => settings,
    machine: "simulated",
    learnings: {
      keep: async () => {},
      collect: async () => {},
      ask: async () => {},
      bringUpToDate: async () => ({ done: null, toCommit: [] }),
    },
    redact: createRedactor([{ name: "simulated", value: secret }]),
    marks: createMarks(new Uint8Array(32)),
    log: (level, text) => world.trace.say(`log ${level}`, () => text),
  };
}

/** A handle of this life over data that outlives it. */
function storeOf(life: Life, world: World): Store {
  const store = createMemoryStore({ instance: "default", now: world.wallClock }, world.data);
  const { log, items, lanes, outbox, events, cursors, repositories, instances } = store;
  return {
    append: (delivery) =>
      life.call(
        "store.append",
        () => store.append(delivery),
        () => `${delivery.event} ${delivery.id}`,
      ),
    log: through(log, "log", life),
    items: through(items, "items", life),
    lanes: through(
      {
        ...lanes,
        begin: (...args) => watched(lanes.begin(...args), world.monitor.begun(args[0], args[2])),
      },
      "lanes",
      life,
    ),
    outbox: through(outbox, "outbox", life),
    events: through(events, "events", life),
    cursors: through(cursors, "cursors", life),
    repositories: through(repositories, "repositories", life),
    instances: through(instances, "instances", life),
    stats: () => life.call("store.stats", () => store.stats()),
    activity: (query) => life.call("store.activity", () => store.activity(query)),
    listen: store.listen,
    close: () => store.close(),
  };
}

/** Tells the monitor of what was written, at the very moment. */
async function watched(done: Promise<boolean>, tell: () => void): Promise<boolean> {
  const written = await done;
  if (written) tell();
  return written;
}

function clientOf(life: Life, world: World): Client {
  return createSimulatedClient(
    world.host,
    life,
    world.random,
    world.travel,
    () => world.trouble.host,
  );
}

/**
 * Compares the host's list with the inbox as start/gap-audit.ts does, at the start and every hour.
 */
function startAudit(
  life: Life,
  world: World,
  { store, clock, settings }: RuntimeParts,
  { dispatcher }: Runtime,
): void {
  const { routing, webhooks } = settings().config;
  const { path, events } = webhooks.hostWebhook;
  const audit = gapAuditOver(clientOf(life, world), {
    inbox: store,
    find: (id) => store.log.find(id),
    cursors: store.cursors,
    settings: async () => ({ repositories: routing.repositories, path, events }),
    now: clock.now,
  });
  const again = async (): Promise<void> => {
    const began = world.scheduler.now();
    const { repositories } = await audit();
    if (repositories.every(({ failure }) => failure === null)) world.audited(began);
    if (repositories.some(({ gaps }) => gaps.length > 0)) dispatcher.poke();
    life.timers.after(3_600_000, run);
  };
  const run = (): void => void again().catch((error: unknown) => world.fault(error));
  run();
}

/** Polls as start/poller.ts does, on the simulated clock. */
function startPolling(
  life: Life,
  world: World,
  { store, clock, settings }: RuntimeParts,
  { dispatcher }: Runtime,
): void {
  const { config, policy } = settings();
  const poll = pollOver(clientOf(life, world), origin.apiUrl, {
    inbox: store,
    cursors: store.cursors,
    items: () => store.items.list(),
    settings: () => ({
      repositories: config.routing.repositories,
      autoExecuteLabel: policy.autoExecuteLabel,
    }),
    now: clock.now,
  });
  const again = async (): Promise<void> => {
    const report = await poll();
    world.polled(report.repositories.every(({ failure }) => failure === null));
    if (report.repositories.some(({ stored }) => stored > 0)) dispatcher.poke();
    life.timers.after(
      Math.max(config.polling.intervalSeconds * 1_000, (report.restUntil ?? 0) - clock.now()),
      run,
    );
  };
  const run = (): void => void again().catch((error: unknown) => world.fault(error));
  run();
}

/** Nothing simulated runs a hook, a critic or a classifier. */
const unasked = (): never => {
  throw new Error("the simulation runs no small programs");
};
const noPrograms: RuntimeParts["programs"] = {
  runToEnd: unasked,
  withFile: unasked,
  outsideRepositories: unasked,
  copyFiles: unasked,
};
