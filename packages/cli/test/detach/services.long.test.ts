import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@loopwork-tooling/practice-host";
import { describe, expect, onTestFinished, test } from "vitest";
import { readLivePidfile, writePidfile } from "../../src/detach/pidfile.ts";
import { type ServicePlan, statusOfServices, stopServices } from "../../src/detach/services.ts";
import { identityOf, isAlive } from "../../src/processes/process-identity.ts";
import { holdDaemonLock } from "../support/lock-holder.ts";
import { createScene, type Scene } from "../support/scene.ts";

const bin = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));

function loop(
  scene: Scene,
  ...argv: string[]
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, ["--conditions=@loopwork/source", bin, ...argv], {
    cwd: scene.cwd,
    env: scene.env,
    encoding: "utf8",
    timeout: 60_000,
  });
}

async function serviceScene(): Promise<{
  readonly scene: Scene;
  readonly port: number;
  readonly stateRoot: string;
}> {
  const [port, servicePort] = [await freePort(), await freePort()];
  const scene = createScene(
    `service: { port: ${servicePort} }\nwebhooks:\n  hostWebhook: { enabled: true, port: ${port} }\nrouting:\n  authorizedUsers: [ada]\n  workspace: { root: checkouts }\n`,
  );
  onTestFinished(() => void loop(scene, "stop"));
  return { scene, port, stateRoot: join(scene.dir, ".loop") };
}

describe("services as processes", () => {
  test(
    "start brings them up, status is truthful, stop ends them",
    { timeout: 90_000 },
    async () => {
      const { scene, port, stateRoot } = await serviceScene();
      expect(loop(scene, "status").status).toBe(1);

      const started = loop(scene, "start");
      expect(started).toMatchObject({ status: 0 });
      expect(started.stdout).toContain("● service");
      expect(await (await fetch(`http://127.0.0.1:${port}/health`)).text()).toBe("ok");
      const record = readLivePidfile(join(stateRoot, "service.pid"));
      expect(record).not.toBeNull();

      expect(loop(scene, "start")).toMatchObject({ status: 0 });
      expect(readLivePidfile(join(stateRoot, "service.pid"))?.identity).toEqual(record?.identity);
      expect(loop(scene, "status", "--json")).toMatchObject({ status: 0 });

      expect(loop(scene, "stop")).toMatchObject({ status: 0 });
      expect(record && isAlive(record.identity)).toBe(false);
      expect(existsSync(join(stateRoot, "service.pid"))).toBe(false);
    },
  );

  test(
    "a receiver that was enabled while the service runs is told as not listening yet, with `loop restart`",
    { timeout: 90_000 },
    async () => {
      const { scene, port } = await serviceScene();
      const configured = scene.text();
      scene.configure(configured.replace("enabled: true", "enabled: false"));
      expect(loop(scene, "start")).toMatchObject({ status: 0 });
      scene.configure(configured);
      const told = `running, but not listening on 127.0.0.1:${port} (run \`loop restart\`)`;
      for (const word of ["status", "start"])
        expect(loop(scene, word), word).toMatchObject({
          status: 1,
          stdout: expect.stringContaining(`! service      ${told}`),
        });
      expect(loop(scene, "doctor").stdout).toMatch(/! service +running, but not listening on /);
      expect(loop(scene, "canary").stdout).toMatch(
        /✗ port +nothing answers[^\n]*\n +→ .*`loop restart`/,
      );
      expect(loop(scene, "restart")).toMatchObject({ status: 0 });
      expect(loop(scene, "status")).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/● service +running \(/),
      });
    },
  );

  test(
    "restart ends the old process and brings up a new one with the configuration as it is now",
    { timeout: 90_000 },
    async () => {
      const { scene, stateRoot } = await serviceScene();
      loop(scene, "start");
      const before = readLivePidfile(join(stateRoot, "service.pid"));
      const restarted = loop(scene, "restart");
      expect(restarted).toMatchObject({ status: 0 });
      const after = readLivePidfile(join(stateRoot, "service.pid"));
      expect(before && isAlive(before.identity)).toBe(false);
      expect(after?.identity.pid).not.toBe(before?.identity.pid);

      writeFileSync(scene.configFile, "routing: { authorizedUsers: 7 }\n");
      expect(loop(scene, "restart")).toMatchObject({
        status: 2,
        stderr: expect.stringContaining("LOOP_E_CONFIG"),
      });
      expect(after && isAlive(after.identity)).toBe(true);
      if (after !== null) process.kill(after.identity.pid, "SIGTERM");
    },
  );

  test(
    "a restart whose new process does not come up changes nothing: the old one goes on, and the error says why",
    { timeout: 90_000 },
    async () => {
      const { scene, port, stateRoot } = await serviceScene();
      expect(loop(scene, "start")).toMatchObject({ status: 0 });
      const before = readLivePidfile(join(stateRoot, "service.pid"));
      chmodSync(join(stateRoot, "control-plane.token"), 0o644);
      expect(loop(scene, "restart")).toMatchObject({
        status: 2,
        stderr: expect.stringMatching(/others can read the token[^]*LOOP_E_DAEMON_START/),
      });
      expect(readLivePidfile(join(stateRoot, "service.pid"))).toEqual(before);
      expect(await (await fetch(`http://127.0.0.1:${port}/health`)).text()).toBe("ok");
      expect(existsSync(join(stateRoot, "service.pid.next"))).toBe(false);
    },
  );

  test.each([
    [
      "the receiver's",
      (text: string, taken: number, port: number) =>
        text.replace(`port: ${port}`, `port: ${taken}`),
    ],
    [
      "the control plane's, behind a receiver whose port is ours",
      (text: string, taken: number) =>
        text.replace(/service: \{ port: \d+/, `service: { port: ${taken}`),
    ],
    [
      "an address that is not this machine's",
      (text: string) =>
        text.replace("enabled: true,", "enabled: true, allowUnsigned: true, host: 203.0.113.77,"),
    ],
    [
      "a daemon's that was part of another one",
      (text: string, taken: number, port: number) =>
        text
          .replace(`port: ${port}`, `port: ${taken}`)
          .replace("service: {", "service: { hostIngresses: false,"),
    ],
  ])(
    "a restart onto what cannot be listened on ends nothing: %s",
    { timeout: 120_000 },
    async (_whose, moved) => {
      const { scene, port, stateRoot } = await serviceScene();
      expect(loop(scene, "start")).toMatchObject({ status: 0 });
      const before = readLivePidfile(join(stateRoot, "service.pid"));
      const taken = createServer();
      const takenPort = await freePort();
      await new Promise<void>((resolve) => taken.listen(takenPort, "127.0.0.1", resolve));
      onTestFinished(() => void taken.close());
      scene.configure(moved(readFileSync(scene.configFile, "utf8"), takenPort, port));
      const restarted = loop(scene, "restart");
      expect(restarted, restarted.stderr).toMatchObject({
        status: 2,
        stderr: expect.stringMatching(
          new RegExp(`(127.0.0.1:${takenPort}|203.0.113.77:${port})[^]*LOOP_E_LISTEN`),
        ),
      });
      expect(readLivePidfile(join(stateRoot, "service.pid"))).toEqual(before);
      expect(await (await fetch(`http://127.0.0.1:${port}/health`)).text()).toBe("ok");
    },
  );

  test(
    "a restart that takes the receiver out of the service, or back into it, ends with what is configured",
    { timeout: 120_000 },
    async () => {
      const { scene, stateRoot } = await serviceScene();
      const hosted = readFileSync(scene.configFile, "utf8");
      expect(loop(scene, "start")).toMatchObject({ status: 0 });
      scene.configure(hosted.replace("service: {", "service: { hostIngresses: false,"));
      expect(loop(scene, "restart")).toMatchObject({ status: 0 });
      expect(readLivePidfile(join(stateRoot, "host-webhook.pid"))).not.toBeNull();
      scene.configure(hosted);
      expect(loop(scene, "restart")).toMatchObject({ status: 0 });
      expect(readLivePidfile(join(stateRoot, "host-webhook.pid"))).toBeNull();
      expect(loop(scene, "status", "--json")).toMatchObject({ status: 0 });
    },
  );

  test(
    "service.hostIngresses: false runs the receiver as a process of its own",
    { timeout: 90_000 },
    async () => {
      const { scene, port, stateRoot } = await serviceScene();
      scene.configure(
        readFileSync(scene.configFile, "utf8").replace(
          "service: {",
          "service: { hostIngresses: false,",
        ),
      );
      expect(loop(scene, "start")).toMatchObject({ status: 0 });
      const [service, receiver] = ["service.pid", "host-webhook.pid"].map((name) =>
        readLivePidfile(join(stateRoot, name)),
      );
      expect(service).not.toBeNull();
      expect(receiver?.healthUrl).toBe(`http://127.0.0.1:${port}/health`);
      expect(receiver?.identity.pid).not.toBe(service?.identity.pid);
      expect(loop(scene, "stop")).toMatchObject({ status: 0 });
      expect(receiver && isAlive(receiver.identity)).toBe(false);
    },
  );

  test(
    "what could go wrong unnoticed is warned of at the start, on the terminal and in the log",
    { timeout: 90_000 },
    async () => {
      const { scene } = await serviceScene();
      const before = readFileSync(scene.configFile, "utf8");
      expect(loop(scene, "config", "validate").stdout, "so that it can fail").not.toContain(
        "webhooks.hostWebhook.events",
      );
      scene.configure(before.replace("enabled: true,", "enabled: true, events: [issue_comment],"));
      const started = loop(scene, "start");
      expect(started, started.stderr).toMatchObject({ status: 0 });
      for (const words of [
        /^! webhooks\.hostWebhook\.secretEnv.* is not set/m,
        /^! webhooks\.hostWebhook\.events.*issues.*pull_request/m,
      ])
        expect(started.stdout).toMatch(words);
      const logged = loop(scene, "logs", "service").stdout;
      expect(logged).toContain("signatures are NOT verified");
      expect(logged).toContain(
        "issues and pull_request missing from the events: closed or merged items will never close their sessions",
      );
    },
  );

  test(
    "D04 a second daemon of a kind is refused while the first lives, and not after it was killed",
    { timeout: 90_000 },
    async () => {
      const { scene, stateRoot } = await serviceScene();
      loop(scene, "start");
      const twin = loop(scene, "daemon", "service");
      expect(twin.status).toBe(2);
      expect(twin.stderr).toContain("LOOP_E_DAEMON_TWIN");

      const record = readLivePidfile(join(stateRoot, "service.pid"));
      if (record === null) throw new Error("the service did not start");
      process.kill(record.identity.pid, "SIGKILL");
      while (isAlive(record.identity)) await new Promise((resolve) => setTimeout(resolve, 20));
      expect(loop(scene, "status").stdout).toContain("✗ service");
      expect(loop(scene, "start")).toMatchObject({ status: 0 });
    },
  );

  test(
    "a start that fails says why, with the log's last words, and leaves nothing running",
    { timeout: 90_000 },
    async () => {
      const { scene, port, stateRoot } = await serviceScene();
      const taken = createServer();
      await new Promise<void>((resolve) => taken.listen(port, "127.0.0.1", resolve));
      onTestFinished(() => void taken.close());
      const started = loop(scene, "start");
      expect(started.status).toBe(2);
      expect(started.stderr).toContain("LOOP_E_DAEMON_START");
      expect(started.stderr).toContain(String(port));
      expect(readLivePidfile(join(stateRoot, "service.pid"))).toBeNull();
    },
  );

  test(
    "stop does not hurry a daemon that is ending already, and waits for it",
    { timeout: 60_000 },
    async () => {
      const { dir } = createScene();
      const file = join(dir, "service.pid");
      const child = await holdDaemonLock(
        dir,
        "service",
        "process.on('SIGTERM', () => process.exit(7)); setTimeout(() => process.exit(0), 1500)",
      );
      const identity = identityOf(child.pid ?? 0);
      if (identity === null) throw new Error("the child did not start");
      writePidfile(file, {
        kind: "service",
        version: "0",
        configFile: null,
        startedAt: 0,
        healthUrl: null,
        identity,
        stopping: true,
      });
      const plan: ServicePlan = {
        kinds: [{ kind: "service", enabled: true, pidfile: file, listens: [], unit: null }],
        stateRoot: dir,
        configFile: null,
        self: [process.execPath],
        env: {},
      };
      expect(await statusOfServices(plan)).toMatchObject([
        { running: true, detail: expect.stringContaining("stopping") },
      ]);
      expect(await stopServices(plan)).toMatchObject([{ running: false }]);
      expect(child.exitCode ?? (await once(child, "exit"))[0]).toBe(0);
    },
  );

  test("a stop or start from an agent's turn are refused", () => {
    const scene = createScene();
    Object.assign(scene.env, {
      LOOP_TURN: "1",
      LOOP_TURN_DIR: scene.dir,
      LOOP_WORK_ITEM: "host:o/r#1",
      LOOP_INSTANCE: "default",
      LOOP_SESSION: "s",
    });
    for (const verb of ["start", "stop", "restart"])
      expect(loop(scene, verb)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining("LOOP_E_INSIDE_TURN"),
      });
  });
});
