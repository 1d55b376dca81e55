import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Command as Commander } from "commander";
import { LoopError } from "@loopwork/core/errors";
import { withAbsolutePath } from "@loopwork/core/ports";
import { logFileOf } from "../detach/log-file.ts";
import { runSupervisor } from "../detach/supervisor.ts";
import { type Kept, launchdAgent, systemdUnit, type Unit } from "../detach/unit.ts";
import { readEnvFile } from "../start/env-file.ts";
import {
  checkedFor,
  enabledDaemons,
  type LoadedConfig,
  secretNames,
} from "../start/load-config.ts";
import type { Ports } from "../start/ports.ts";
import { refuseAgentsAtSetup } from "../steer/refuse-agents.ts";
import { type Block, type Call, Command, flag, line, register, type Result } from "./command.ts";

/**
 * Variables of the shell without which the service would find other programs or other settings than
 * the one who installs it.
 */
const carried = ["PATH", "CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME", "SSH_AUTH_SOCK"];

/**
 * `loop service install`: lets systemd or launchd start the services at login and after a crash,
 * for this user.
 */
class ServiceInstallCommand extends Command {
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

/** `loop service uninstall`: takes that back; nothing that is stored goes. */
class ServiceUninstallCommand extends Command {
  override describe(command: Commander): void {
    command.option("--dry-run", "Print what would be removed without changing anything");
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    await refuseAgentsAtSetup(ports, "uninstall services");
    const system = systemOf(ports);
    const units = (await unitsOf(await ports.config(), system, ports, true)).filter(
      ({ file }) => textOf(file) !== null,
    );
    if (flag(call, "dryRun"))
      return {
        exit: 0,
        data: { removed: [], would: units.map(({ file }) => file) },
        view:
          units.length === 0
            ? [line("Nothing is installed", "dim")]
            : units.map(({ file }) => line(file)),
      };
    for (const words of system.uninstall(units)) await runSupervisor(words, ports.io.env);
    for (const { file } of units) rmSync(file, { force: true });
    for (const words of units.length === 0 ? [] : system.afterwards)
      await runSupervisor(words, ports.io.env);
    return {
      exit: 0,
      data: { removed: units.map(({ file }) => file), would: [] },
      view:
        units.length === 0
          ? [line("Nothing was installed", "dim")]
          : units.map(({ file }) => line(`✓ Removed ${file}`, "good")),
    };
  }
}

register("service install", ServiceInstallCommand);
register("service uninstall", ServiceUninstallCommand);

type Words = readonly [string, ...string[]];
type System = {
  readonly unit: (kept: Kept) => Unit;
  readonly install: (units: readonly Unit[]) => readonly Words[];
  readonly uninstall: (units: readonly Unit[]) => readonly Words[];
  readonly afterwards: readonly Words[];
  readonly hint: string;
};

function systemOf({ io }: Ports): System {
  const domain = `gui/${process.getuid?.() ?? 0}`;
  if (process.platform === "darwin") {
    return {
      unit: (kept) => launchdAgent(kept, io.home),
      install: (units) => units.map(({ file }): Words => ["launchctl", "bootstrap", domain, file]),
      uninstall: (units) =>
        units.map(({ name }): Words => ["launchctl", "bootout", `${domain}/${name}`]),
      afterwards: [],
      hint: "Run `loop status` to see what is running and `loop logs` for its output.",
    };
  }
  if (process.platform !== "linux")
    throw new LoopError(
      "LOOP_E_SUPERVISOR",
      `This system (${process.platform}) has neither systemd nor launchd`,
      "Run `loop daemon service` under its own supervisor",
    );
  const reload: Words = ["systemctl", "--user", "daemon-reload"];
  return {
    unit: (kept) => systemdUnit(kept, io.env["XDG_CONFIG_HOME"] || join(io.home, ".config")),
    install: (units) => [
      reload,
      ["systemctl", "--user", "enable", "--now", ...units.map(({ name }) => name)],
    ],
    uninstall: (units) =>
      units.length === 0
        ? []
        : [["systemctl", "--user", "disable", "--now", ...units.map(({ name }) => name)]],
    afterwards: [reload],
    hint: "Services run while you are logged in. Run `loginctl enable-linger` to keep them running. See `loop status` and `loop logs`.",
  };
}

/** Of what is enabled; of every kind when `all`, since what was enabled once may be installed. */
async function unitsOf(
  loaded: LoadedConfig,
  system: System,
  ports: Ports,
  all = false,
): Promise<readonly Unit[]> {
  const { self, kinds } = await ports.servicePlan();
  const config = loaded.file === null ? [] : ["--config", loaded.file];
  const [program, ...args] = self;
  const env = withAbsolutePath(
    Object.fromEntries([
      ...carried.flatMap((name) =>
        ports.io.env[name] ? [[name, ports.io.env[name]] as const] : [],
      ),
      ["LOOP_DAEMON", "1"] as const,
    ]),
  );
  return kinds
    .filter(({ enabled }) => all || enabled)
    .map(({ kind }) =>
      system.unit({
        kind,
        instance: loaded.config.instance.name,
        argv: [program, ...args, ...config, "daemon", kind],
        env,
        workdir: loaded.paths.stateRoot,
        logFile: logFileOf(loaded.paths.stateRoot, kind),
      }),
    );
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

function textOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
