import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { ChildEnd, ProcessPlan, RunningChild, RunProcess } from "@loopwork/core/ports";
import type { StagedChild } from "@loopwork/core/testing";

/**
 * Starts children for rows: output in files, a process group of its own, a deadline. Nothing is
 * ever adopted.
 */
export const processes: RunProcess = { spawn: start, adopt: () => null };

/** A child as the adapter contract sees it. */
export function staged(child: RunningChild, stderrFile: string): StagedChild {
  return {
    pid: child.identity.pid,
    write: (text) => child.write(text),
    endInput: () => child.endInput(),
    lines: () => child.lines(),
    stderr: () => readFileSync(stderrFile, "utf8"),
    ended: child.ended,
    signal: (name) => signalGroup(child.identity.pid, name),
  };
}

async function start(plan: ProcessPlan): Promise<RunningChild> {
  const out = openSync(plan.stdoutFile, "a", 0o600);
  const err = openSync(plan.stderrFile, "a", 0o600);
  const [program, ...args] = plan.argv;
  const child = spawn(program, args, {
    cwd: plan.cwd,
    env: plan.env,
    detached: true,
    stdio: ["pipe", out, err],
  });
  closeSync(out);
  closeSync(err);
  await new Promise<void>((resolve, reject) => child.once("spawn", resolve).once("error", reject));
  return watch(child, plan);
}

function watch(child: ChildProcess, plan: ProcessPlan): RunningChild {
  let stopped: ChildEnd["stopped"] = null;
  const pid = child.pid ?? 0;
  const ended = new Promise<ChildEnd>((resolve) =>
    child.once("exit", (code, signal) => resolve({ code, signal, stopped })),
  );
  const stop: RunningChild["stop"] = async (why, graceMs = 2000) => {
    stopped ??= why;
    signalGroup(pid, "SIGTERM");
    const timer = setTimeout(() => signalGroup(pid, "SIGKILL"), graceMs);
    await ended;
    clearTimeout(timer);
  };
  const deadline = setTimeout(() => void stop("deadline"), plan.deadlineMs);
  void ended.then(() => clearTimeout(deadline));
  child.stdin?.on("error", () => undefined);
  return {
    identity: { pid, startTime: startTimeOf(pid) },
    write: (text) =>
      new Promise((resolve, reject) =>
        child.stdin?.write(text, (error) => (error ? reject(error) : resolve())),
      ),
    endInput: () => child.stdin?.end(),
    lines: () => followLines(plan.stdoutFile, ended),
    ended,
    stop,
  };
}

/** Sends a signal to the child and everything it started; a group that is gone is no error. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Gone already.
  }
}

/** Complete lines as they appear in a file that grows until the child has ended. */
async function* followLines(file: string, ended: Promise<unknown>): AsyncGenerator<string> {
  let over = false;
  void ended.then(() => (over = true));
  const handle = await open(file, "r");
  try {
    let rest = Buffer.alloc(0);
    for (;;) {
      const last = over;
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(1 << 16), 0, 1 << 16, null);
      rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        yield rest.subarray(0, end).toString("utf8");
        rest = rest.subarray(end + 1);
      }
      if (bytesRead === 0 && last) return;
      if (bytesRead === 0) await sleep(5);
    }
  } finally {
    await handle.close();
  }
}

function startTimeOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}
