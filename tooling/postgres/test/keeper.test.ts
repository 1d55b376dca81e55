import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { keep } from "../src/keeper.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "loop-keeper-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test("a keeper that cannot begin is an error and not waited for", { timeout: 10_000 }, async () => {
  const place = folder();
  await expect(keep(["true"], join(place, "absent"), join(place, "log"), {})).rejects.toThrow(
    "ENOENT",
  );
});

test("so is one that ends without a word", { timeout: 10_000 }, async () => {
  const place = folder();
  writeFileSync(join(place, "sh"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  vi.stubEnv("PATH", place);
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(keep(["true"], place, join(place, "log"), {})).rejects.toThrow(
    "the keeper ended before it named the server's process",
  );
});
