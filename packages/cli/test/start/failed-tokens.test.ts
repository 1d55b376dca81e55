import { expect, test } from "vitest";
import { loop, startService } from "../support/service.ts";
import { until } from "../support/until.ts";
import { createWorld } from "../support/world.ts";

test(
  "wrong tokens stand in the process log without themselves, and the right one still passes",
  { timeout: 120_000 },
  async () => {
    const world = await createWorld();
    const service = await startService(world);
    const wrong = "0123456789-this-is-a-wrong-token";
    const ask = async (): Promise<number> => {
      const headers = { authorization: `Bearer ${wrong}` };
      return (await fetch(`${service.url}/api/v1/health`, { headers })).status;
    };
    expect(await ask()).toBe(401);
    await until(async () => (await ask()) === 429, "an answer that asks to wait");
    expect(await service.get("/api/v1/health")).toMatchObject({ status: 200 });
    const log = async (): Promise<string> => (await loop(world, "logs")).text;
    const line = "a request from 127.0.0.1 showed a wrong control plane token";
    await until(async () => (await log()).includes(line), "the line in the log", log);
    expect(await log()).not.toContain(wrong);
  },
);
