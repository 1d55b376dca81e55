import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type ChildEnd, LoopError, type ProcessPlan, type RunProcess } from "@loopwork/core/ports";
import { writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createHarnessA, defaults, type HarnessAOptions } from "../src/index.ts";
import { lines, receipt, request, sessionId } from "./support.ts";
import { createFakeTerminal } from "./terminal/fake-terminal.ts";

const pluginDir = fileURLToPath(new URL("../../../plugins/loop", import.meta.url));
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "harness-a-create-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/**
 * A program that answers each of its arguments with a text; a missing answer is a missing program.
 */
function programThatSays(answers: Readonly<Record<string, string>>): RunProcess {
  return {
    adopt: () => null,
    async spawn(plan: ProcessPlan) {
      const said = answers[plan.argv.slice(1).join(" ")];
      if (said === undefined) throw new Error("spawn ENOENT");
      writeFileSync(plan.stdoutFile, said);
      const end: ChildEnd = { code: 0, signal: null, stopped: null };
      return {
        identity: { pid: 1, startTime: "1" },
        write: async () => undefined,
        endInput: () => undefined,
        lines: () => (async function* () {})(),
        ended: Promise.resolve(end),
        stop: async () => undefined,
      };
    },
  };
}

function options(changes: Partial<HarnessAOptions> = {}): HarnessAOptions {
  return {
    ...defaults,
    pluginDir,
    environment: { CLAUDE_CONFIG_DIR: path.join(dir, "config") },
    home: dir,
    processes: programThatSays({}),
    probeDir: path.join(dir, "probes"),
    ...changes,
  };
}

describe("createHarnessA", () => {
  test("has the three ports, and plans with the plugin of this repository", () => {
    const { turns } = createHarnessA(options());
    expect(turns.capabilities).toMatchObject({ presetSessionId: true, receipts: true });
    expect(turns.plan(request()).argv).toContain(pluginDir);
  });

  test("a plugin that is not there is an error, because the harness would ignore it without a word", () => {
    expect(() => createHarnessA(options({ pluginDir: path.join(dir, "nothing") }))).toThrow(
      expect.objectContaining({ code: "LOOP_E_PLUGIN_MISSING" }),
    );
    expect(() => createHarnessA(options({ pluginDir: "plugins/loop" }))).toThrow(
      expect.objectContaining({ code: "LOOP_E_PLUGIN_MISSING" }),
    );
  });

  test("arguments that break a turn are an error at once", () => {
    expect(() => createHarnessA(options({ args: ["--resume"] }))).toThrow(
      expect.objectContaining({ code: "LOOP_E_HARNESS_ARGS" }),
    );
  });

  test("absence counts only with a version that was proven: the one of the output, else the installed one; here no proof can run", async () => {
    const attempt = {
      receipt,
      runner: "headless" as const,
      sessionId,
      workdir: "/w",
      turnDir: dir,
      stdout: [],
    };
    const tested = createHarnessA(
      options({
        processes: programThatSays({ "--version": "2.1.329 (Claude Code)\n", "auth status": "{}" }),
      }),
    );
    expect(await tested.turns.evidence(attempt)).toEqual({ kind: "absent", sessionExists: false });
    const other = createHarnessA(
      options({
        processes: programThatSays({ "--version": "2.1.197 (Claude Code)\n", "auth status": "" }),
      }),
    );
    expect(await other.turns.evidence(attempt)).toMatchObject({ kind: "unknown" });
    expect(
      await tested.turns.evidence({ ...attempt, stdout: [lines.init(["loop"], "3.0.0")] }),
    ).toMatchObject({ kind: "unknown" });
    expect(await createHarnessA(options()).turns.evidence(attempt)).toMatchObject({
      kind: "unknown",
    });
  });
});

describe("probe", () => {
  const probe = (
    answers: Readonly<Record<string, string>>,
  ): ReturnType<ReturnType<typeof createHarnessA>["turns"]["probe"]> =>
    createHarnessA(options({ processes: programThatSays(answers) })).turns.probe();

  test("a tested version with a login needs no hint", async () => {
    expect(
      await probe({ "--version": "2.1.329 (Claude Code)\n", "auth status": '{"loggedIn":true}' }),
    ).toEqual({
      found: true,
      command: "claude",
      version: "2.1.329",
      tested: true,
      login: "yes",
      hint: null,
    });
  });

  test("not installed, not logged in, another version, another program: each says what to do", async () => {
    expect(await probe({})).toMatchObject({
      found: false,
      login: "unknown",
      hint: expect.stringContaining("Install"),
    });
    expect(
      await probe({ "--version": "2.1.329", "auth status": '{"loggedIn":false}' }),
    ).toMatchObject({ login: "no", hint: expect.stringContaining("log in") });
    expect(await probe({ "--version": "2.9.0", "auth status": "" })).toMatchObject({
      tested: false,
      login: "unknown",
      hint: expect.stringContaining("2.1.329"),
    });
    expect(await probe({ "--version": "git version 2" })).toMatchObject({
      version: null,
      tested: false,
      hint: expect.stringContaining("harnesses.A.command"),
    });
  });
});

describe("a broker that is lost", () => {
  const attempt = {
    receipt,
    runner: "headless" as const,
    sessionId,
    workdir: "/w",
    turnDir: "",
    stdout: [],
  };
  const unseen: ChildEnd = { code: null, signal: null, stopped: null };
  /**
   * An unproven version, whose broker is lost with the first call of this argument; `asked` counts
   * the turns of a proof.
   */
  function losing(
    argument: string,
    when: "asked" | "running",
  ): { readonly processes: RunProcess; readonly asked: () => number } {
    const inner = programThatSays({ "--version": "2.9.0\n", "auth status": "{}" });
    let [isLost, asked] = [false, 0];
    return {
      asked: () => asked,
      processes: {
        ...inner,
        async spawn(plan) {
          if (plan.argv.includes("-p")) asked += 1;
          if (isLost || !plan.argv.includes(argument)) return inner.spawn(plan);
          isLost = true;
          if (when === "asked") throw new LoopError("LOOP_E_BROKER", "the broker is lost", "");
          return {
            ...(await inner.spawn({ ...plan, argv: ["claude", "--version"] })),
            ended: Promise.resolve(unseen),
          };
        },
      },
    };
  }

  test.each(["asked", "running"] as const)(
    "while a call is %s leaves open whether the program is there, and what became of an attempt",
    async (when) => {
      await expect(
        createHarnessA(options(losing("--version", when))).turns.probe(),
      ).rejects.toMatchObject({ code: "LOOP_E_BROKER" });
      const { turns } = createHarnessA(options(losing("--version", when)));
      await expect(turns.evidence(attempt)).rejects.toMatchObject({ code: "LOOP_E_BROKER" });
      expect(await turns.evidence(attempt)).toMatchObject({ kind: "unknown" });
    },
  );

  test.each(["asked", "running"] as const)(
    "while a turn of the proof is %s spoils it for this time only: the next question proves anew, and keeps that",
    async (when) => {
      const { processes, asked } = losing("-p", when);
      const { turns } = createHarnessA(options({ processes }));
      await expect(turns.evidence(attempt)).rejects.toMatchObject({ code: "LOOP_E_BROKER" });
      expect(await turns.evidence(attempt)).toMatchObject({ kind: "unknown" });
      expect(await turns.probe()).toMatchObject({ tested: false });
      expect(asked()).toBe(2);
    },
  );

  test("while a terminal is looked at says nothing of the attempt in it", async () => {
    const find = (): Promise<never> =>
      Promise.reject(new LoopError("LOOP_E_BROKER", "the broker is lost", ""));
    const terminal = {
      terminals: { ...createFakeTerminal().parts.terminals, find },
      folder: dir,
      driver: ["loop"] as const,
      runsTurns: true,
    };
    await expect(
      createHarnessA(options({ terminal })).turns.evidence({ ...attempt, runner: "tmux" }),
    ).rejects.toMatchObject({ code: "LOOP_E_BROKER" });
  });
});
