import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { freePort } from "@loopwork-tooling/practice-host";
import { describe, expect, onTestFinished, test } from "vitest";
import { readLivePidfile, writePidfile } from "../../src/detach/pidfile.ts";
import { identityOf, isAlive } from "../../src/processes/process-identity.ts";
import { holdDaemonLock } from "../support/lock-holder.ts";
import { createScene, type Scene } from "../support/scene.ts";

const migrations = fileURLToPath(new URL("../../../store/migrations/", import.meta.url));
const steps = readdirSync(migrations)
  .filter((file) => /^\d{4}_/.test(file))
  .toSorted();

/**
 * A state root as a version of loop left it that knew all migrations but the newest, and a process
 * that stands for its service.
 */
async function oldService(): Promise<{
  readonly scene: Scene;
  readonly schema: () => unknown;
  readonly pidfile: string;
  readonly pid: number;
}> {
  const scene = createScene(
    `state: { root: state }\nservice: { port: ${await freePort()} }\nrouting: { authorizedUsers: [ada] }\n`,
  );
  const [root, file] = [join(scene.dir, "state"), join(scene.dir, "state", "loop.db")];
  mkdirSync(root, { mode: 0o700 });
  const db = new DatabaseSync(file);
  db.exec("pragma journal_mode = wal");
  for (const [n, step] of steps.slice(0, -1).entries()) {
    db.exec(readFileSync(join(migrations, step), "utf8"));
    db.prepare("insert into schema_version (version, name, applied_at) values (?, ?, 0)").run(
      n + 1,
      step,
    );
  }
  db.close();
  const child = await holdDaemonLock(
    root,
    "service",
    "process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000)",
  );
  const identity = identityOf(child.pid ?? 0);
  if (identity === null) throw new Error("the child did not start");
  writePidfile(join(root, "service.pid"), {
    kind: "service",
    version: "0.0.1",
    configFile: scene.configFile,
    startedAt: 0,
    healthUrl: null,
    listens: [],
    identity,
    stopping: false,
  });
  const schema = (): unknown => {
    using reader = new DatabaseSync(file, { readOnly: true });
    return reader.prepare("select max(version) as version from schema_version").get()?.["version"];
  };
  return { scene, schema, pidfile: join(root, "service.pid"), pid: identity.pid };
}

// An older schema is there once a second step is.
describe.skipIf(steps.length < 2)("while a service of an older version runs", () => {
  test("no command changes the store below it, and each says what to do", async () => {
    const { scene, schema } = await oldService();
    expect(await scene.loop("events")).toMatchObject({
      code: 2,
      err: expect.stringMatching(/LOOP_E_STORE_OLDER[^]*loop restart/),
    });
    expect(schema()).toBe(steps.length - 1);
  });

  test("a restart ends it before the store is changed", { timeout: 90_000 }, async () => {
    const { scene, schema, pidfile, pid } = await oldService();
    const identity = identityOf(pid);
    onTestFinished(() => scene.loop("stop").then(() => {}), 60_000);
    const restarted = await scene.loop("restart");
    expect(restarted, restarted.err).toMatchObject({ code: 0 });
    expect(identity && isAlive(identity)).toBe(false);
    expect(readLivePidfile(pidfile)?.identity.pid).not.toBe(pid);
    expect(schema()).toBe(steps.length);
  });

  test("without one a command changes it, so that the first test can fail", async () => {
    const { scene, schema, pid } = await oldService();
    process.kill(pid, "SIGKILL");
    const identity = identityOf(pid);
    while (identity !== null && isAlive(identity))
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await scene.loop("events")).toMatchObject({ code: 0 });
    expect(schema()).toBe(steps.length);
  });
});
