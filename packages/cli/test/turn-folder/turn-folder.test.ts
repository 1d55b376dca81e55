import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProcessPlan, RunningChild } from "@loopwork/core/ports";
import { describe, expect, onTestFinished, test } from "vitest";
import { ChildEnvironment } from "@loopwork/runtime/child-environment";
import { createRunProcess } from "../../src/processes/run-process.ts";
import { runToEnd } from "../../src/processes/run-to-end.ts";
import { turnFiles } from "../../src/turn-folder/turn-files.ts";
import { makePipe } from "../support/pipe.ts";

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "loop-turn-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

async function listOf(lines: AsyncIterable<string>): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const each of lines) all.push(each);
  return all;
}

/** What a turn can put in the place of a file that the service reads, and that isn't one. */
const odd: readonly (readonly [string, (file: string, dir: string) => void])[] = [
  ["a link to /dev/zero", (file) => symlinkSync("/dev/zero", file)],
  ["a link to /dev/tty", (file) => symlinkSync("/dev/tty", file)],
  ["a folder", (file) => mkdirSync(file)],
  [
    "a link to the operator's file",
    (file, dir) => {
      writeFileSync(join(dir, "operators"), "a secret\n");
      symlinkSync(join(dir, "operators"), file);
    },
  ],
];

describe("in the folder of a turn", () => {
  test("a pipe in the place of an output file is not waited for", async () => {
    const file = join(folder(), "r.err.txt");
    const pipe = makePipe(file);
    expect(await turnFiles.tail(file)).toBe("");
    expect(await listOf(turnFiles.lines(file))).toEqual([]);
    expect(await pipe.wasRead()).toBe(false);
  });

  test.each(odd)("%s in the place of an output file is not read", async (_, plant) => {
    const dir = folder();
    const file = join(dir, "r.err.txt");
    plant(file, dir);
    expect(await turnFiles.tail(file)).toBe("");
    expect(await listOf(turnFiles.lines(file))).toEqual([]);
  });

  test("a file of 10 GB without content is read to the service's own bound", async () => {
    const file = join(folder(), "r.out.jsonl");
    writeFileSync(file, "first\n");
    truncateSync(file, 10 * 1024 ** 3);
    expect((await turnFiles.tail(file)).length).toBe(64 * 1024);
    const lines = await listOf(turnFiles.lines(file));
    expect(lines[0]).toBe("first");
    expect(lines).toHaveLength(2);
  }, 60_000);

  test("a link in the place of the folder itself makes room for a folder", () => {
    const [dir, elsewhere] = [folder(), folder()];
    symlinkSync(elsewhere, join(dir, "7"));
    turnFiles.makeFolder(join(dir, "7"));
    writeFileSync(join(dir, "7", "a"), "");
    expect(statSync(elsewhere).nlink).toBe(2);
    expect(() => statSync(join(elsewhere, "a"))).toThrow("ENOENT");
  });
});

function plan(script: string, rest: Partial<ProcessPlan> = {}): ProcessPlan {
  const dir = folder();
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

const run = createRunProcess();
const linesOf = (child: RunningChild): Promise<readonly string[]> => listOf(child.lines());

describe("a child that replaces its output files", () => {
  test("by pipes is read to its end by what was opened at its start", async () => {
    const script = "echo before; rm out err; mkfifo out err; echo after";
    const child = await run.spawn(plan(script));
    expect(await linesOf(child)).toEqual(["before", "after"]);
    expect(await child.ended).toMatchObject({ code: 0, stopped: null });
  });

  test("by links has no file of the operator's cut to the limit of output", async () => {
    const made = plan('rm out err; ln -s "$OPERATORS" out; ln -s "$OPERATORS" err; sleep 1');
    const operators = join(folder(), "operators");
    writeFileSync(operators, "x".repeat(5_000));
    const env = { ...made.env, OPERATORS: operators };
    const child = await run.spawn({ ...made, env, maxOutputBytes: 1_000 });
    expect(await child.ended).toMatchObject({ code: 0, stopped: null });
    expect(readFileSync(operators, "utf8")).toHaveLength(5_000);
  });

  test("is found with pipes by the next life, which waits for its end alone", async () => {
    const made = plan("rm out err; mkfifo out err; sleep 1");
    const first = await run.spawn(made);
    while (!statSync(made.stderrFile, { throwIfNoEntry: false })?.isFIFO()) await pause();
    const adopted = run.adopt(first.identity, made);
    expect(adopted && (await linesOf(adopted))).toEqual([]);
    expect(await turnFiles.tail(made.stderrFile)).toBe("");
  });
});

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

describe("a child whose output file is already there", () => {
  test("as a pipe gets a file of its own, and the pipe is kept beside it", async () => {
    const made = plan("echo said");
    const pipe = makePipe(made.stdoutFile);
    const child = await run.spawn(made);
    expect(await linesOf(child)).toEqual(["said"]);
    expect(readFileSync(made.stdoutFile, "utf8")).toBe("said\n");
    expect(await pipe.wasRead()).toBe(false);
  });

  test.each(["symbolic", "hard"])(
    "as a %s link adds nothing to the operator's file",
    async (kind) => {
      const made = plan("echo said");
      const operators = join(folder(), "operators");
      writeFileSync(operators, "the operator's own\n");
      (kind === "hard" ? linkSync : symlinkSync)(operators, made.stdoutFile);
      expect(await linesOf(await run.spawn(made))).toEqual(["said"]);
      expect(readFileSync(operators, "utf8")).toBe("the operator's own\n");
    },
  );

  test("as a file of the same attempt is added to", async () => {
    const made = plan("echo second");
    writeFileSync(made.stdoutFile, "first\n");
    expect(await linesOf(await run.spawn(made))).toEqual(["first", "second"]);
  });
});

test("a program that replaces what it prints to by a pipe has failed, and is not waited for", async () => {
  const script = 'f=$(readlink /proc/$$/fd/2) && rm "$f" && mkfifo "$f"';
  const environment = ChildEnvironment.exactly({ PATH: process.env["PATH"] ?? "" });
  const limits = { deadlineMs: 10_000, mostBytes: 1_000, input: "", scratchDir: folder() };
  const argv = ["/bin/sh", "-c", script];
  const end = await runToEnd({ argv, cwd: folder(), env: environment, ...limits }, run);
  expect(end).toEqual({ kind: "failed", why: "it replaced the file that its output goes to" });
}, 20_000);
