import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { AttemptTrace, ReceiptEvidence, Terminal } from "@loopwork/core/ports";
import { describe, expect, onTestFinished, test } from "vitest";
import { evidenceOf, type Judges } from "../src/evidence-by-runner.ts";
import { findEvidence } from "../src/headless-evidence.ts";
import { terminalEvidence } from "../src/terminal/evidence.ts";
import { lines as driver } from "../src/terminal/lines.ts";
import { leadOf } from "../src/terminal/message.ts";
import { lines, receipt, sessionId } from "./support.ts";

type Runner = keyof Judges;
type Traces = {
  readonly rows?: readonly object[];
  readonly stdout?: readonly string[];
  readonly alive?: boolean;
};

/**
 * What the adapter says of an attempt, from files on disk and from a terminal in which the harness
 * lives or not.
 */
async function judged(
  made: Runner | null,
  today: Runner,
  { rows = [], stdout = [], alive = false }: Traces,
): Promise<ReceiptEvidence["kind"]> {
  const dir = mkdtempSync(path.join(tmpdir(), "harness-a-runner-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const transcript = path.join(dir, "projects", "work", `${sessionId}.jsonl`);
  mkdirSync(path.dirname(transcript), { recursive: true });
  writeFileSync(transcript, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const found: Terminal = { name: "t", ours: true, pid: 1, alive, exitCode: null, people: 0 };
  const nothing = async (): Promise<never> =>
    Promise.reject(new Error("nobody types while traces are read"));
  const terminals = {
    find: async () => found,
    open: nothing,
    screen: nothing,
    paste: nothing,
    press: nothing,
    end: nothing,
    stop: nothing,
    attachCommand: (): readonly [string] => ["true"],
  };
  const judges: Judges = {
    headless: (attempt) => findEvidence(attempt, { configDir: dir, proven: async () => true }),
    tmux: (attempt) =>
      terminalEvidence(attempt, {
        configDir: dir,
        terminal: {
          terminals,
          folder: path.join(dir, "terminals"),
          driver: ["true"],
          runsTurns: true,
        },
      }),
  };
  const attempt: AttemptTrace = {
    receipt,
    runner: made,
    sessionId,
    workdir: "/w",
    turnDir: dir,
    stdout,
  };
  return (await evidenceOf(attempt, judges, today)).kind;
}

async function underEither(
  made: Runner | null,
  traces: Traces,
): Promise<Record<Runner, ReceiptEvidence["kind"]>> {
  const [tmux, headless] = await Promise.all([
    judged(made, "tmux", traces),
    judged(made, "headless", traces),
  ]);
  return { tmux, headless };
}

const typed = {
  type: "user",
  uuid: "u1",
  promptId: "p1",
  message: { role: "user", content: `${leadOf(receipt)} and the message` },
};
const sent = { type: "user", uuid: receipt, message: { role: "user", content: "Work item: x" } };
const begun = [lines.lifecycle("started"), lines.init(["loop"])];

describe("an attempt is judged by the runner that made it", () => {
  test.each([
    [
      "typed and on record, the harness at work",
      "tmux",
      { rows: [typed], alive: true },
      { tmux: "asked-only", headless: "interrupted" },
    ],
    [
      "typed and on record, the harness gone",
      "tmux",
      { rows: [typed] },
      { tmux: "interrupted", headless: "interrupted" },
    ],
    [
      "its key pressed, and not on record",
      "tmux",
      { stdout: [driver.pressed(receipt)] },
      { tmux: "unknown", headless: "unknown" },
    ],
    ["nothing typed", "tmux", {}, { tmux: "absent", headless: "absent" }],
    [
      "sent and on record",
      "headless",
      { rows: [sent], stdout: begun },
      { tmux: "interrupted", headless: "asked-only" },
    ],
    [
      "sent, and a reply began",
      "headless",
      { rows: [sent], stdout: [...begun, lines.reply()] },
      { tmux: "interrupted", headless: "interrupted" },
    ],
    ["nothing sent", "headless", {}, { tmux: "absent", headless: "absent" }],
  ] as const)("%s (%s), whatever turns are run by today", async (_what, made, traces, expected) => {
    expect(await underEither(made, traces)).toEqual(expected);
  });

  test.each([
    [
      "typed and on record",
      { rows: [typed], alive: true },
      { tmux: "asked-only", headless: "interrupted" },
    ],
    [
      "its key pressed, and not on record",
      { stdout: [driver.pressed(receipt)] },
      { tmux: "unknown", headless: "unknown" },
    ],
    [
      "sent and on record",
      { rows: [sent], stdout: begun },
      { tmux: "interrupted", headless: "asked-only" },
    ],
    ["neither typed nor sent", {}, { tmux: "absent", headless: "absent" }],
  ] as const)("an old record that does not say which one: %s", async (_what, traces, expected) => {
    expect(await underEither(null, traces)).toEqual(expected);
  });
});
