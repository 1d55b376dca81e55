import { join } from "node:path";
import type { HarnessId } from "@loopwork/core";
import type { Hooks, NewConversation, RunProcess, Trust, Turns } from "@loopwork/core/ports";
import type { LoadedConfig } from "./load-config.ts";
import { pluginDir } from "./plugin-dir.ts";
import type { Io } from "./ports.ts";

export type ConnectedHarness = {
  readonly turns: Turns;
  readonly trust: Trust;
  readonly hooks: Hooks;
  /** Id for a new conversation: chosen by us where the harness lets us, else asked of it. */
  readonly newConversation: () => Promise<NewConversation>;
  /** Somebody else, such as a person's own terminal, works in the conversation right now. A hint: our own lock stays the truth. */
  readonly isHeldElsewhere: (sessionId: string) => Promise<boolean>;
};

/** Both adapters, as the configuration wants them. Throws when one of them can never run a turn, with what to do. */
export async function connectHarnesses(loaded: LoadedConfig, io: Pick<Io, "home">, processes: RunProcess): Promise<Readonly<Record<HarnessId, ConnectedHarness | null>>> {
  return { A: await connectHarnessA(loaded, io, processes), B: await connectHarnessB(loaded, processes) };
}

async function connectHarnessA(loaded: LoadedConfig, io: Pick<Io, "home">, processes: RunProcess): Promise<ConnectedHarness> {
  const { configDirOf, createHarnessA, findLiveSessions } = await import("@loopwork/harness-a");
  const options = loaded.config.harnesses.A;
  const harness = createHarnessA({ ...options, hostCommands: ["gh"], pluginDir: pluginDir(), environment: loaded.env, home: io.home, processes, probeDir: join(loaded.paths.stateRoot, "probes") });
  const configDir = configDirOf({ ...loaded.env, ...options.env }, io.home);
  return { ...harness, newConversation: () => Promise.resolve({ kind: "made", id: crypto.randomUUID() }), isHeldElsewhere: async (id) => (await findLiveSessions(configDir, id)).length > 0 };
}

async function connectHarnessB(loaded: LoadedConfig, processes: RunProcess): Promise<ConnectedHarness> {
  const { createHarnessB } = await import("@loopwork/harness-b");
  const options = loaded.config.harnesses.B;
  const command = loaded.set.has("harnesses.B.command") ? options.command : null;
  const harness = createHarnessB({ ...options, command, environment: loaded.env, processes, probeDir: join(loaded.paths.stateRoot, "probes") });
  return { ...harness, newConversation: harness.createChat, isHeldElsewhere: () => Promise.resolve(false) };
}
