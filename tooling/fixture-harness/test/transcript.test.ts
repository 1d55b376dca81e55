import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
// @ts-expect-error -- the fixture is plain JavaScript, and has no declarations
import { openTranscript } from "../claude/transcript.mjs";

test("rows wait for as long as the model is being asked, and are written some time after", async () => {
  const dir = mkdtempSync(path.join(tmpdir(), "loop-transcript-"));
  try {
    const file = path.join(dir, "session.jsonl");
    const transcript = openTranscript(file, { sessionId: "s", cwd: dir, version: "1" });
    transcript.note({ type: "last-prompt" });
    await transcript.holdDuring(sleep(600));
    expect(existsSync(file)).toBe(false);
    await expect.poll(() => existsSync(file), { timeout: 10_000 }).toBe(true);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
