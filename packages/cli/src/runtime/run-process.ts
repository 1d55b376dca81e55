import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, statSync, truncateSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { ChildIdentity } from "@loopwork/core";
import type { ChildEnd, ProcessPlan, RunningChild, RunProcess } from "@loopwork/core/ports";
import { followLines } from "./follow-file.ts";
import { groupExists, identityOf, isAlive } from "./process-identity.ts";

type Stop = NonNullable<ChildEnd["stopped"]>;
type Watch = Pick<ProcessPlan, "stdoutFile" | "stderrFile" | "deadlineMs" | "maxOutputBytes" | "graceMs">;

const defaultGraceMs = 10_000;
const watchEveryMs = 100;
/** What an agent left running in the background gets, after the harness itself has ended. */
const stragglerGraceMs = 1_000;

/** Children with their output in files; see the port for the rules. */
export function createRunProcess(): RunProcess {
  return { spawn: spawnChild, adopt: adoptChild };
}

async function spawnChild(plan: ProcessPlan): Promise<RunningChild> {
  const stdout = openSync(plan.stdoutFile, "a", 0o600);
  const stderr = openSync(plan.stderrFile, "a", 0o600);
  try {
    const [program, ...args] = plan.argv;
    const child = spawn(program, args, { cwd: plan.cwd, env: { ...plan.env }, stdio: ["pipe", stdout, stderr], detached: true });
    await once(child, "spawn");
    const pid = child.pid ?? 0;
    const identity = identityOf(pid) ?? { pid, startTime: "ended-at-once" };
    return watch(identity, plan, exitOf(child), child);
  } finally {
    closeSync(stdout);
    closeSync(stderr);
  }
}

function adoptChild(identity: ChildIdentity, plan: Watch): RunningChild | null {
  if (!isAlive(identity)) return null;
  return watch(identity, plan, goneAfterAdoption(identity), null);
}

type Exit = { readonly code: number | null; readonly signal: string | null };

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
}

/** An adopted child is nobody's to wait for: its exit code is lost, only its end can be seen. */
async function goneAfterAdoption(identity: ChildIdentity): Promise<Exit> {
  while (isAlive(identity)) await sleep(watchEveryMs);
  return { code: null, signal: null };
}

/**
 * States of a watched child: running → (asked to stop: TERM → grace → KILL) → leader gone → stragglers of its group
 * killed → ended.
 */
function watch(identity: ChildIdentity, plan: Watch, exit: Promise<Exit>, child: ChildProcess | null): RunningChild {
  let stopped: Stop | null = null;
  let gone = false;
  child?.stdin?.on("error", () => {}); // EPIPE: the child ended before it read; its outcome says so.

  const stop = async (why: Stop, graceMs: number = plan.graceMs ?? defaultGraceMs): Promise<void> => {
    stopped ??= why;
    signalGroup(identity.pid, "SIGTERM");
    await Promise.race([ended, sleep(graceMs)]);
    if (!gone) signalGroup(identity.pid, "SIGKILL");
    await ended;
  };
  const guard = setInterval(() => {
    if (cutBack(plan) && stopped === null) void stop("output-limit");
  }, watchEveryMs);
  const deadline = setTimeout(() => void stop("deadline"), plan.deadlineMs);
  const ended = exit.then(async ({ code, signal }): Promise<ChildEnd> => {
    await endStragglers(identity.pid);
    gone = true;
    clearInterval(guard);
    clearTimeout(deadline);
    if (stopped === "output-limit") cutBack(plan);
    return { code, signal, stopped };
  });
  return {
    identity,
    ended,
    stop,
    lines: () => followLines(plan.stdoutFile, () => gone),
    endInput: () => void child?.stdin?.end(),
    write: (text) => writeAll(child, text),
  };
}

async function writeAll(child: ChildProcess | null, text: string): Promise<void> {
  const input = child?.stdin;
  if (!input || input.destroyed) return;
  await new Promise<void>((resolve) => input.write(text, () => resolve()));
}

/** Ends what is left of a group whose leader is gone, so that no second writer outlives a turn. */
async function endStragglers(groupId: number): Promise<void> {
  if (!groupExists(groupId)) return;
  signalGroup(groupId, "SIGTERM");
  const until = Date.now() + stragglerGraceMs;
  while (groupExists(groupId) && Date.now() < until) await sleep(20);
  signalGroup(groupId, "SIGKILL");
}

function signalGroup(groupId: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-groupId, signal);
  } catch {
    // The group is gone already: nothing is left to signal.
  }
}

/** Keeps the files at their bound, also while a child that floods them does not listen; whether one was over it. */
function cutBack({ stdoutFile, stderrFile, maxOutputBytes }: Watch): boolean {
  const over = [stdoutFile, stderrFile].filter((file) => sizeOf(file) > maxOutputBytes);
  for (const file of over) truncateSync(file, maxOutputBytes);
  return over.length > 0;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
