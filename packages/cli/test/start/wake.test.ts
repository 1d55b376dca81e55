import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { wake, watchWake } from "../../src/start/wake.ts";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";
import { createWorld } from "../support/world.ts";

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "loop-wake-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test("each touch wakes, until nobody watches any more", async () => {
  const dir = folder();
  let woken = 0;
  const stop = watchWake(dir, () => (woken += 1));
  wake(dir, Date.now());
  await until(() => woken > 0, "the first wake");
  const before = woken;
  wake(dir, Date.now() + 1_000);
  await until(() => woken > before, "the second wake");
  stop();
});

test("where no folder can be made neither side fails", () => {
  const file = join(folder(), "file");
  writeFileSync(file, "");
  expect(() => wake(file, 0)).not.toThrow();
  expect(() => watchWake(file, () => {})()).not.toThrow();
});

test(
  "a daemon carries out a request of the command line without waiting for its next look",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    await startDaemon(world);
    const { number } = world.host.openIssue({ title: "Water", body: "", labels: [], by: "ada" });
    await new Promise((resolve) => setTimeout(resolve, 500));
    const times: number[] = [];
    for (const verb of ["pause", "stop", "pause", "stop", "pause"]) {
      const began = Date.now();
      expect(await world.scene.loop("sessions", verb, world.ref(number))).toMatchObject({
        code: 0,
      });
      times.push(Date.now() - began);
    }
    expect(times.toSorted((a, b) => a - b)[2]).toBeLessThan(1_500);
  },
);
