import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@loopwork-tooling/practice-host";
import { expect, onTestFinished, test } from "vitest";
import { readServiceTexts } from "../src/check/service-texts.ts";

const paths = {
  "/health": { get: {} },
  "/sessions": { get: {} },
  "/items/{number}": { get: {} },
  "/stream": { get: {} },
  "/wake": { post: {} },
};

test("a service that is still on its way up is waited for, and then all is read that can be asked for without naming something", async () => {
  const folder = mkdtempSync(join(tmpdir(), "loop-texts-"));
  const [port, token] = [await freePort(), join(folder, "token")];
  const server = createServer(
    ({ url, headers }, response) =>
      void response.end(
        url === "/api/v1/openapi.json"
          ? JSON.stringify({ paths })
          : `${url} for ${headers.authorization}`,
      ),
  );
  onTestFinished(() => (server.close(), rmSync(folder, { recursive: true })));
  const texts = readServiceTexts(`http://127.0.0.1:${port}`, token);
  await sleep(300);
  writeFileSync(token, "secret\n");
  server.listen(port, "127.0.0.1");
  expect(await texts).toEqual([
    { where: "the answer to /api/v1/health", text: "/api/v1/health for Bearer secret" },
    { where: "the answer to /api/v1/sessions", text: "/api/v1/sessions for Bearer secret" },
  ]);
});
