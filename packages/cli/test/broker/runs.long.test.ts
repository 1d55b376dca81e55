import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GitPlan, RunGit } from "@loopwork/core/ports";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { runTmux } from "../../src/terminal/run-tmux.ts";
import { runGit } from "../../src/start/run-git.ts";
import { stage } from "./stage.ts";

const generous = { timeout: 60_000 };
const path = process.env["PATH"] ?? "";

/** A command of git in an empty folder. */
function plan(args: readonly string[], over: Partial<GitPlan> = {}): GitPlan {
  const directory = mkdtempSync(join(tmpdir(), "loop-runs-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return {
    directory,
    config: [],
    env: { PATH: path, LC_ALL: "C" },
    args,
    input: null,
    minutes: 1,
    answers: [],
    ...over,
  };
}

/** A command that a shell runs below git. */
const shell = (script: string, over: Partial<GitPlan> = {}): GitPlan =>
  plan(["run"], { ...over, config: [`alias.run=!${script}`] });
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const ways: Readonly<Record<string, () => RunGit>> = {
  "as our own child": () => runGit,
  "through a broker": () => stage().broker.runGit,
};

describe.each(Object.entries(ways))("git, %s", (_name, way) => {
  test("reads and prints bytes as they are", generous, async () => {
    const run = way();
    const input = Uint8Array.from({ length: 256 }, (_, n) => n);
    expect(Array.from(await run(shell("cat", { input })))).toEqual(Array.from(input));
    expect((await run(shell("head -c 5000000 /dev/zero"))).length).toBe(5_000_000);
  });

  test(
    "has the variables that it is given and no other, and works where it is told",
    generous,
    async () => {
      const run = way();
      const where = plan([]).directory;
      const printed = textOf(
        await run(shell("pwd -P; env", { directory: where, env: { PATH: path, MINE: "1" } })),
      ).split("\n");
      expect(printed).toEqual(expect.arrayContaining([where, "MINE=1"]));
      expect(
        printed.filter((line) => line.startsWith("HOME=") || line.startsWith("NODE_")),
      ).toEqual([]);
    },
  );

  test(
    "rejects with git's own complaint, and for an end that was not expected",
    generous,
    async () => {
      const run = way();
      await expect(run(plan(["rev-parse", "HEAD"]))).rejects.toThrow(/fatal: not a git repository/);
      await expect(run(plan(["config", "--get", "no.such"]))).rejects.toThrow(
        "it ended with 1 and said nothing",
      );
      expect(textOf(await run(plan(["config", "--get", "no.such"], { answers: [1] })))).toBe("");
      await expect(run(shell("kill -9 $PPID"))).rejects.toThrow("it was killed");
    },
  );

  test("is ended when its time is over", generous, async () => {
    await expect(way()(shell("exec sleep 50", { minutes: 0.005 }))).rejects.toThrow(/abort/i);
  });
});

describe("what a broker runs", () => {
  test("is its own child, and not ours", generous, async () => {
    const { broker, launched } = stage();
    const printed = textOf(await broker.runGit(shell("cat /proc/$PPID/stat")));
    expect(Number(printed.slice(printed.lastIndexOf(")") + 2).split(" ")[1])).toBe(
      launched[0]?.pid,
    );
  });

  test("tmux answers as it does without one", generous, async () => {
    const { broker } = stage();
    const version = { args: ["-V"], input: "", path, answersWithinMs: 20_000 };
    expect(await broker.runTmux(version)).toEqual(await runTmux(version));
    await expect(broker.runTmux({ ...version, path: "/does/not/exist" })).rejects.toMatchObject({
      code: "ENOENT",
    });
  });

  test(
    "is not repeated when the broker is lost meanwhile; the next is run by another",
    generous,
    async () => {
      const { broker, launched, told } = stage();
      const running = broker.runGit(shell("exec sleep 50"));
      const refused = expect(running).rejects.toMatchObject({ code: "LOOP_E_BROKER" });
      await broker.runGit(plan(["version"]));
      launched[0]?.kill("SIGKILL");
      await refused;
      await vi.waitFor(() => expect(told).toHaveLength(1), generous);
      expect(textOf(await broker.runGit(plan(["version"])))).toMatch(/^git version/);
      expect(launched).toHaveLength(2);
    },
  );

  test(
    "is run by ourselves where no broker can be had, and after it was closed",
    generous,
    async () => {
      const { broker } = stage({
        launch: () =>
          spawn("/does/not/exist", [], { stdio: ["ignore", "ignore", "ignore", "ipc"] }),
      });
      expect(textOf(await broker.runGit(plan(["version"])))).toMatch(/^git version/);
      broker.close();
      const printed = textOf(await broker.runGit(shell("cat /proc/$PPID/stat")));
      expect(Number(printed.slice(printed.lastIndexOf(")") + 2).split(" ")[1])).toBe(process.pid);
    },
  );

  test(
    "holds a broker that no longer answers to account: it is ended, and whoever waited is told",
    generous,
    async () => {
      const { broker, launched } = stage({ pingEveryMs: 1_000 });
      await broker.runGit(plan(["version"]));
      const running = broker.runGit(shell("exec sleep 50"));
      const refused = expect(running).rejects.toMatchObject({ code: "LOOP_E_BROKER" });
      launched[0]?.kill("SIGSTOP");
      await refused;
    },
  );
});
