import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProcessPlan, RunningChild } from "@loopwork/core/ports";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { openBroker } from "../../src/start/launch-broker.ts";
import { groupExists, isAlive } from "../../src/processes/process-identity.ts";
import { createRunProcess } from "../../src/processes/run-process.ts";
import { startChild } from "../../src/processes/start-child.ts";
import { until } from "../support/until.ts";

const broker = openBroker();
afterAll(() => broker.close());

/** The rows hold whoever starts the children. */
const ways = [
  ["directly", createRunProcess()],
  ["through a broker", createRunProcess(broker.start)],
] as const;

function plan(script: string, rest: Partial<ProcessPlan> = {}): ProcessPlan {
  const dir = mkdtempSync(join(tmpdir(), "loop-run-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return {
    argv: ["/bin/sh", "-c", script],
    cwd: dir,
    env: { PATH: process.env["PATH"] ?? "" },
    stdoutFile: join(dir, "out"),
    stderrFile: join(dir, "err"),
    deadlineMs: 30_000,
    maxOutputBytes: 1_000_000,
    ...rest,
  };
}

async function linesOf(child: RunningChild): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of child.lines()) lines.push(line);
  return lines;
}

describe.each(ways)("a child started %s", (_, run) => {
  test("is told nothing until it is written to, and its output is read line by line", async () => {
    const child = await run.spawn(
      plan('read line; echo "heard $line"; printf "no newline"; exit 3'),
    );
    expect(isAlive(child.identity)).toBe(true);
    await child.write("hello\n");
    child.endInput();
    expect(await linesOf(child)).toEqual(["heard hello", "no newline"]);
    expect(await child.ended).toEqual({ code: 3, signal: null, stopped: null });
    expect(isAlive(child.identity)).toBe(false);
  });

  test("reads an empty input and ends when we go away before the prompt was written", async () => {
    const child = await run.spawn(
      plan('if read line; then echo "heard $line"; else echo nothing; fi'),
    );
    child.endInput();
    expect(await linesOf(child)).toEqual(["nothing"]);
  });

  test("that cannot be started rejects with the system's reason", async () => {
    await expect(run.spawn(plan("", { argv: ["/does/not/exist"] }))).rejects.toMatchObject({
      code: "ENOENT",
    });
  });

  test("X01 that ignores TERM is killed after the grace, with its whole group", async () => {
    const child = await run.spawn(
      plan('trap "" TERM; sleep 300 & echo up; while :; do sleep 1; done', { deadlineMs: 60_000 }),
    );
    for await (const line of child.lines()) {
      expect(line).toBe("up");
      break;
    }
    await child.stop("asked", 200);
    expect(await child.ended).toMatchObject({ signal: "SIGKILL", stopped: "asked" });
    expect(groupExists(child.identity.pid)).toBe(false);
  });

  test("X01 that outlives its deadline is stopped as such", async () => {
    const child = await run.spawn(plan("sleep 300", { deadlineMs: 150 }));
    expect(await child.ended).toMatchObject({ stopped: "deadline" });
  });

  test("X01 that leaves a child of its own behind takes it along", async () => {
    const child = await run.spawn(plan("sleep 300 & echo $!; exit 0"));
    const [pid] = await linesOf(child);
    expect((await child.ended).code).toBe(0);
    expect(Number(pid)).toBeGreaterThan(0);
    expect(groupExists(child.identity.pid)).toBe(false);
  });

  test("X02 that floods its output is stopped, and the file stays near its bound", async () => {
    const child = await run.spawn(plan("yes flood", { maxOutputBytes: 2_000_000 }));
    expect(await child.ended).toMatchObject({ stopped: "output-limit" });
  });

  test("X02 that floods and does not listen is killed after its grace, and its file is cut back to the bound", async () => {
    const made = plan('trap "" TERM; while :; do head -c 65536 /dev/zero; done', {
      maxOutputBytes: 200_000,
      graceMs: 500,
    });
    expect(await (await run.spawn(made)).ended).toMatchObject({
      signal: "SIGKILL",
      stopped: "output-limit",
    });
    expect(statSync(made.stdoutFile).size).toBe(200_000);
  });

  test("X02 with bytes that are no UTF-8 and a line without an end is read with flat memory", async () => {
    const made = plan("printf 'a\\377b\\n'; head -c 30000000 /dev/zero | tr '\\0' 'x'", {
      maxOutputBytes: 100_000_000,
    });
    const before = process.memoryUsage().rss;
    const lines = await linesOf(await run.spawn(made));
    expect(lines[0]).toBe("a\ufffdb");
    expect(statSync(made.stdoutFile).size).toBe(30_000_004);
    expect(lines[1]?.length).toBeLessThanOrEqual(4 * 1024 * 1024);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });
});

describe.each(ways)("X05 a child of an earlier life, started %s", (_, run) => {
  test("is waited for and read from its file", async () => {
    const made = plan("echo one; sleep 0.4; echo two");
    const first = await run.spawn(made);
    const adopted = run.adopt(first.identity, made);
    expect(adopted).not.toBeNull();
    expect(adopted && (await linesOf(adopted))).toEqual(["one", "two"]);
    expect(await adopted?.ended).toEqual({ code: null, signal: null, stopped: null });
  });

  test("that is gone is not adopted, nor is another process under its pid", async () => {
    const made = plan("exit 0");
    const child = await run.spawn(made);
    await child.ended;
    expect(run.adopt(child.identity, made)).toBeNull();
    expect(run.adopt({ pid: process.pid, startTime: "1" }, made)).toBeNull();
  });

  test("outlives a parent that is killed, and its output with it", async () => {
    const made = plan("");
    const parent = await run.spawn({
      ...made,
      argv: [
        process.execPath,
        "-e",
        `const {spawn}=require("child_process");const fs=require("fs");const o=fs.openSync(${JSON.stringify(`${made.stdoutFile}.inner`)},"a");const c=spawn("/bin/sh",["-c","echo begun; sleep 0.5; echo ended"],{detached:true,stdio:["pipe",o,o]});console.log(c.pid);setInterval(()=>{},1000)`,
      ],
    });
    for await (const line of parent.lines()) {
      expect(Number(line)).toBeGreaterThan(0);
      break;
    }
    process.kill(parent.identity.pid, "SIGKILL");
    expect(
      await until(
        () =>
          readFileSync(`${made.stdoutFile}.inner`, "utf8").includes("ended") &&
          readFileSync(`${made.stdoutFile}.inner`, "utf8"),
        "the last word of the child",
      ),
    ).toBe("begun\nended\n");
  });
});

test("a child whose output has no place leaves no file open", async () => {
  const nowhere = plan("", { stderrFile: "/does/not/exist" });
  const openFiles = (): number => readdirSync("/dev/fd").length;
  const before = openFiles();
  for (let n = 0; n < 20; n += 1)
    await expect(startChild(nowhere)).rejects.toMatchObject({ code: "ENOENT" });
  expect(openFiles()).toBeLessThan(before + 10);
});
