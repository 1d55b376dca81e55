import { once } from "node:events";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../src/index.ts";

test("ports are free, differ from each other, and are none that a connection could be given", async () => {
  const ports = await Promise.all(Array.from({ length: 40 }, () => freePort()));
  expect(new Set(ports).size).toBe(40);
  expect(Math.max(...ports)).toBeLessThan(32_768);
  const server = createServer().listen(ports[0], "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
});
