import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { launchdAgent, systemdUnit } from "../../src/detach/unit.ts";
import { createScene, type Scene } from "../support/scene.ts";

const kept = {
  kind: "service",
  instance: "default",
  argv: [
    "/opt/node",
    '/a "b" $c 100%/bin.js',
    "--config",
    "/home/x & y/cli-config.yaml",
    "daemon",
    "service",
  ],
  env: { PATH: "/usr/bin:/100%/bin" },
  workdir: "/home/x/.loop",
  logFile: "/home/x/.loop/logs/service.log",
} as const;

/** A supervisor that writes down what it is told, as the scene's only one. */
function sceneWithSupervisor(config = ""): {
  readonly scene: Scene;
  readonly told: () => readonly string[];
  readonly file: string;
} {
  const scene = createScene(
    `state: { root: state }\nwebhooks: { hostWebhook: { enabled: true } }\nenv: { file: secrets.env }\n${config}`,
  );
  const [tools, list] = [join(scene.dir, "tools"), join(scene.dir, "told")];
  mkdirSync(tools);
  writeFileSync(join(scene.dir, "secrets.env"), "LOOP_HOST_TOKEN=in-the-file\n", { mode: 0o600 });
  for (const name of ["systemctl", "launchctl"]) {
    writeFileSync(join(tools, name), `#!/bin/sh\necho "${name} $*" >> '${list}'\n`);
    chmodSync(join(tools, name), 0o755);
  }
  Object.assign(scene.env, {
    PATH: `${tools}:${scene.env["PATH"] ?? ""}`,
    LOOP_HOST_WEBHOOK_SECRET: "only-in-this-shell",
  });
  const darwin = process.platform === "darwin";
  return {
    scene,
    told: () => (existsSync(list) ? readFileSync(list, "utf8").trim().split("\n") : []),
    file: darwin
      ? join(scene.home, "Library", "LaunchAgents", "work.loop.plist")
      : join(scene.home, ".config", "systemd", "user", "loop.service"),
  };
}

describe("units", () => {
  test("of systemd quote what systemd would read, restart, and leave turns alone", () => {
    const { name, file, text } = systemdUnit(kept, "/home/x/.config");
    expect([name, file]).toEqual(["loop.service", "/home/x/.config/systemd/user/loop.service"]);
    expect(text).toContain(
      'ExecStart="/opt/node" "/a \\"b\\" $$c 100%%/bin.js" "--config" "/home/x & y/cli-config.yaml" "daemon" "service"\n',
    );
    expect(text).toContain(
      'Environment="PATH=/usr/bin:/100%%/bin"\nEnvironment="LOOP_SUPERVISOR=systemd:loop.service"\n',
    );
    for (const line of [
      "Restart=always",
      "KillMode=process",
      "UMask=0077",
      "WantedBy=default.target",
    ])
      expect(text).toContain(`\n${line}\n`);
    expect(systemdUnit({ ...kept, kind: "poller", instance: "left" }, "/c").name).toBe(
      "loop-left-poller.service",
    );
  });

  test("of launchd escape what XML would read, keep it alive, and leave turns alone", () => {
    const { name, file, text } = launchdAgent(kept, "/home/x");
    expect([name, file]).toEqual(["work.loop", "/home/x/Library/LaunchAgents/work.loop.plist"]);
    expect(text).toContain("<string>/home/x &amp; y/cli-config.yaml</string>");
    for (const key of ["KeepAlive", "RunAtLoad", "AbandonProcessGroup"])
      expect(text).toContain(`<key>${key}</key>\n  <true/>`);
    expect(text).toContain("<key>LOOP_SUPERVISOR</key>\n    <string>launchd:work.loop</string>");
  });

  test("of systemd hold before systemd's own check, where there is one", () => {
    const { dir } = createScene();
    const unit = systemdUnit(
      {
        ...kept,
        argv: [process.execPath, "/x y/bin.js", "daemon", "service"],
        workdir: dir,
        logFile: join(dir, "log"),
      },
      dir,
    );
    const file = join(dir, unit.name);
    writeFileSync(file, unit.text);
    expect(verdictOf(file)).toBe("");
    writeFileSync(file, unit.text.replace("Type=exec", "Type=nonsense"));
    expect(verdictOf(file) === "", "so that it can fail").toBe(!hasVerify());
  });
});

describe("loop service install", () => {
  test("writes a unit that is the user's alone and holds no secret, tells the supervisor, and changes nothing the second time", async () => {
    const { scene, told, file } = sceneWithSupervisor();
    const shown = await scene.loop("service", "install", "--dry-run");
    expect(shown).toMatchObject({ code: 0, out: expect.stringContaining(file) });
    expect([existsSync(file), told()]).toEqual([false, []]);

    const installed = await scene.loop("service", "install");
    expect(installed, installed.err).toMatchObject({ code: 0 });
    const text = readFileSync(file, "utf8");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(text).not.toMatch(/only-in-this-shell|in-the-file/);
    expect(text).toContain(scene.configFile);
    expect(installed.out).toContain("LOOP_HOST_WEBHOOK_SECRET is only set in this shell");
    expect(installed.out).not.toContain("LOOP_HOST_TOKEN is only set");
    if (process.platform === "linux")
      expect(told()).toEqual([
        "systemctl --user daemon-reload",
        "systemctl --user enable --now loop.service",
      ]);
    expect((await scene.loop("service", "install", "--json")).json()).toMatchObject({
      written: false,
    });
    expect(readFileSync(file, "utf8")).toBe(text);

    expect(await scene.loop("service", "uninstall")).toMatchObject({
      code: 0,
      out: expect.stringContaining("Removed "),
    });
    expect(existsSync(file)).toBe(false);
    if (process.platform === "linux")
      expect(told().slice(-2)).toEqual([
        "systemctl --user disable --now loop.service",
        "systemctl --user daemon-reload",
      ]);
    expect(await scene.loop("service", "uninstall")).toMatchObject({
      code: 0,
      out: expect.stringContaining("Nothing was installed"),
    });
  });

  test("a relative folder in PATH doesn't get into the unit", async () => {
    const { scene } = sceneWithSupervisor();
    const path = scene.env["PATH"] ?? "";
    scene.env["PATH"] = `./node_modules/.bin:${path}:`;
    const { units } = (await scene.loop("service", "install", "--dry-run", "--json")).json() as {
      units: { text: string }[];
    };
    expect(units[0]?.text).not.toContain("./node_modules/.bin");
    expect(units[0]?.text).toContain(`PATH=${path}"`);
  });

  test("a unit for each daemon of its own, and an agent's turn may install none", async () => {
    const { scene } = sceneWithSupervisor(
      "service: { hostIngresses: false }\ninstance: { name: left }\n",
    );
    const { units } = (await scene.loop("service", "install", "--dry-run", "--json")).json() as {
      units: { name: string }[];
    };
    expect(units).toHaveLength(2);
    Object.assign(scene.env, {
      LOOP_TURN: "1",
      LOOP_TURN_DIR: scene.dir,
      LOOP_WORK_ITEM: "host:o/r#1",
      LOOP_SESSION: "s",
    });
    expect(await scene.loop("service", "install")).toMatchObject({
      code: 2,
      err: expect.stringContaining("LOOP_E_INSIDE_TURN"),
    });
  });
});

/** What `systemd-analyze verify` complains of in the file; nothing on a system without it. */
function verdictOf(file: string): string {
  const { stderr } = spawnSync("systemd-analyze", ["--user", "verify", file], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: dirname(file), XDG_RUNTIME_DIR: dirname(file) },
  });
  return stderr ?? "";
}

function hasVerify(): boolean {
  return spawnSync("systemd-analyze", ["--version"]).error === undefined;
}
