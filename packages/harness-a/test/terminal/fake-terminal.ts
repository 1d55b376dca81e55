import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promptText, type Terminal, type TerminalPlan, type Terminals } from "@loopwork/core/ports";
import type { DriveParts } from "../../src/terminal/parts.ts";
import { Stopped } from "../../src/terminal/parts.ts";
import type { TerminalTurn } from "../../src/terminal/driver-input.ts";
import { onTestFinished } from "vitest";

const rule = "─".repeat(60);

/**
 * A terminal in memory with a harness in it: an input line, a transcript and events on disk, and a
 * clock that runs as one waits.
 */
export type FakeTerminal = {
  readonly turn: TerminalTurn;
  readonly parts: DriveParts;
  readonly printed: string[];
  readonly opened: TerminalPlan[];
  /** What stands in the input line, and what was sent. */
  input: string;
  readonly sent: string[];
  readonly keys: string[];
  /** Replaces the screen; null for the input line. */
  dialog: readonly string[] | null;
  status: string | null;
  people: number;
  ours: boolean;
  alive: boolean;
  present: boolean;
  /** Keys that the harness does not notice. */
  lostKeys: number;
  /** What the harness does with a message; by default it answers and stops. */
  onMessage: (message: string) => void;
  record(row: Readonly<Record<string, unknown>>): void;
  event(event: string, promptId?: string | null): void;
  /** From that many milliseconds on the attempt is told to end. */
  stopAfter: number;
};

export function createFakeTerminal(over: Partial<TerminalTurn> = {}): FakeTerminal {
  const dir = mkdtempSync(path.join(tmpdir(), "loop-fake-terminal-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const sessionId = "aaaaaaaa-1111-4111-8111-111111111111";
  const transcript = path.join(dir, "config", "projects", "work", `${sessionId}.jsonl`);
  const folder = path.join(dir, "terminals", sessionId);
  mkdirSync(path.dirname(transcript), { recursive: true });
  mkdirSync(folder, { recursive: true });
  let now = 1_000_000;
  const terminal = (): Terminal => ({
    name: "loop-t",
    ours: fake.ours,
    pid: 42,
    alive: fake.alive,
    exitCode: fake.alive ? null : 1,
    people: fake.people,
  });
  const terminals: Terminals = {
    find: async () => (fake.present ? terminal() : null),
    async open(plan) {
      fake.opened.push(plan);
      pasted = "";
      Object.assign(fake, { present: true, alive: true, status: "idle", input: "" });
      fake.event("session-start", null);
      return terminal();
    },
    screen: async () =>
      fake.dialog === null ? ["said", rule, `❯\u00a0${fake.input}`, rule, "  mode"] : fake.dialog,
    async paste(_name, text) {
      fake.input +=
        text.split("\n").length > 3
          ? `[Pasted text #1 +${text.split("\n").length - 1} lines]`
          : text;
      pasted += text;
    },
    async press(_name, key) {
      fake.keys.push(key);
      if (key !== "Enter") return;
      if (fake.lostKeys-- > 0) return;
      const message = pasted;
      Object.assign(fake, { input: "" });
      pasted = "";
      fake.sent.push(message);
      fake.onMessage(message);
    },
    end: async () => true,
    stop: async () => void (fake.alive = false),
    attachCommand: () => ["true"],
  };
  let pasted = "";
  const turn: TerminalTurn = {
    receipt: "bbbbbbbb-1111-4111-8111-111111111111",
    mode: "start",
    sessionId,
    prompt: promptText("Work item: x\n\nTask:\n- do it\n- well"),
    workdir: dir,
    turn: "7",
    turnDir: path.join(dir, "turns", "7"),
    folder,
    configDir: path.join(dir, "config"),
    name: "loop-t",
    title: "octo/demo#1",
    argv: ["claude", "--session-id", sessionId, "--plugin-dir", "/p"],
    ...over,
  };
  const began = now;
  const fake: FakeTerminal = {
    turn,
    printed: [],
    opened: [],
    input: "",
    sent: [],
    keys: [],
    dialog: null,
    status: null,
    people: 0,
    ours: true,
    alive: false,
    present: false,
    lostKeys: 0,
    stopAfter: Infinity,
    onMessage(message) {
      fake.record({
        type: "user",
        uuid: "u1",
        promptId: "p1",
        message: { role: "user", content: message },
      });
      fake.record({ type: "assistant", uuid: "a1", parentUuid: "u1", message: { content: [] } });
      fake.event("stop", "p1");
    },
    record: (row) =>
      appendFileSync(
        transcript,
        `${JSON.stringify({ timestamp: new Date(now).toISOString(), ...row })}\n`,
      ),
    event: (event, promptId = null) =>
      appendFileSync(
        path.join(folder, "events.jsonl"),
        `${JSON.stringify({ event, sessionId, promptId, at: now })}\n`,
      ),
    parts: {
      terminals,
      env: { A: "1" },
      now: () => now,
      async sleep(ms) {
        now += ms;
        if (now - began >= fake.stopAfter) throw new Stopped("told to end");
        await new Promise((resolve) => setImmediate(resolve));
      },
      print: (line) => void fake.printed.push(line),
      status: async () => fake.status,
    },
  };
  return fake;
}

/** A conversation that has begun before. */
export function begunBefore(fake: FakeTerminal): void {
  fake.record({
    type: "user",
    uuid: "u0",
    promptId: "p0",
    message: { role: "user", content: "an earlier message" },
  });
}

/** A harness that waits in its terminal. */
export function waiting(fake: FakeTerminal): FakeTerminal {
  Object.assign(fake, { present: true, alive: true, status: "idle" });
  return fake;
}
