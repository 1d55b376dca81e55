import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import express, { Router } from "express";
import { describe, expect, it, onTestFinished } from "vitest";
import { once } from "node:events";
import { createControlPlane } from "../src/index.ts";
import { createPorts } from "./support/ports.ts";
import { serve } from "./support/serving.ts";

const folder = fileURLToPath(new URL("../dist/ui", import.meta.url));
const built = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((each) => each.isFile())
  .map((each) => join(each.parentPath, each.name));

describe("the dashboard's page", () => {
  it("is served without the token, holds no data, and lets nothing in but its own files", async () => {
    const serving = await serve();
    const page = await serving.ask("/", { token: null });
    expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    const policy = String(page.headers["content-security-policy"]);
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ])
      expect(policy.split("; ")).toContain(part);
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(page.text).not.toMatch(/octo|style=|<script(?![^>]* src=)|\son[a-z]+=/);
    expect(page.headers["cache-control"]).toBe("no-store");
  });

  it("is whole: each file that it names is served", async () => {
    const serving = await serve();
    const { text } = await serving.ask("/", { token: null });
    const named = [...text.matchAll(/(?:src|href)="\.(\/[^"]+)"/g)].map(([, path]) => path ?? "");
    expect(named).toHaveLength(3);
    for (const path of named)
      expect(await serving.ask(path, { token: null })).toMatchObject({
        status: 200,
        headers: { "x-content-type-options": "nosniff" },
      });
  });

  it("is no way to other files, and takes no other method", async () => {
    const serving = await serve();
    for (const path of [
      "/assets/../index.html",
      "/assets/..%2f..%2fpackage.json",
      "/assets/nothing.js",
      "/licenses.md",
      "/index.html",
    ])
      expect((await serving.ask(path)).status, path).toBe(404);
    expect((await serving.ask("/", { method: "POST" })).status).toBe(404);
    expect((await serving.ask("/", { method: "HEAD", token: null })).text).toBe("");
  });

  it("is guarded as everything else (A01, A02)", async () => {
    const serving = await serve();
    expect((await serving.ask("/", { headers: { host: "evil.example" } })).status).toBe(403);
    expect((await serving.ask("/", { headers: { origin: "https://evil.example" } })).status).toBe(
      403,
    );
  });

  it("works under the prefix of another application", async () => {
    const { router } = createControlPlane({
      ports: createPorts(),
      access: { type: "application" },
      version: "1",
      onFault: () => undefined,
    });
    const server = express().use("/tools/loop", Router().use(router)).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const address = server.address();
    const base = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
    const moved = await fetch(`${base}/tools/loop?x=1`, { redirect: "manual" });
    expect([moved.status, moved.headers.get("location")]).toEqual([308, "/tools/loop/?x=1"]);
    const page = await fetch(`${base}/tools/loop/`);
    const script = /src="(\.\/assets\/[^"]+)"/.exec(await page.text())?.[1] ?? "";
    expect((await fetch(new URL(script, page.url))).status).toBe(200);
  });
});

describe("the built page", () => {
  it("is at most 100 KB, compressed, all in all", () => {
    const bytes = built.map((file) => gzipSync(readFileSync(file)).length);
    expect(bytes.length).toBeGreaterThanOrEqual(4);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(100_000);
  });

  it("names no other server", () => {
    const texts = built
      .filter((file) => /\.(html|js|css)$/.test(file))
      .map((file) => readFileSync(file, "utf8"));
    const addresses = texts.flatMap((text) =>
      [...text.matchAll(/(?:https?:)?\/\/[a-z0-9.-]+\.[a-z]{2,}/gi)].map(([address]) => address),
    );
    expect(addresses.filter((address) => !/^https?:\/\/www\.w3\.org$/.test(address))).toEqual([]); // Names of XML vocabularies are no addresses.
  });
});
