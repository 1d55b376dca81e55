import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Supervisor } from "./supervisor.ts";
import type { DaemonKind } from "../detach/pidfile.ts";

/**
 * One daemon as the supervisor of this system shall keep it running. Paths are absolute; nothing
 * here is secret.
 */
export type Kept = {
  readonly kind: DaemonKind;
  readonly instance: string;
  readonly argv: readonly [string, ...string[]];
  /** Variables beside those that every process of the user has. */
  readonly env: Readonly<Record<string, string>>;
  readonly workdir: string;
  readonly logFile: string;
};

/** A file of the supervisor, and the name by which the supervisor knows it. */
export type Unit = { readonly name: string; readonly file: string; readonly text: string };

/** Whose units these are: the user's folders, and the system that keeps them. */
export type UnitPlaces = {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly configHome: string;
};

/**
 * The unit that keeps this daemon, as `loop service install` left it. Null where none is installed,
 * and where that of the name is of another state root.
 */
export function installedUnit(
  kept: Pick<Kept, "kind" | "instance" | "workdir">,
  { platform, home, configHome }: UnitPlaces,
): Supervisor | null {
  const whole: Kept = { ...kept, argv: ["loop"], env: {}, logFile: "" };
  const by = platform === "darwin" ? "launchd" : "systemd";
  const { name, file, text } =
    by === "launchd" ? launchdAgent(whole, home) : systemdUnit(whole, configHome);
  const workdir = /^WorkingDirectory=.*$|<key>WorkingDirectory<\/key>\s{1,9}<string>.*$/m;
  try {
    return workdir.exec(readFileSync(file, "utf8"))?.[0] === workdir.exec(text)?.[0]
      ? { by, name, file }
      : null;
  } catch {
    return null;
  }
}

/**
 * A user unit of systemd. The processes of running turns are left alone at a stop: they go on, and
 * the next start waits for them. A configuration that cannot be used ends in a handful of tries,
 * not in an endless row.
 */
export function systemdUnit(kept: Kept, configHome: string): Unit {
  const name = `${nameOf(kept)}.service`;
  const variables = Object.entries({ ...kept.env, LOOP_SUPERVISOR: `systemd:${name}` });
  const text = `# Written by \`loop service install\`; written anew by it, removed by \`loop service uninstall\`.
[Unit]
Description=loop: ${kept.kind}${kept.instance === "default" ? "" : ` of ${kept.instance}`}
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=300
StartLimitBurst=10

[Service]
Type=exec
ExecStart=${kept.argv.map((word) => quoted(word)).join(" ")}
WorkingDirectory=${kept.workdir.replaceAll("%", "%%")}
${variables.map(([variable, value]) => `Environment=${quoted(`${variable}=${value}`, false)}\n`).join("")}StandardOutput=append:${kept.logFile.replaceAll("%", "%%")}
StandardError=append:${kept.logFile.replaceAll("%", "%%")}
Restart=always
RestartSec=1
KillMode=process
TimeoutStopSec=45
UMask=0077

[Install]
WantedBy=default.target
`;
  return { name, file: join(configHome, "systemd", "user", name), text };
}

/** A launchd agent; what it starts goes on at a stop, as above. */
export function launchdAgent(kept: Kept, home: string): Unit {
  const name = `work.${nameOf(kept).replaceAll("-", ".")}`;
  const variables = Object.entries({ ...kept.env, LOOP_SUPERVISOR: `launchd:${name}` });
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Written by \`loop service install\`; written anew by it, removed by \`loop service uninstall\`. -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${escaped(name)}</string>
  <key>ProgramArguments</key>
  <array>
${kept.argv.map((word) => `    <string>${escaped(word)}</string>\n`).join("")}  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables.map(([variable, value]) => `    <key>${escaped(variable)}</key>\n    <string>${escaped(value)}</string>\n`).join("")}  </dict>
  <key>WorkingDirectory</key>
  <string>${escaped(kept.workdir)}</string>
  <key>StandardOutPath</key>
  <string>${escaped(kept.logFile)}</string>
  <key>StandardErrorPath</key>
  <string>${escaped(kept.logFile)}</string>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <true/>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>AbandonProcessGroup</key>
  <true/>
  <key>ExitTimeOut</key>
  <integer>45</integer>
  <key>Umask</key>
  <integer>63</integer>
</dict>
</plist>
`;
  return { name, file: join(home, "Library", "LaunchAgents", `${name}.plist`), text };
}

/**
 * `loop` for the service of the default instance, `loop-poller`, `loop-<instance>`,
 * `loop-<instance>-poller`.
 */
function nameOf({ kind, instance }: Pick<Kept, "kind" | "instance">): string {
  return [
    "loop",
    ...(instance === "default" ? [] : [instance]),
    ...(kind === "service" ? [] : [kind]),
  ].join("-");
}

/**
 * A word of a unit file: in quotes, with what systemd would read in it doubled. In `ExecStart` a
 * `$` would name a variable.
 */
function quoted(word: string, dollars = true): string {
  const plain = word.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%");
  return `"${dollars ? plain.replaceAll("$", "$$$$") : plain}"`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
