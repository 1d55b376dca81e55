import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { formatSignature } from "../src/index.ts";
import { temporaryFolder } from "./file-inbox/opening.ts";

const packageFolder = fileURLToPath(new URL("..", import.meta.url));

test("the snippet of the README runs as it stands", async () => {
  const snippet =
    /```ts\n(.{1,4000}?)```/s.exec(readFileSync(join(packageFolder, "README.md"), "utf8"))?.[1] ??
    "";
  const folder = temporaryFolder();
  mkdirSync(join(folder, "node_modules/@loopwork"), { recursive: true });
  symlinkSync(packageFolder, join(folder, "node_modules/@loopwork/receiver"));
  expect(snippet).toContain("listen(8787)");
  writeFileSync(
    join(folder, "snippet.mts"),
    `${snippet.replace("listen(8787)", "listen(0)")}`.replace(
      "for (const warning",
      'console.log("port", address.port);\nfor (const warning',
    ),
  );
  const child = spawn(process.execPath, ["--conditions=@loopwork/source", "snippet.mts"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await expect.poll(() => output, { timeout: 10_000 }).toMatch(/port \d/);
  const body = `{"zen":"ok"}`;
  const headers = {
    "content-type": "application/json",
    "x-github-delivery": "readme-1",
    "x-github-event": "issues",
    "x-hub-signature-256": formatSignature(Buffer.from(body), "a long random text"),
  };
  const response = await fetch(
    `http://127.0.0.1:${/port (\d{1,5})/.exec(output)?.[1]}/host-webhook`,
    { method: "POST", body, headers },
  );
  expect(response.status).toBe(202);
  await expect.poll(() => output).toContain(`readme-1 issues ${body.length}`);
}, 20_000);
