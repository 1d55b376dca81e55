import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@loopwork-tooling/practice-host";
import { describe, expect, onTestFinished, test } from "vitest";
import { type PidRecord, readLivePidfile } from "../../src/detach/pidfile.ts";
import { upgradeAndRestart } from "../../src/detach/upgrade.ts";
import { createRegistry, type Registry } from "../support/registry.ts";
import { createScene, type Scene } from "../support/scene.ts";
import { until } from "../support/until.ts";

type Ran = { readonly code: number; readonly text: string };

/** A running service of a version that npm installed. */
async function installed(): Promise<{
  readonly scene: Scene;
  readonly registry: Registry;
  readonly servicePort: number;
  readonly loop: (...argv: string[]) => Promise<Ran>;
  readonly running: () => PidRecord | null;
}> {
  const [port, servicePort] = [await freePort(), await freePort()];
  const scene = createScene(
    `state: { root: state }\nservice: { port: ${servicePort} }\nwebhooks: { hostWebhook: { enabled: true, port: ${port} } }\nrouting: { authorizedUsers: [ada], workspace: { root: checkouts } }\n`,
  );
  const place = join(scene.dir, "npm");
  mkdirSync(place);
  const registry = await createRegistry(place);
  Object.assign(scene.env, registry.env);
  await registry.publish("0.9.1");
  const bin = await registry.install();
  const loop = (...argv: string[]): Promise<Ran> =>
    new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [bin, ...argv],
        { cwd: scene.cwd, env: scene.env, timeout: 240_000 },
        (_error, out, err) => resolve({ code: child.exitCode ?? -1, text: `${out}${err}` }),
      );
    });
  onTestFinished(() => loop("stop").then(() => {}), 60_000);
  const started = await loop("start");
  expect(started, started.text).toMatchObject({ code: 0 });
  return {
    scene,
    registry,
    servicePort,
    loop,
    running: () => readLivePidfile(join(scene.dir, "state", "service.pid")),
  };
}

describe("loop restart --with-upgrade", () => {
  test(
    "npm puts the newest version in the place of this one, and that takes over; over HTTP the same",
    { timeout: 400_000 },
    async () => {
      const { scene, registry, servicePort, loop, running } = await installed();
      const before = running();
      expect(before?.version).toBe("0.9.1");
      await registry.publish("0.9.2");
      const upgraded = await loop("restart", "--with-upgrade");
      expect(upgraded, upgraded.text).toMatchObject({
        code: 0,
        text: expect.stringContaining("Upgraded from 0.9.1 to 0.9.2"),
      });
      expect(running()).toMatchObject({ version: "0.9.2" });
      expect(running()?.identity.pid).not.toBe(before?.identity.pid);

      await registry.publish("0.9.3");
      const token = readFileSync(join(scene.dir, "state", "control-plane.token"), "utf8").trim();
      const log = join(scene.dir, "state", "logs", "restart.log");
      const answer = await fetch(`http://127.0.0.1:${servicePort}/api/v1/restart`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: '{"withUpgrade":true}',
      });
      expect([answer.status, await answer.json()]).toEqual([202, { scheduled: true, log }]);
      await until(
        () => running()?.version === "0.9.3",
        "the version that HTTP asked for",
        () => readFileSync(log, "utf8"),
        200_000,
      );
      await until(
        () => readFileSync(log, "utf8").includes("Upgraded from 0.9.2 to 0.9.3"),
        "the word of the upgrade",
        () => readFileSync(log, "utf8"),
        60_000,
      );
    },
  );

  test(
    "a command of the configuration runs outside of the state root, whose .npmrc would name another registry",
    { timeout: 60_000 },
    async () => {
      const scene = createScene();
      const ran = join(scene.dir, "ran-in");
      const place = join(scene.dir, "lib", "node_modules", "@loopwork", "cli");
      mkdirSync(join(place, "dist"), { recursive: true });
      const bin = join(place, "dist", "bin.js");
      writeFileSync(bin, "process.exit(0);\n");
      const stateRoot = join(scene.dir, "repository", ".loop");
      mkdirSync(stateRoot, { recursive: true });
      const plan = {
        command: ["sh", "-c", `pwd > '${ran}'`],
        self: [process.execPath, bin],
        version: "0.9.1",
        stateRoot,
        configFile: null,
        env: scene.env,
        secretNames: [],
        say: () => {},
      } as const;
      expect(await upgradeAndRestart(plan, () => Promise.resolve(false))).toMatchObject({
        from: "0.9.1",
      });
      expect(readFileSync(ran, "utf8")).toBe("/\n");
    },
  );

  test(
    "a failed upgrade never leaves the system down, and says so: no answer, a program that is broken, one whose service does not come up",
    { timeout: 500_000 },
    async () => {
      const { registry, loop, running } = await installed();
      const before = running();
      const stillThere = async (ran: Ran, why: string): Promise<void> => {
        expect(ran, ran.text).toMatchObject({
          code: 2,
          text: expect.stringContaining("LOOP_E_UPGRADE"),
        });
        expect(ran.text).toContain("0.9.1 stays installed");
        expect(ran.text).toContain(why);
        expect(running()).toEqual(before);
        expect(await loop("--version")).toMatchObject({ code: 0, text: "0.9.1\n" });
      };
      registry.forget();
      await stillThere(await loop("restart", "--with-upgrade"), "npm view");

      await registry.publish("0.9.4", (dir) =>
        writeFileSync(join(dir, "dist", "bin.js"), "throw new Error('broken on arrival');\n"),
      );
      await stillThere(await loop("restart", "--with-upgrade"), "broken on arrival");

      await registry.publish("0.9.5", (dir) =>
        writeFileSync(
          join(dir, "dist", "commands", "daemon.js"),
          "throw new Error('no daemon today');\n",
        ),
      );
      await stillThere(await loop("restart", "--with-upgrade"), "no daemon today");
      expect(await loop("status")).toMatchObject({ code: 0 });
    },
  );

  test(
    "a failed upgrade that had changed the store says so, and leaves the version that can read it",
    { timeout: 400_000 },
    async () => {
      const { scene, registry, loop, running } = await installed();
      const changesAndFails = `
      import { DatabaseSync } from "node:sqlite";
      const db = new DatabaseSync(${JSON.stringify(join(scene.dir, "state", "loop.db"))});
      db.exec("insert or ignore into schema_version (version, name, applied_at) values (9999, 'future', 0)");
      throw new Error("no daemon after the change");\n`;
      await registry.publish("0.9.6", (dir) =>
        writeFileSync(join(dir, "dist", "commands", "daemon.js"), changesAndFails),
      );
      const failed = await loop("restart", "--with-upgrade");
      expect(failed, failed.text).toMatchObject({
        code: 2,
        text: expect.stringContaining("LOOP_E_UPGRADE_STORE"),
      });
      for (const word of ["no daemon after the change", "0.9.6 stays installed", "loop start"])
        expect(failed.text).toContain(word);
      expect(failed.text).not.toContain("0.9.1 stays installed");
      expect(await loop("--version")).toMatchObject({ code: 0, text: "0.9.6\n" });
      expect(
        running()?.version,
        "what ran still runs: nothing was ended for what did not come up",
      ).toBe("0.9.1");
    },
  );

  test("a loop that was not installed is not replaced, and the hint says what to do", async () => {
    const scene = createScene("state: { root: state }\n");
    expect(await scene.loop("restart", "--with-upgrade")).toMatchObject({
      code: 2,
      err: expect.stringMatching(/LOOP_E_UPGRADE_PLACE[^]*loop restart/),
    });
  });
});
