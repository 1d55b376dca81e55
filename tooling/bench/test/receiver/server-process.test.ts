import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startServer } from "../../src/receiver/server-process.ts";

test.each([
  ["takes everything", "202"],
  ["refuses everything", "401"],
])("a contender that %s does not pass the gate", async (_, status) => {
  const folder = mkdtempSync(join(tmpdir(), "loop-bench-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const script = join(folder, "contender.mjs");
  writeFileSync(
    script,
    `import { createServer } from "node:http";\nconst s = createServer((q, r) => q.resume().on("end", () => r.writeHead(${status}).end())).listen(0, "127.0.0.1", () => console.log("ready " + s.address().port));\n`,
  );
  await expect(
    startServer(script, { secret: "s", directory: folder, flushDelayUs: 0 }, []),
  ).rejects.toThrow(/good signature and \d{3} to a bad one/);
});

test("a contender that ends before it is ready is told", async () => {
  const script = join(tmpdir(), "there-is-no-such-contender.mjs");
  await expect(
    startServer(script, { secret: "s", directory: "/", flushDelayUs: 0 }, []),
  ).rejects.toThrow(/ended with 1 before it was ready/);
});
