import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LoopError, withAbsolutePath } from "@loopwork/core/ports";
import { logFileOf } from "../../detach/log-file.ts";
import { type Kept, launchdAgent, systemdUnit, type Unit } from "../../detach/unit.ts";
import type { LoadedConfig } from "../../configuration/load-config.ts";
import type { Ports } from "../../ports/command-ports.ts";

/**
 * Variables of the shell without which the service would find other programs or other settings than
 * the one who installs it.
 */
const carried = ["PATH", "CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME", "SSH_AUTH_SOCK"];

type Words = readonly [string, ...string[]];
type System = {
  readonly unit: (kept: Kept) => Unit;
  readonly install: (units: readonly Unit[]) => readonly Words[];
  readonly uninstall: (units: readonly Unit[]) => readonly Words[];
  readonly afterwards: readonly Words[];
  readonly hint: string;
};

export function systemOf({ io }: Ports): System {
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
export async function unitsOf(
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

export function textOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
