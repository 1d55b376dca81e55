import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { HarnessId } from "@loopwork/core";
import type { Hooks, NewConversation, OneShots, RunProcess, Terminals, Trust, Turns } from "@loopwork/core/ports";
import type { HarnessAOptions } from "@loopwork/harness-a";
import { ancestorsOf } from "../runtime/process-identity.ts";
import type { RunTmux } from "../runtime/terminal/run-tmux.ts";
import type { LoadedConfig } from "./load-config.ts";
import { pluginDir } from "./plugin-dir.ts";
import type { Io } from "./ports.ts";
import { selfCommand } from "./self.ts";
import { openTerminalsOf, terminalsFolder } from "./terminals.ts";

export type ConnectedHarness = {
  readonly turns: Turns;
  readonly trust: Trust;
  readonly hooks: Hooks;
  readonly oneShots: OneShots;
  /** Id for a new conversation: chosen by us where the harness lets us, else asked of it. */
  readonly newConversation: () => Promise<NewConversation>;
  /** Somebody else, such as a person's own terminal, works in the conversation right now. A hint: our own lock stays the truth. */
  readonly isHeldElsewhere: (sessionId: string) => Promise<boolean>;
  /** Ends what still runs of a conversation between turns, such as the harness in its terminal. The conversation itself stays. */
  readonly endConversation: (sessionId: string) => Promise<void>;
};

/** Both adapters, as the configuration wants them; `runTmux` is who calls tmux. Throws when one of them can never run a turn, with what to do. */
export async function connectHarnesses(loaded: LoadedConfig, io: Pick<Io, "home">, processes: RunProcess, runTmux?: RunTmux): Promise<Readonly<Record<HarnessId, ConnectedHarness | null>>> {
  return { A: await connectHarnessA(loaded, io, processes, openTerminalsOf(loaded, runTmux)), B: await connectHarnessB(loaded, processes) };
}

/** What harness A is made with; its turns run in terminals where the configuration says so. */
export function harnessAOptions(loaded: LoadedConfig, io: Pick<Io, "home">, processes: RunProcess, terminals: Terminals): HarnessAOptions {
  const terminal = { terminals, folder: terminalsFolder(loaded), driver: [...selfCommand(), "terminal-turn"] as const, runsTurns: loaded.config.routing.runner === "tmux" };
  return { ...loaded.config.harnesses.A, hostCommands: ["gh"], pluginDir: pluginDir(), environment: loaded.env, home: io.home, processes, probeDir: join(loaded.paths.stateRoot, "probes"), terminal };
}

async function connectHarnessA(loaded: LoadedConfig, io: Pick<Io, "home">, processes: RunProcess, terminals: Terminals): Promise<ConnectedHarness> {
  const { configDirOf, createHarnessA, findLiveSessions, terminalFolder, terminalName } = await import("@loopwork/harness-a");
  const options = harnessAOptions(loaded, io, processes, terminals);
  const folder = terminalsFolder(loaded);
  const harness = createHarnessA(options);
  const configDir = configDirOf({ ...loaded.env, ...options.env }, io.home);
  const endConversation = (id: string): Promise<void> => endTerminal(terminals, terminalName(id), terminalFolder(folder, id));
  return {
    ...harness,
    newConversation: () => Promise.resolve({ kind: "made", id: crypto.randomUUID() }),
    endConversation,
    async isHeldElsewhere(id) {
      // A terminal that is left of the other runner would be a second writer.
      if (harness.turns.runner === "headless") await endConversation(id);
      const own = await ownPid(terminals, terminalName(id));
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

async function connectHarnessB(loaded: LoadedConfig, processes: RunProcess): Promise<ConnectedHarness> {
  const { createHarnessB } = await import("@loopwork/harness-b");
  const options = loaded.config.harnesses.B;
  const command = loaded.set.has("harnesses.B.command") ? options.command : null;
  const harness = createHarnessB({ ...options, command, environment: loaded.env, processes, probeDir: join(loaded.paths.stateRoot, "probes") });
  return { ...harness, newConversation: harness.createChat, isHeldElsewhere: () => Promise.resolve(false), endConversation: () => Promise.resolve() };
}
