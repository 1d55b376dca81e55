import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keep } from "../src/keeper.ts";

test("a keeper that cannot begin is an error and not waited for", { timeout: 10_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "loop-keeper-"));
  try {
    await expect(keep(["true"], join(folder, "absent"), join(folder, "log"), {})).rejects.toThrow("ENOENT");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
