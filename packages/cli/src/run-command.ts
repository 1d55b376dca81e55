import type { Call } from "./io/call.ts";
import type { CommandRow } from "./commands/table.ts";
import { tellResult } from "./output/print-result.ts";
import { startAskingGit } from "./git/ask-git.ts";
import { connectPorts } from "./start/connect.ts";
import type { Ports } from "./ports/command-ports.ts";
import type { Io } from "./io/io.ts";

/** A session waits for its hooks. */
const hookAsksGitMs = 2_000;

/** Runs a row's command, and prints what it returned; resolves to the exit code. */
export async function runCommand({ name, load }: CommandRow, call: Call, io: Io): Promise<number> {
  startAskingGit(name === "hook" ? hookAsksGitMs : undefined);
  const { config, json } = call.options;
  const ports = connectPorts(io, typeof config === "string" ? config : null);
  try {
    await sayWhatIsIgnored(ports);
    const command = new (await load()).default();
    return await tellResult(await command.run(call, ports), json === true, io);
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
