import { expect, test } from "vitest";
import { loadConfig, runtimeSettings } from "../../src/configuration/load-config.ts";
import { redactorOf } from "../../src/configuration/redactor.ts";
import { hasTurnSigns } from "../../src/steer/turn-here.ts";
import { createScene } from "../support/scene.ts";
import { judgingHarnessEnvironment, turnEnvironment } from "@loopwork/runtime/child-environment";

const turn = {
  instance: "default",
  workItem: "host:octo/demo#7",
  session: "s-1",
  turn: 3,
  turnDir: "/state/turns/3",
  configFile: "/etc/loop.yaml",
  driverAsks: false,
};
const from = {
  env: {
    PATH: "/usr/bin",
    HOME: "/home/me",
    LOOP_HOST_TOKEN: "secret",
    SSH_AUTH_SOCK: "/agent",
    LOOP_WORK_ITEM: "host:octo/other#1",
  },
  secretNames: ["LOOP_HOST_TOKEN"],
  passEnv: [],
  extra: {},
  binDir: "/state/bin",
};

test("a session knows who it is, finds our command first, and keeps logins", () => {
  expect(turnEnvironment(from, turn)).toEqual({
    PATH: "/state/bin:/usr/bin",
    HOME: "/home/me",
    SSH_AUTH_SOCK: "/agent",
    LOOP_INSTANCE: "default",
    LOOP_WORK_ITEM: "host:octo/demo#7",
    LOOP_SESSION: "s-1",
    LOOP_TURN: "3",
    LOOP_TURN_DIR: "/state/turns/3",
    LOOP_CONFIG: "/etc/loop.yaml",
  });
});

test("where the driver asks whether the work is complete, the stop hook is told to leave it alone; what stood there before is not handed on", () => {
  expect(turnEnvironment(from, { ...turn, driverAsks: true })).toHaveProperty(
    "LOOP_GATE",
    "driver",
  );
  expect(turnEnvironment({ ...from, env: { LOOP_GATE: "driver" } }, turn)).not.toHaveProperty(
    "LOOP_GATE",
  );
});

test("a program that judges an agent's work is marked, and a session that is begun from inside of one is not", () => {
  const env = judgingHarnessEnvironment(
    { env: { ...from.env, LOOP_TURN: "3" }, secretNames: ["LOOP_HOST_TOKEN"] },
    [],
  );
  expect(env).toEqual({
    PATH: "/usr/bin",
    HOME: "/home/me",
    SSH_AUTH_SOCK: "/agent",
    LOOP_JUDGE: "1",
  });
  expect(hasTurnSigns(env)).toBe(true);
  expect(turnEnvironment({ ...from, env }, turn)).not.toHaveProperty("LOOP_JUDGE");
});

test("secrets of ours reach a session only when they are named", () => {
  expect(turnEnvironment(from, turn)).not.toHaveProperty("LOOP_HOST_TOKEN");
  expect(turnEnvironment({ ...from, passEnv: ["LOOP_HOST_TOKEN"] }, turn)).toHaveProperty(
    "LOOP_HOST_TOKEN",
    "secret",
  );
});

test("variables of the configuration come on top, and cannot take the turn's own away", () => {
  const env = turnEnvironment({ ...from, extra: { EXTRA: "1", LOOP_INSTANCE: "forged" } }, turn);
  expect(env).toMatchObject({ EXTRA: "1", LOOP_INSTANCE: "default" });
});

test("a PATH of the configuration takes the place of the parent's, behind our own command", () => {
  expect(turnEnvironment({ ...from, extra: { PATH: "/opt/tools:/usr/bin" } }, turn)["PATH"]).toBe(
    "/state/bin:/opt/tools:/usr/bin",
  );
});

test("no folder of the repository is in a session's PATH, wherever its PATH comes from", () => {
  const path = "./node_modules/.bin:/usr/bin:";
  expect(turnEnvironment({ ...from, env: { PATH: path } }, turn)["PATH"]).toBe(
    "/state/bin:/usr/bin",
  );
  expect(turnEnvironment({ ...from, extra: { PATH: path } }, turn)["PATH"]).toBe(
    "/state/bin:/usr/bin",
  );
});

test("what a collector of traces is shown reaches no session and no log, whatever it is for; `passEnv` names what shall", async () => {
  const scene = createScene("harnesses: { A: { passEnv: [OTEL_EXPORTER_OTLP_LOGS_HEADERS] } }\n");
  Object.assign(scene.env, {
    OTEL_SERVICE_NAME: "mine",
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20hush-hush,x-team=garden%20one",
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: "a=b",
    OTEL_EXPORTER_OTLP_METRICS_HEADERS: "a=b",
    OTEL_EXPORTER_OTLP_LOGS_HEADERS: "a=b",
  });
  const loaded = loadConfig(null, scene);
  const { env, secretNames, config } = runtimeSettings(loaded);
  const child = turnEnvironment(
    { ...from, env, secretNames, passEnv: config.harnesses.A.passEnv },
    turn,
  );
  expect(
    Object.keys(child)
      .filter((name) => name.startsWith("OTEL_"))
      .toSorted(),
  ).toEqual(["OTEL_EXPORTER_OTLP_LOGS_HEADERS", "OTEL_SERVICE_NAME"]);
  const shown = redactorOf(loaded)(
    "the collector of garden one wants hush-hush, Bearer%20hush-hush",
  );
  expect(shown).not.toContain("hush");
  expect(shown).not.toContain("garden one");
});
