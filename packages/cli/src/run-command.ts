import { type Call, registeredCommand } from "./commands/command.ts";
import { tellResult } from "./output/tell.ts";
import { startAskingGit } from "./runtime/ask-git.ts";
import { connectPorts } from "./start/connect.ts";
import type { Io, Ports } from "./start/ports.ts";

/** A session waits for its hooks. */
const hookAsksGitMs = 2_000;

/**
 * Runs a command whose module is loaded, and prints what it returned; resolves to the exit code.
 */
export async function runCommand(name: string, call: Call, io: Io): Promise<number> {
  startAskingGit(name === "hook" ? hookAsksGitMs : undefined);
  const { config, json } = call.options;
  const ports = connectPorts(io, typeof config === "string" ? config : null);
  try {
    await sayWhatIsIgnored(ports);
    return await tellResult(await registeredCommand(name).run(call, ports), json === true, io);
  } finally {
    await ports.close();
  }
}

/**
 * Said by every command, also by those that need no configuration; what is wrong with one that
 * counts says whoever needs it.
 */
async function sayWhatIsIgnored(ports: Ports): Promise<void> {
  await ports.configPlaces().catch(() => {});
}
