import type { SandboxDecision } from "@loopwork/core";
import type { Lock, Store } from "@loopwork/core/ports";
import { lookAtCheckouts } from "./checkouts.ts";
import { turnInTerminal } from "./hook-records.ts";
import type { LoadedConfig } from "../configuration/load-config.ts";
import type { InsideTurn, Ports, Services } from "../ports/command-ports.ts";
import type { Io } from "../io/io.ts";
import { isSandboxed, refuseSandboxed } from "./refuse-in-sandbox.ts";
import { turnByVariables } from "../steer/turn-here.ts";
import { createUnwind } from "@loopwork/runtime/unwind";
import {
  isStoreOlder,
  openHostOf,
  openHostSetupOf,
  openShowItemOf,
  openLocksOf,
  openMarksOf,
  openRecordsOf,
  openReadonlyStoreOf,
  openStoreOf,
  systemClock,
  systemIds,
} from "./open.ts";

/** The ports of one command line: each part is made on first use, and all are closed at the end. */
export function connectPorts(io: Io, configOption: string | null): Ports {
  const unwind = createUnwind((what, error) =>
    io.err(`${what} did not close: ${error instanceof Error ? error.message : String(error)}\n`),
  );
  const turn = (): InsideTurn | null => turnByVariables(io.env, turnInTerminal);
  const found = once(async () => {
    refuseSandboxed(io.env, turn);
    const opened = (await import("../configuration/open-config.ts")).openConfig(configOption, io);
    for (const { sentence } of opened.refused)
      io.err(`${(await import("../output/human.ts")).visible(sentence)}\n`);
    return opened;
  });
  const config = once(async () =>
    (await import("../configuration/load-config.ts")).readConfig((await found()).config, io),
  );
  /** For whatever writes into the state root. */
  const writing = once(async () => {
    const [loaded, { ensureStateRoot }] = await Promise.all([
      config(),
      import("../state/state-root.ts"),
    ]);
    ensureStateRoot(loaded.paths);
    return loaded;
  });
  const store = once(async (): Promise<Store> => {
    const opened = await openStoreOf(await config());
    unwind.defer("store", () => opened.close());
    return opened;
  });
  const settled = once(async () => {
    const [opened, { requireSettled }] = await Promise.all([
      found(),
      import("../configuration/open-config.ts"),
    ]);
    requireSettled(opened, io.env);
    return config();
  });
  const locks = once(async (): Promise<Lock> => openLocksOf(await config()));
  const looking = once(async () =>
    (await import("../configuration/remembered-config.ts")).lookingConfig(
      (await found()).config,
      io,
      config,
    ),
  );
  const service = once(async () => {
    const [{ openConfig }, { readConfig }] = await Promise.all([
      import("../configuration/open-config.ts"),
      import("../configuration/load-config.ts"),
    ]);
    const opened = configOption === null ? null : openConfig(null, io).config;
    return opened === null ? config() : readConfig(opened, io);
  });
  const recordStore = once(async () => {
    // Without `--config` both are the same file.
    const opened = await openRecordsOf(configOption === null ? await looking() : await service());
    unwind.defer("store", () => opened.close());
    return opened;
  });
  const records = once(async () => {
    const opened = await openReadonlyStoreOf(await service());
    unwind.defer("store", () => opened.close());
    return { service: await service(), store: opened };
  });
  const workspace = once(async () => {
    const [loaded, { openWorkspaceOf }, { runtimeSettings }] = await Promise.all([
      config(),
      import("./open.ts"),
      import("../configuration/load-config.ts"),
    ]);
    const say = (note: string): void => io.err(`${note}\n`);
    return openWorkspaceOf(loaded, await locks(), {
      settings: () => runtimeSettings(loaded),
      onNote: say,
      onHardened: (clone, removed) => say(`${removed.join("; ")} (${clone})`),
    });
  });
  const checkouts = lookAtCheckouts(io.env);
  return {
    io,
    clock: systemClock,
    ids: systemIds,
    config,
    configPlaces: found,
    settledConfig: settled,
    store,
    storeCare: once(async () =>
      (await import("./store-care.ts")).openStoreCare(await config(), io, systemClock.now),
    ),
    locks,
    salvage: workspace,
    refusalOfWorkdir: async () => {
      const [loaded, { refusalOfWorkdir }, { gitEnvironmentOf }] = await Promise.all([
        config(),
        import("@loopwork/workspace"),
        import("../configuration/load-config.ts"),
      ]);
      return refusalOfWorkdir({
        spawnWorkdir: loaded.paths.spawnWorkdir,
        home: loaded.env["HOME"] ?? "",
        env: () => gitEnvironmentOf(loaded),
      });
    },
    checkouts,
    copyOf: async (...which) => (await workspace()).copyOf(...which),
    records,
    recordStore,
    looking,
    policy: async () => {
      const { policyOf } = await import("@loopwork/core/config");
      return policyOf((await config()).config);
    },
    codeHost: once(async () => {
      const { openRepositoryNames, underPresentNames } = await import("@loopwork/runtime/steering");
      return underPresentNames(
        await openHostOf(await config()),
        await openRepositoryNames(await store()),
      );
    }),
    wake: async () =>
      (await import("./wake.ts")).wake((await writing()).paths.stateRoot, systemClock.now()),
    shownItem: async (ref) => (await openShowItemOf(await config()))(ref),
    async hostOf(of) {
      const [{ readConfig }, { openNamedConfig }] = await Promise.all([
        import("../configuration/load-config.ts"),
        import("../configuration/open-config.ts"),
      ]);
      const loaded =
        of !== null && "config" in of
          ? of
          : readConfig(of === null ? null : openNamedConfig(of.written, io.home), io);
      const storeOf = once(async () => {
        const opened = await openStoreOf(loaded);
        unwind.defer("store", () => opened.close());
        return opened;
      });
      return {
        loaded,
        host: await openHostOf(loaded),
        setup: await openHostSetupOf(loaded),
        store: storeOf,
      };
    },
    mark: async (text, purpose) => {
      const [loaded, { redactorOf }] = await Promise.all([
        config(),
        import("../configuration/redactor.ts"),
      ]);
      return (await openMarksOf(loaded, redactorOf(loaded))).sign(text, purpose);
    },
    mentionsGraph: async () =>
      (await import("../configuration/open-config.ts")).mentionsGraph((await found()).config),
    gate: once(async () => {
      const [loaded, { createWorkGate }, { graphSettings }] = await Promise.all([
        looking(),
        import("@loopwork/runtime/graph"),
        import("../steer/item-of-graph.ts"),
      ]);
      return createWorkGate(() => graphSettings(loaded), recordStore, lookAtCheckouts(io.env));
    }),
    harness: async (id) => {
      const [loaded, { connectHarnesses }, { createRunProcess }] = await Promise.all([
        writing(),
        import("./harnesses.ts"),
        import("../processes/run-process.ts"),
      ]);
      const found = (await connectHarnesses(() => loaded, io, createRunProcess()))[id];
      if (found === null) throw new Error(`harness ${id} is not connected`);
      const sandbox = async (): Promise<SandboxDecision | null> => {
        const [{ decisionForNew }, { runtimeSettings }] = await Promise.all([
          import("@loopwork/runtime/steering"),
          import("../configuration/load-config.ts"),
        ]);
        return found.sandbox === null
          ? null
          : decisionForNew(id, loaded.paths, found.sandbox, runtimeSettings(loaded));
      };
      return {
        sandbox,
        turns: found.turns,
        hooks: found.hooks,
        oneShots: found.oneShots,
        probe: () => found.turns.probe(),
        endConversation: found.endConversation,
        isHeldElsewhere: found.isHeldElsewhere,
      };
    },
    terminals: once(async () =>
      (await import("./session-terminals.ts")).openSessionTerminals(await writing(), io),
    ),
    notes: async (folder) => (await import("./notes.ts")).notesFor(folder, checkouts),
    learnings: once(async () => {
      const [loaded, { openLearnings }, { lookAtRepository }, { gitEnvironmentOf }] =
        await Promise.all([
          writing(),
          import("./learnings.ts"),
          import("./learnings-places.ts"),
          import("../configuration/load-config.ts"),
        ]);
      return openLearnings(
        io.cwd,
        loaded.paths.stateRoot,
        io.version,
        locks,
        lookAtRepository(loaded.paths.stateRoot, () => gitEnvironmentOf(loaded)),
      );
    }),
    askForConsolidation: async (repository) => {
      const [{ askForConsolidation }, { paths }] = await Promise.all([
        import("./team-learnings.ts"),
        config(),
      ]);
      await askForConsolidation(paths.stateRoot, repository);
    },
    servicePlan: async () => (await import("./service-plan.ts")).servicePlan(await config(), io),
    services: once(async () => connectServices(await config(), io, settled)),
    turn,
    isSandboxed: () => isSandboxed(io.env, turn),
    controlToken: async () => {
      const [{ paths }, { readToken }, { refuseStateInWorkTree }] = await Promise.all([
        config(),
        import("./token-file.ts"),
        import("../state/state-in-work-tree.ts"),
      ]);
      refuseStateInWorkTree(paths);
      return readToken(paths.tokenFile);
    },
    openPage: async (url) =>
      (await import("./open-page.ts")).openPage(url, (await writing()).paths.stateRoot, io.env),
    close: () => unwind.run(),
  };
}

/** Nothing is started before it is settled which configuration counts. */
async function connectServices(
  loaded: LoadedConfig,
  io: Io,
  settled: () => Promise<LoadedConfig>,
): Promise<Services> {
  const [{ servicePlan }, services] = await Promise.all([
    import("./service-plan.ts"),
    import("../detach/services.ts"),
  ]);
  const plan = servicePlan(loaded, io);
  (await import("../state/state-root.ts")).ensureStateRoot(loaded.paths);
  return {
    start: async () => settled().then(() => services.startServices(plan)),
    stop: () => services.stopServices(plan),
    restart: async () => services.restartServices(plan, await isStoreOlder(await settled())),
    async upgrade(say) {
      await settled();
      const [{ upgradeAndRestart }, { secretNames }] = await Promise.all([
        import("../detach/upgrade.ts"),
        import("../configuration/load-config.ts"),
      ]);
      const isRunning = async (): Promise<boolean> =>
        (await services.statusOfServices(plan)).some(({ running }) => running);
      return upgradeAndRestart(
        {
          ...plan,
          secretNames: secretNames(loaded.config),
          command: loaded.config.service.upgradeCommand,
          version: io.version,
          say,
        },
        isRunning,
      );
    },
    status: () => services.statusOfServices(plan),
    foreground: async (kind, oneDelivery) =>
      (await import("./daemons.ts")).runDaemon({
        kind,
        once: oneDelivery,
        loaded: await settled(),
        io,
      }),
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
