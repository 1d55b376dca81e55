import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { identityOf } from "../../src/processes/process-identity.ts";
import { createRunProcess } from "../../src/processes/run-process.ts";
import { connectHarnesses } from "../../src/start/harnesses.ts";
import { loadConfig } from "../../src/configuration/load-config.ts";
import { createScene } from "../support/scene.ts";

test("a conversation in which somebody else works is noticed, one that was left behind is not", async () => {
  const { configFile, cwd, home } = createScene();
  const loaded = loadConfig(configFile, { env: {}, cwd, home });
  const { A } = await connectHarnesses(() => loaded, { home }, createRunProcess());
  const own = identityOf(process.pid);
  const sessions = join(home, ".claude", "sessions");
  mkdirSync(sessions, { recursive: true });
  const register = (sessionId: string, procStart: string): void =>
    writeFileSync(
      join(sessions, `${process.pid}.json`),
      JSON.stringify({ pid: process.pid, sessionId, procStart, status: "idle" }),
    );

  register("6954f4a2-388c-424d-ac67-9ddf364149af", own?.startTime.split("@")[0] ?? "");
  expect(await A?.isHeldElsewhere("6954f4a2-388c-424d-ac67-9ddf364149af")).toBe(true);
  expect(await A?.isHeldElsewhere("11111111-388c-424d-ac67-9ddf364149af")).toBe(false);
  register("6954f4a2-388c-424d-ac67-9ddf364149af", "1");
  expect(await A?.isHeldElsewhere("6954f4a2-388c-424d-ac67-9ddf364149af")).toBe(false);
});
