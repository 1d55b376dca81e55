import { describe, expect, test } from "vitest";
import {
  checkedFor,
  ConfigRejected,
  loadConfig,
  noDaemons,
} from "../../src/configuration/load-config.ts";
import { createScene, type Scene } from "../support/scene.ts";

const receiver = { service: true, receiver: true, poller: false };
const config = (host: string, more = ""): string =>
  `webhooks:\n  hostWebhook: { enabled: true, host: ${host}${more} }\nrouting:\n  authorizedUsers: [ada]\n  repositories: [practice/garden]\n`;

const paths = (scene: Scene, daemons: typeof receiver): readonly string[] =>
  checkedFor(loadConfig(scene.configFile, scene), daemons, scene).warnings.map(({ path }) => path);

describe("R15 without a webhook secret", () => {
  test("a receiver on loopback may start, with a warning at each place where somebody looks", async () => {
    const scene = createScene(config("127.0.0.1"));
    expect(paths(scene, receiver)).toContain("webhooks.hostWebhook.secretEnv");
    const validated = await scene.loop("config", "validate");
    expect(validated).toMatchObject({
      code: 0,
      out: expect.stringContaining(
        "LOOP_HOST_WEBHOOK_SECRET is not set: anybody on this machine can post events",
      ),
    });
    expect((await scene.loop("doctor")).out).toContain("LOOP_HOST_WEBHOOK_SECRET");
  });

  test("a receiver that others reach does not start: one list, exit 2", async () => {
    const scene = createScene(config("0.0.0.0"));
    for (const argv of [
      ["start"],
      ["restart"],
      ["config", "validate"],
      ["daemon", "host-webhook"],
    ]) {
      const ran = await scene.loop(...argv);
      expect(ran, argv.join(" ")).toMatchObject({
        code: 2,
        out: "",
        err: expect.stringContaining(
          "LOOP_HOST_WEBHOOK_SECRET is not set and the receiver would bind to 0.0.0.0",
        ),
      });
      expect(ran.err).toContain("allowUnsigned");
    }
  });

  test("unless somebody insists, and with the secret set there is nothing to warn of", () => {
    const scene = createScene(config("0.0.0.0", ", allowUnsigned: true"));
    expect(paths(scene, receiver)).toContain("webhooks.hostWebhook.secretEnv");
    scene.env["LOOP_HOST_WEBHOOK_SECRET"] = "a secret of the tests";
    expect(paths(scene, receiver)).not.toContain("webhooks.hostWebhook.secretEnv");
  });

  test("commands that start nothing are not in its way", async () => {
    const scene = createScene(config("0.0.0.0"));
    expect((await scene.loop("sessions", "list")).code).toBe(0);
    expect(() => checkedFor(loadConfig(scene.configFile, scene), noDaemons, scene)).not.toThrow();
  });
});

test("C01 what single keys cannot show is an error with place and hint, for every command", async () => {
  const scene = createScene(
    "routing:\n  coalesce:\n    quietSeconds: 60\n    maxSeconds: 5\n  workspace: { root: / }\n",
  );
  expect(() => loadConfig(scene.configFile, scene)).toThrow(ConfigRejected);
  const ran = await scene.loop("sessions", "list");
  expect(ran.code).toBe(2);
  expect(ran.err).toContain(`${scene.configFile}:4:`);
  expect(ran.err).toContain("holds more than checkouts");
});

test("who enables the poller with a repository to poll is told nothing about that", async () => {
  const scene = createScene(
    "polling: { enabled: true }\nrouting: { repositories: [practice/garden] }\n",
  );
  expect((await scene.loop("config", "validate")).out).not.toContain("polling.enabled:");
});

test("config show names every key with its value in force, where it comes from and when a change of it applies", async () => {
  const scene = createScene("routing:\n  authorizedUsers: [ada]\n");
  const short = await scene.loop("config", "show");
  expect(short.out).toContain('routing.authorizedUsers  line 2  at once  ["ada"]');
  expect(short.out).not.toContain("maxConcurrentTurns");
  const all = await scene.loop("config", "show", "--effective");
  expect(all.out).toMatch(/routing\.maxConcurrentTurns +default +at once +4/);
  expect(all.out).toMatch(/service\.port +default +on restart +4114/);
  expect((await scene.loop("config", "show", "--effective", "--json")).json()).toMatchObject({
    file: scene.configFile,
    config: { routing: { maxConcurrentTurns: 4 } },
  });
});
