import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
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
