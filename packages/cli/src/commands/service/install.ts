import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Command as Commander } from "commander";
import { runSupervisor } from "../../detach/supervisor.ts";
import type { Unit } from "../../detach/unit.ts";
import { readEnvFile } from "../../configuration/env-file.ts";
import {
  checkedFor,
  enabledDaemons,
  type LoadedConfig,
  secretNames,
} from "../../configuration/load-config.ts";
import type { Ports } from "../../ports/command-ports.ts";
import { refuseAgentsAtSetup } from "../../steer/refuse-agents.ts";
import { Command } from "../command.ts";
import { type Block, line, type Result } from "../../output/result.ts";
import { type Call, flag } from "../../io/call.ts";
import { systemOf, textOf, unitsOf } from "./units.ts";

/**
 * `loop service install`: lets systemd or launchd start the services at login and after a crash,
 * for this user.
 */
export default class ServiceInstallCommand extends Command {
  override describe(command: Commander): void {
    command.option("--dry-run", "Print the files and commands without changing anything");
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    await refuseAgentsAtSetup(ports, "install services");
    const loaded = await ports.settledConfig();
    checkedFor(loaded, enabledDaemons(loaded.config), ports.io);
    const system = systemOf(ports);
    const units = await unitsOf(loaded, system, ports);
    const commands = system.install(units);
    const warnings = lostSecrets(loaded, ports).map((name): Block =>
      line(
        `! ${name} is only set in this shell, so the service won't see it. Add it to env.file (mode 0600).`,
        "warn",
      ),
    );
    if (flag(call, "dryRun"))
      return {
        exit: 0,
        data: { units, commands, written: false },
        view: [
          ...units.flatMap(({ file, text }): readonly Block[] => [
            { kind: "heading", text: file },
            { kind: "verbatim", text },
          ]),
          { kind: "heading", text: "Commands" },
          ...commands.map((words) => line(words.join(" "))),
          ...warnings,
        ],
      };
    const running = (await (await ports.services()).status()).filter((report) => report.running);
    const changed = units.filter(write);
    if (changed.length > 0 && running.length > 0) await (await ports.services()).stop(); // A twin of its own would be refused.
    for (const words of commands) await runSupervisor(words, ports.io.env);
    const view = units.map(({ file }) =>
      line(
        `✓ ${changed.some((unit) => unit.file === file) ? "Installed" : "Already installed:"} ${file}`,
        "good",
      ),
    );
    return {
      exit: 0,
      data: { units, commands, written: changed.length > 0 },
      view: [...view, ...warnings, line(system.hint, "dim")],
    };
  }
}

/**
 * Secrets that the configuration names, that stand in this shell and in no file that the service
 * reads.
 */
function lostSecrets(loaded: LoadedConfig, { io }: Ports): readonly string[] {
  const inFile = loaded.paths.envFile === null ? null : readEnvFile(loaded.paths.envFile).values;
  return secretNames(loaded.config).filter(
    (name) => io.env[name] !== undefined && inFile?.has(name) !== true,
  );
}

/**
 * True when the file was made or changed. Nobody else may read it: it names folders of the user.
 */
function write({ file, text }: Unit): boolean {
  if (textOf(file) === text) return false;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o600 });
  chmodSync(file, 0o600);
  return true;
}
