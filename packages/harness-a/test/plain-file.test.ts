import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunProcess, SandboxOrder } from "@loopwork/core/ports";
import { describe, expect, onTestFinished, test } from "vitest";
import { readConversation } from "../src/conversation.ts";
import { findLiveSessions } from "../src/live-session.ts";
import { defaults } from "../src/options.ts";
import { findEvidence } from "../src/headless-evidence.ts";
import { createSandbox } from "../src/sandbox/create.ts";
import { excludePlaceholders } from "../src/sandbox/placeholders.ts";
import { readEvents } from "../src/terminal/evidence.ts";
import { watchMessage } from "../src/terminal/watch.ts";
import { receipt, sessionId } from "./support.ts";

function folder(): string {
  const dir = mkdtempSync(path.join(tmpdir(), "harness-a-plain-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A pipe whose reader is let go after a few seconds, so that a test fails where it would hang. */
function pipe(file: string): void {
  execFileSync("mkfifo", [file]);
  const script = 'while sleep 3; do echo freed > "$1"; : > "$1.was-read"; done';
  const writer = spawn("/bin/sh", ["-c", script, "sh", file], { detached: true, stdio: "ignore" });
  onTestFinished(async () => {
    await sleep(100);
    process.kill(-(writer.pid ?? 0), "SIGKILL");
  });
}

/** What a turn can put in the place of a file that it may write, and that isn't a file of ours. */
const odd: readonly (readonly [string, (file: string) => void])[] = [
  ["a pipe", pipe],
  ["a link to /dev/zero", (file) => symlinkSync("/dev/zero", file)],
  [
    "a file of 10 GB without content",
    (file) => {
      writeFileSync(file, "");
      truncateSync(file, 10 * 1024 ** 3);
    },
  ],
  [
    "a link to another file",
    (file) => {
      writeFileSync(`${file}.other`, "{}\n");
      symlinkSync(`${file}.other`, file);
    },
  ],
];

describe.each(odd)("%s", (_, plant) => {
  const wasRead = (file: string): boolean => existsSync(`${file}.was-read`);

  test("in the place of the tool ledger makes the attempt unknown", async () => {
    const turnDir = folder();
    const ledger = path.join(turnDir, "tools.jsonl");
    plant(ledger);
    const attempt = {
      receipt,
      runner: "headless",
      sessionId,
      workdir: "/w",
      turnDir,
      stdout: [],
    } as const;
    const where = { configDir: path.join(turnDir, "config"), proven: async () => true };
    expect(await findEvidence(attempt, where)).toMatchObject({ kind: "unknown" });
    expect(wasRead(ledger)).toBe(false);
  });

  test("in the place of a terminal's events is an error", async () => {
    const dir = folder();
    const events = path.join(dir, "events.jsonl");
    plant(events);
    await expect(readEvents(dir)).rejects.toThrow(events);
    expect(wasRead(events)).toBe(false);
  });

  test("in the place of a sandbox's record is none, and no settings are written through it", async () => {
    const [dir, turnDir] = [folder(), folder()];
    const [checkout, home] = [path.join(dir, "w"), path.join(dir, "h")];
    mkdirSync(checkout);
    mkdirSync(home);
    const processes: RunProcess = {
      adopt: () => null,
      spawn: () => Promise.reject(new Error("none")),
    };
    const options = {
      ...defaults,
      command: "none",
      environment: { TMPDIR: dir },
      home,
      processes,
      probeDir: dir,
    };
    const account = { platform: "linux", uid: process.getuid?.() ?? 0 } as const;
    const sandbox = createSandbox(options, { runner: "headless", programs: [], account });
    const files = ["sandbox", "settings"].map((name) =>
      path.join(turnDir, `${receipt}.${name}.json`),
    );
    for (const file of files) plant(file);
    expect(await sandbox.find(turnDir, receipt)).toBeNull();
    const order: SandboxOrder = {
      receipt,
      turnDir,
      checkout,
      alsoIn: [],
      hide: [],
      locked: [],
      read: [],
      write: [],
      domains: [],
      exclude: [],
      env: {},
      passEnv: [],
    };
    const made = await sandbox.open(order);
    expect(await sandbox.find(turnDir, receipt)).toEqual(made);
    expect(readFileSync(made.settingsFile, "utf8")).toContain("strictAllowlist");
    for (const file of files.filter((each) => existsSync(`${each}.other`)))
      expect(readFileSync(`${file}.other`, "utf8")).toBe("{}\n");
    await sandbox.close(turnDir, receipt);
  });

  test("in the place of a record of a living session is none", async () => {
    const dir = folder();
    mkdirSync(path.join(dir, "sessions"));
    plant(path.join(dir, "sessions", "1.json"));
    expect(await findLiveSessions(dir, sessionId)).toEqual([]);
    expect(wasRead(path.join(dir, "sessions", "1.json"))).toBe(false);
  });

  test("in the place of git's ignore list stays as it is", async () => {
    const info = path.join(folder(), ".git", "info");
    mkdirSync(info, { recursive: true });
    plant(path.join(info, "exclude"));
    await excludePlaceholders(path.dirname(path.dirname(info)));
    expect(wasRead(path.join(info, "exclude"))).toBe(false);
  });
});

test("a transcript of 10 GB without content is an error for all that read it, and fills no memory", async () => {
  const dir = folder();
  const file = path.join(dir, "projects", "w", `${sessionId}.jsonl`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, "");
  truncateSync(file, 10 * 1024 ** 3);
  await expect(readConversation(dir, sessionId)).rejects.toThrow("a line of more than");
  await expect(watchMessage(dir, sessionId, receipt).look()).rejects.toThrow("a line of more than");
  const attempt = {
    receipt,
    runner: "headless",
    sessionId,
    workdir: "/w",
    turnDir: dir,
    stdout: [],
  } as const;
  expect(await findEvidence(attempt, { configDir: dir, proven: async () => true })).toMatchObject({
    kind: "unknown",
  });
});
