import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type ChildEnd, LoopError, type RunProcess } from "@loopwork/core/ports";
import { describe, expect, onTestFinished, test } from "vitest";
import { createHarnessB, type HarnessB } from "../src/index.ts";

const seen: ChildEnd = { code: 0, signal: null, stopped: null };
const unseen: ChildEnd = { code: null, signal: null, stopped: null };
const answers: Readonly<Record<string, string>> = {
  "--version": "2026.1.1\n",
  "create-chat": "11111111-2222-4333-8444-555555555555\n",
};

/** Harness B, whose broker is lost as this call is asked for, or as it runs. */
function losing(call: string, when: "asked" | "running"): HarnessB {
  const folder = mkdtempSync(path.join(tmpdir(), "harness-b-probe-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const processes: RunProcess = {
    adopt: () => null,
    async spawn({ argv, stdoutFile, stderrFile }) {
      const isLost = argv[1] === call;
      if (isLost && when === "asked")
        throw new LoopError("LOOP_E_BROKER", "the broker is lost", "");
      writeFileSync(stdoutFile, isLost ? "" : (answers[argv[1] ?? ""] ?? ""));
      writeFileSync(stderrFile, "");
      return {
        identity: { pid: 1, startTime: "1" },
        write: async () => undefined,
        endInput: () => undefined,
        lines: () => (async function* () {})(),
        ended: Promise.resolve(isLost ? unseen : seen),
        stop: async () => undefined,
      };
    },
  };
  return createHarnessB({
    command: null,
    args: [],
    env: {},
    passEnv: [],
    permissions: "guarded",
    trust: true,
    environment: {},
    processes,
    probeDir: path.join(folder, "probes"),
  });
}

test("a program that answers is found, and makes a chat", async () => {
  const { turns, createChat } = losing("none", "asked");
  expect(await turns.probe()).toMatchObject({ found: true, version: "2026.1.1" });
  expect(await createChat()).toEqual({ kind: "made", id: "11111111-2222-4333-8444-555555555555" });
});

describe.each(["asked", "running"] as const)("a broker that is lost while a call is %s", (when) => {
  test.each(["--version", "create-chat"])(
    "says nothing about the program: a chat that needs %s is made with the next try",
    async (call) => {
      expect(await losing(call, when).createChat()).toEqual({
        kind: "failed",
        outcome: {
          kind: "transient",
          status: null,
          detail: expect.stringMatching(
            /^no chat could be made: the (broker is lost|process that starts children ended)/,
          ),
        },
      });
    },
  );

  test("leaves open whether the program is there", async () => {
    await expect(losing("--version", when).turns.probe()).rejects.toMatchObject({
      code: "LOOP_E_BROKER",
    });
  });
});
