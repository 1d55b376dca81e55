import { once } from "node:events";
import express from "express";
import { expect, onTestFinished, test } from "vitest";
import { createControlPlane } from "../src/index.ts";
import { createPorts } from "./support/ports.ts";

// All else about another application is shown by the one in examples/embedding.
test("a body that the application around it has parsed is taken as it is", async () => {
  const ports = createPorts();
  const { router, close } = createControlPlane({
    ports,
    access: { type: "application" },
    version: "1.2.3",
    onFault: () => {},
  });
  const server = express().use(express.json()).use("/loop", router).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    await close();
    server.close();
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/loop/api/v1/work-items/host%3Aocto%2Fshop%237/control`;
  const pause = (type: string): Promise<Response> =>
    fetch(url, { method: "POST", headers: { "content-type": type }, body: '{"verb":"pause"}' });
  expect((await pause("text/plain")).status).toBe(415);
  expect(ports.asked).toEqual([]);
  expect((await pause("application/json")).status).toBe(200);
  expect(ports.asked).toMatchObject([{ request: { verb: "pause" } }]);
});
