import { formatProblem, migrateConfig, parseConfig } from "@loopwork/core/config";
import type { Command as Commander } from "commander";
import { refuseAgentsAtSetup } from "../../steer/refuse-agents.ts";
import { requireSettled } from "../../configuration/open-config.ts";
import type { Ports } from "../../ports/command-ports.ts";
import { keepTrust } from "../../configuration/trust-config.ts";
import { Command } from "../command.ts";
import { type Block, done, line, type Result } from "../../output/result.ts";
import { type Call, flag } from "../../io/call.ts";

/**
 * `loop config migrate`: puts keys of earlier versions where they stand today, and says what only a
 * person can do.
 */
export default class ConfigMigrateCommand extends Command {
  override describe(command: Commander): void {
    command
      .option("--write", "Replace the file and keep a copy of the old one")
      .addHelpText(
        "after",
        "\nWithout --write, only shows what would be moved. Exits with 1 while anything is\nleft that keeps the configuration from being used.",
      );
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    const write = flag(call, "write");
    if (write) await refuseAgentsAtSetup(ports, "configure");
    const found = await ports.configPlaces();
    requireSettled(found, {});
    const { config } = found;
    if (config === null)
      return done(
        { file: null, moved: [], written: false, copy: null, left: [] },
        line(
          "No configuration file found, so there is nothing to move. Run `loop init` to create one.",
        ),
      );
    const { file, text } = config;
    const migrated = migrateConfig(text);
    const parsed = parseConfig(migrated.text, { file });
    const left = parsed.ok ? [] : parsed.errors;
    const copy =
      write && migrated.moved.length > 0
        ? (await import("../../init/replace-config.ts")).replaceConfig(
            file,
            text,
            migrated.text,
            ports.clock.now(),
          )
        : null;
    if (copy !== null) keepTrust(file, migrated.text, ports.io.home);
    const moved = migrated.moved.map(({ from, to, line: at }): Block =>
      line(`${copy === null ? "Would move" : "Moved"} ${from} (line ${at}) to ${to}`),
    );
    const rest = left.map((problem): Block => line(formatProblem(problem, file), "bad"));
    const view = [
      ...moved,
      ...ending(file, migrated.moved.length, copy),
      ...(rest.length === 0
        ? []
        : [line("Fix by hand (line numbers are of the new text):", "warn"), ...rest]),
    ];
    return {
      exit: left.length === 0 ? 0 : 1,
      data: { file, moved: migrated.moved, written: copy !== null, copy, left },
      view,
    };
  }
}

function ending(file: string, moved: number, copy: string | null): readonly Block[] {
  if (moved === 0) return [line(`✓ ${file} is up to date`, "good")];
  return [
    copy === null
      ? line("Nothing was written. Run `loop config migrate --write` to apply this.", "dim")
      : line(`✓ Replaced ${file}. A backup is in ${copy}.`, "good"),
  ];
}
