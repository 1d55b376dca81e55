import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { foundConfig } from "../support/found-config.ts";
import { type Scene } from "../support/scene.ts";

describe("what a repository brings along", () => {
  function git(scene: Scene, ...args: readonly string[]): void {
    execFileSync(
      "git",
      ["-C", scene.cwd, "-c", "user.name=Ada", "-c", "user.email=ada@practice.invalid", ...args],
      { stdio: "ignore" },
    );
  }

  test.each(["loop.db", "control-plane.token", "bin/loop", "service.pid", "marker.key"])(
    "a committed %s in the state root keeps a configuration from being trusted, and anything from being stored",
    async (name) => {
      const { scene } = foundConfig("service: { enabled: false }\n");
      git(scene, "init", "--quiet");
      await scene.loop("config", "trust");
      mkdirSync(dirname(join(scene.cwd, ".loop", name)), { recursive: true });
      writeFileSync(join(scene.cwd, ".loop", name), "theirs\n");
      git(scene, "add", "--force", ".");
      expect(await scene.loop("sessions", "list")).toMatchObject({
        code: 2,
        err: expect.stringContaining("LOOP_E_STATE_BROUGHT"),
      });
      await scene.loop("config", "trust", "--revoke");
      expect(await scene.loop("config", "trust")).toMatchObject({
        code: 2,
        err: expect.stringContaining(name),
      });
      git(scene, "rm", "--quiet", "--cached", `.loop/${name}`);
      rmSync(join(scene.cwd, ".loop", name));
      expect(await scene.loop("config", "trust")).toMatchObject({ code: 0 });
    },
  );

  test.each<[setting: string, file: string]>([
    ["store: { url: 'sqlite:db/loop.db' }", "db/loop.db"],
    ["store: { url: 'sqlite:db/loop.db' }", "db/loop.db-journal"],
    ["service: { tokenFile: keys/token }", "keys/token"],
    ["webhooks: { hostWebhook: { pidfile: run/receiver.pid } }", "run/receiver.pid"],
  ])("with `%s` a committed %s is refused like one in the state root", async (setting, file) => {
    const { scene } = foundConfig(`${setting}\n`);
    git(scene, "init", "--quiet");
    mkdirSync(dirname(join(scene.cwd, file)));
    writeFileSync(join(scene.cwd, file), "theirs\n");
    expect((await scene.loop("config", "trust", "--dry-run")).out).toContain(
      file.endsWith("-journal") ? "" : `${join(scene.cwd, file)} is there already`,
    );
    expect(await scene.loop("config", "trust")).toMatchObject({ code: 0 });
    git(scene, "add", ".");
    const refused = { code: 2, err: expect.stringContaining(`(${join(scene.cwd, file)})`) };
    expect(await scene.loop("sessions", "list")).toMatchObject(refused);
    expect(await scene.loop("config", "trust", "--dry-run")).toMatchObject(refused);
  });

  test.each<[link: string, setting: string, target: string]>([
    [".loop/.gitignore", "{}", "created"],
    [".loop/bin", "{}", "elsewhere"],
    ["state", "state: { root: state }", "elsewhere"],
    ["state", "state: { root: state/below }", "elsewhere"],
    ["db", "store: { url: 'sqlite:db/loop.db' }", "elsewhere"],
    ["loop.db", "store: { url: 'sqlite:loop.db' }", "created"],
    ["token", "service: { tokenFile: token }", "created"],
  ])("a committed link %s with `%s` leads no state elsewhere", async (link, setting, target) => {
    const { scene } = foundConfig(`${setting}\n`);
    git(scene, "init", "--quiet");
    mkdirSync(join(scene.dir, "elsewhere"));
    await scene.loop("config", "trust");
    symlinkSync(join(scene.dir, target), join(scene.cwd, link));
    git(scene, "add", "--force", ".");
    for (const argv of [["status"], ["doctor"], ["sessions", "list"]])
      expect((await scene.loop(...argv)).out + (await scene.loop(...argv)).err, argv[0]).toMatch(
        /LOOP_E_STATE_BROUGHT|committed (?:files|links)/,
      );
    expect(existsSync(join(scene.dir, "created"))).toBe(false);
    expect(existsSync(join(scene.dir, "elsewhere", "loop.db"))).toBe(false);
  });

  test("an uncommitted link in the place of the ignore list is not written through", async () => {
    const { scene } = foundConfig("");
    await scene.loop("config", "trust");
    symlinkSync(join(scene.dir, "created"), join(scene.cwd, ".loop", ".gitignore"));
    expect(await scene.loop("sessions", "list")).toMatchObject({ code: 0 });
    expect(existsSync(join(scene.dir, "created"))).toBe(false);
  });

  test("a home folder under version control is the user's own, and its state is used", async () => {
    const { scene } = foundConfig("");
    execFileSync("git", ["init", "--quiet", scene.home]);
    mkdirSync(join(scene.home, ".loop"));
    writeFileSync(join(scene.home, ".loop", "loop.env"), "");
    execFileSync("git", ["-C", scene.home, "add", "."]);
    const home = process.env["HOME"];
    process.env["HOME"] = scene.home;
    onTestFinished(() => void (process.env["HOME"] = home));
    expect(await scene.loop("sessions", "list")).toMatchObject({ code: 0 });
  });

  test("a committed env file is refused, as a `git pull` would set variables of the service", async () => {
    const { scene } = foundConfig("env: { file: loop.env }\nservice: { enabled: false }\n");
    git(scene, "init", "--quiet");
    writeFileSync(join(scene.cwd, "loop.env"), "GIT_SSH_COMMAND=./evil.sh\n");
    expect(await scene.loop("config", "trust")).toMatchObject({ code: 0 });
    git(scene, "add", ".");
    expect(await scene.loop("config", "show")).toMatchObject({
      code: 2,
      err: expect.stringContaining("LOOP_E_ENV_FILE"),
    });
  });

  test("files that it has read out of its own folder are named before it is trusted, with the variables that they set", async () => {
    const { scene } = foundConfig(
      "env: { file: loop.env }\nrouting: { graph: { definition: graphs.yaml, specDir: specs } }\n",
    );
    writeFileSync(join(scene.cwd, "loop.env"), "LOOP_HOST_TOKEN=hush\nGIT_SSH_COMMAND=./evil.sh\n");
    const { out } = await scene.loop("config", "trust", "--dry-run");
    expect(out).toContain(
      "loop.env isn't part of what you trust: it sets GIT_SSH_COMMAND, LOOP_HOST_TOKEN",
    );
    expect(out).toContain("graphs.yaml isn't part of what you trust");
    expect(out).not.toContain("hush");
  });

  test("state that is there already is told before the first trust", async () => {
    const { scene } = foundConfig("service: { enabled: false }\n");
    writeFileSync(join(scene.cwd, ".loop", "loop.db"), "");
    expect((await scene.loop("config", "trust", "--dry-run")).out).toContain(
      "already holds loop.db: unless loop wrote that, it came with the folder",
    );
  });
});
