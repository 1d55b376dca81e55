import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type {
  HarnessId,
  Hooks,
  NewConversation,
  OneShots,
  RunProcess,
  Sandbox,
  Terminals,
  Trust,
  Turns,
} from "@loopwork/core/ports";
import type { Config } from "@loopwork/core/config";
import type { HarnessAOptions } from "@loopwork/harness-a";
import { ancestorsOf } from "../processes/process-identity.ts";
import type { RunTmux } from "../terminal/run-tmux.ts";
import { agentEnvironmentOf, type LoadedConfig } from "../configuration/load-config.ts";
import { pluginDir } from "./plugin-dir.ts";
import type { Io } from "../io/io.ts";
import { ownFolders, selfCommand } from "./self.ts";
import { openTerminalsOf, terminalsFolder } from "./terminals.ts";

export type ConnectedHarness = {
  readonly turns: Turns;
  readonly trust: Trust;
  readonly hooks: Hooks;
  readonly oneShots: OneShots;
  readonly sandbox: Sandbox | null;
  /** Id for a new conversation: chosen by us where the harness lets us, else asked of it. */
  readonly newConversation: () => Promise<NewConversation>;
  /**
   * Somebody else, such as a person's own terminal, works in the conversation right now. A hint:
   * our own lock stays the truth.
   */
  readonly isHeldElsewhere: (sessionId: string) => Promise<boolean>;
  /**
   * Ends what still runs of a conversation between turns, such as the harness in its terminal. The
   * conversation itself stays.
   */
  readonly endConversation: (sessionId: string) => Promise<void>;
};

/** The configuration as it is now; asked anew for every turn. */
type Current = () => LoadedConfig;

/**
 * Both adapters; what `harnesses` says is read for each turn. `runTmux` is who calls tmux. Throws
 * when one of them can never run a turn, with what to do.
 */
export async function connectHarnesses(
  current: Current,
  io: Pick<Io, "home">,
  processes: RunProcess,
  runTmux?: RunTmux,
): Promise<Readonly<Record<HarnessId, ConnectedHarness | null>>> {
  return {
    A: await connectHarnessA(current, io, processes, openTerminalsOf(current(), runTmux)),
    B: await connectHarnessB(current, processes),
  };
}

/** What harness A is made with; its turns run in terminals where the configuration says so. */
export function harnessAOptions(
  current: Current,
  io: Pick<Io, "home">,
  processes: RunProcess,
  terminals: Terminals,
): HarnessAOptions {
  const { config, paths } = current();
  const own = (): Config["harnesses"]["A"] => current().config.harnesses.A;
  const terminal = {
    terminals,
    folder: terminalsFolder({ paths }),
    driver: [...selfCommand(), "terminal-turn"] as const,
    runsTurns: config.routing.runner === "tmux",
  };
  const fixed = {
    hostCommands: ["gh"],
    pluginDir: pluginDir(),
    home: io.home,
    processes,
    probeDir: join(paths.stateRoot, "probes"),
    terminal,
  };
  return {
    ...fixed,
    get command() {
      return own().command;
    },
    get args() {
      return own().args;
    },
    get env() {
      return own().env;
    },
    get passEnv() {
      return own().passEnv;
    },
    get permissions() {
      return own().permissions;
    },
    get allowedTools() {
      return own().allowedTools;
    },
    get projectSettings() {
      return own().projectSettings;
    },
    get environment() {
      return agentEnvironmentOf(current(), "A");
    },
  };
}

async function connectHarnessA(
  current: Current,
  io: Pick<Io, "home">,
  processes: RunProcess,
  terminals: Terminals,
): Promise<ConnectedHarness> {
  const {
    configDirOf,
    createHarnessA,
    createSandbox,
    findLiveSessions,
    terminalFolder,
    terminalName,
  } = await import("@loopwork/harness-a");
  const options = harnessAOptions(current, io, processes, terminals);
  const folder = terminalsFolder(current());
  const harness = createHarnessA(options);
  const endConversation = (id: string): Promise<void> =>
    endTerminal(terminals, terminalName(id), terminalFolder(folder, id));
  return {
    ...harness,
    sandbox: createSandbox(options, { runner: harness.turns.runner, programs: ownFolders() }),
    newConversation: () => Promise.resolve({ kind: "made", id: crypto.randomUUID() }),
    endConversation,
    async isHeldElsewhere(id) {
      // A terminal that is left of the other runner would be a second writer.
      if (harness.turns.runner === "headless") await endConversation(id);
      const own = await ownPid(terminals, terminalName(id));
      const configDir = configDirOf({ ...options.environment, ...options.env }, io.home);
      return (await findLiveSessions(configDir, id)).some(({ pid }) => !isWithin(pid, own));
    },
  };
}

async function endTerminal(terminals: Terminals, name: string, folder: string): Promise<void> {
  if (!existsSync(folder)) return; // It never had one.
  await terminals.end(name);
  rmSync(folder, { recursive: true, force: true });
}

async function ownPid(terminals: Terminals, name: string): Promise<number | null> {
  const found = await terminals.find(name);
  return found?.ours === true && found.alive ? found.pid : null;
}

function isWithin(pid: number, root: number | null): boolean {
  return root !== null && (pid === root || ancestorsOf(pid).some((above) => above.pid === root));
}

async function connectHarnessB(current: Current, processes: RunProcess): Promise<ConnectedHarness> {
  const { createHarnessB } = await import("@loopwork/harness-b");
  const own = (): Config["harnesses"]["B"] => current().config.harnesses.B;
  const harness = createHarnessB({
    processes,
    probeDir: join(current().paths.stateRoot, "probes"),
    get command() {
      return current().set.has("harnesses.B.command") ? own().command : null;
    },
    get args() {
      return own().args;
    },
    get env() {
      return own().env;
    },
    get passEnv() {
      return own().passEnv;
    },
    get permissions() {
      return own().permissions;
    },
    get trust() {
      return current().config.routing.harnessTrust.enabled;
    },
    get environment() {
      return agentEnvironmentOf(current(), "B");
    },
  });
  return {
    ...harness,
    sandbox: null,
    newConversation: harness.createChat,
    isHeldElsewhere: () => Promise.resolve(false),
    endConversation: () => Promise.resolve(),
  };
}
