import { expect, test } from "vitest";
import { type CommandPlan, runCommand } from "../../../src/runtime/graph/run-command.ts";

/** A program of Node's as the operator would name it. */
function program(script: string, over: Partial<CommandPlan> = {}): CommandPlan {
  return { argv: [process.execPath, "-e", script], cwd: process.cwd(), env: process.env, input: "what to judge", deadlineMs: 60_000, ...over };
}

test("what it prints, its exit code and the end of its complaints come back; what to judge is its input", async () => {
  const end = await runCommand(program(`process.stdin.pipe(process.stdout); console.error("x".repeat(500) + "the end"); process.exitCode = 3`));
  expect(end).toMatchObject({ kind: "ended", code: 3, stdout: "what to judge" });
  expect(end.kind === "ended" && end.tail.length <= 400 && end.tail.endsWith("the end")).toBe(true);
});

test("its argv is no text of a shell", async () => {
  const end = await runCommand(program("", { argv: [process.execPath, "-p", "process.argv[1]", "$(echo no); `echo no`"] }));
  expect(end).toMatchObject({ kind: "ended", code: 0, stdout: "$(echo no); `echo no`\n" });
});

test("one that reads nothing of its input may end", async () => {
  expect(await runCommand(program("", { input: "x".repeat(1_000_000) }))).toMatchObject({ kind: "ended", code: 0 });
});

test("past its deadline it is stopped, also where it does not listen, with what it has started", async () => {
  const script = `process.on("SIGTERM", () => {}); require("node:child_process").spawn(process.execPath, ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { stdio: "inherit" }); setInterval(() => {}, 1000)`;
  expect(await runCommand(program(script, { deadlineMs: 1_000 }))).toEqual({ kind: "failed", why: "it ran longer than 1 s" });
});

test("a flood is stopped", async () => {
  expect(await runCommand(program(`const more = () => process.stdout.write("x".repeat(65536), more); more()`))).toEqual({ kind: "failed", why: "it printed more than 1048576 bytes" });
});

test("a program that is not there, and one that is killed, are told as that", async () => {
  expect(await runCommand(program("", { argv: ["/nowhere/judge"] }))).toMatchObject({ kind: "failed", why: expect.stringContaining("/nowhere/judge could not be run") });
  expect(await runCommand(program(`process.kill(process.pid, "SIGKILL")`))).toEqual({ kind: "failed", why: "it was ended by SIGKILL" });
});
