import { once } from "node:events";
import { request } from "node:http";
import express from "express";
import { expect, onTestFinished, test } from "vitest";
import { createHealthRouter, type Health } from "../src/index.ts";

const token = "0123456789abcdef0123456789abcdef";
const health: Health = { status: "ok", version: "1.2.3", configFile: null, stateRoot: "/state", services: [] };

async function serving(): Promise<number> {
  const server = express().use(createHealthRouter({ token, allowedHosts: ["loop.example:4114"], health: () => Promise.resolve(health) })).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function get(port: number, path: string, headers: Record<string, string>): Promise<{ readonly status: number | undefined; readonly body: string }> {
  return new Promise((resolve, reject) => {
    request({ port, path, headers, host: "127.0.0.1" }, (response) => {
      let body = "";
      response.on("data", (chunk: Buffer) => (body += chunk.toString()));
      response.on("end", () => resolve({ status: response.statusCode, body }));
    }).on("error", reject).end();
  });
}

test("probes get ok without a token; the details want it", async () => {
  const port = await serving();
  expect(await get(port, "/health", {})).toEqual({ status: 200, body: "ok" });
  expect(await get(port, "/api/v1/health", {})).toMatchObject({ status: 401 });
  expect(await get(port, "/api/v1/health", { authorization: `Bearer ${token}x` })).toMatchObject({ status: 401 });
  expect(await get(port, `/api/v1/health?token=${token}`, {})).toMatchObject({ status: 401 });
  expect(JSON.parse((await get(port, "/api/v1/health", { authorization: `Bearer ${token}` })).body)).toEqual(health);
});

test.each(["evil.example", "localhost.evil", "127.0.0.1.evil:80", "evil"])("A01 the host %j is refused on every route", async (host) => {
  const port = await serving();
  for (const path of ["/health", "/api/v1/health"]) expect(await get(port, path, { host, authorization: `Bearer ${token}` })).toMatchObject({ status: 403 });
});

test.each(["localhost:4114", "127.0.0.1", "[::1]:4114", "LOOP.example:4114"])("A01 the host %j is known", async (host) => {
  expect(await get(await serving(), "/health", { host })).toMatchObject({ status: 200 });
});

test.each(["https://evil.example", "null", "no origin at all"])("A02 the origin %j is refused", async (origin) => {
  expect(await get(await serving(), "/api/v1/health", { origin, authorization: `Bearer ${token}` })).toMatchObject({ status: 403 });
});

test("A03 a token that is too short is no token", () => {
  expect(() => createHealthRouter({ token: "short", health: () => Promise.resolve(health) })).toThrow("32 characters");
});
