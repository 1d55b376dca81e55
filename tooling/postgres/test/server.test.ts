import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { startPostgres } from "../src/index.ts";

test("a server starts, is killed, starts again where it was, and stops", async () => {
  const server = await startPostgres();
  try {
    expect(await answers(server.port)).toBe(true);
    await server.kill();
    await silent(server.port);
    await server.start();
    expect(await answers(server.port)).toBe(true);
  } finally {
    await server.stop();
  }
  await silent(server.port);
});

test("a server ends when the process that started it is killed", async () => {
  const module = new URL("../src/index.ts", import.meta.url).href;
  const starter = spawn(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      `import { startPostgres } from ${JSON.stringify(module)}; console.log((await startPostgres()).port); setInterval(() => {}, 1000);`,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const [chunk]: unknown[] = await once(starter.stdout, "data");
  const port = Number(String(chunk));
  expect(await answers(port)).toBe(true);
  starter.kill("SIGKILL");
  await silent(port);
});

/** A backend that was just forked holds the port for a moment after its server is gone. */
async function silent(port: number): Promise<void> {
  while (await answers(port)) await sleep(20);
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => (socket.destroy(), resolve(true)));
    socket.once("error", () => resolve(false));
  });
}
