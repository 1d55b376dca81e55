import { closeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type {
  ChildEnd,
  ChildIdentity,
  ProcessPlan,
  RunningChild,
  RunProcess,
} from "@loopwork/core/ports";
import { openOutputFile, type OutputFile } from "../files/follow-file.ts";
import { openForOutput } from "../files/plain-file.ts";
import { goneAfterAdoption, watchEveryMs } from "./gone-after-adoption.ts";
import { groupExists, isAlive } from "./process-identity.ts";
import { type ChildInput, type Exit, type StartChild, startChild } from "./start-child.ts";

type Stop = NonNullable<ChildEnd["stopped"]>;
type Watch = Pick<
  ProcessPlan,
  "stdoutFile" | "stderrFile" | "deadlineMs" | "maxOutputBytes" | "graceMs"
>;

const defaultGraceMs = 10_000;
/** What an agent left running in the background gets, after the harness itself has ended. */
const stragglerGraceMs = 1_000;

/**
 * Children with their output in files; see the port for the rules. `start` is who starts them: this
 * process, or a broker.
 */
export function createRunProcess(start: StartChild = startChild): RunProcess {
  return {
    async spawn(plan) {
      // Opened before the child is there, which may put something else in their place at once.
      for (const file of [plan.stdoutFile, plan.stderrFile]) closeSync(openForOutput(file));
      const files = openOutput(plan);
      try {
        const { identity, exit, input } = await start(plan);
        return watch(identity, plan, files, exit, input);
      } catch (error) {
        for (const file of files) file.close();
        throw error;
      }
    },
    adopt: (identity, plan) =>
      isAlive(identity)
        ? watch(identity, plan, openOutput(plan), goneAfterAdoption(identity), noInput)
        : null,
  };
}

type Output = readonly [OutputFile, OutputFile];

function openOutput({ stdoutFile, stderrFile }: Watch): Output {
  return [openOutputFile(stdoutFile), openOutputFile(stderrFile)];
}

/** An adopted child has no standard input left. */
const noInput: ChildInput = { write: () => Promise.resolve(), end: () => {} };

/**
 * States of a watched child: running → (asked to stop: TERM → grace → KILL) → leader gone →
 * stragglers of its group
 * killed → ended.
 */
function watch(
  identity: ChildIdentity,
  plan: Watch,
  [output, complaints]: Output,
  exit: Promise<Exit>,
  input: ChildInput,
): RunningChild {
  const cutBack = (): boolean =>
    [output, complaints].map((file) => file.cutBack(plan.maxOutputBytes)).includes(true);
  let stopped: Stop | null = null;
  let gone = false;
  const stop = async (
    why: Stop,
    graceMs: number = plan.graceMs ?? defaultGraceMs,
  ): Promise<void> => {
    stopped ??= why;
    signalGroup(identity.pid, "SIGTERM");
    await Promise.race([ended, sleep(graceMs)]);
    if (!gone) signalGroup(identity.pid, "SIGKILL");
    await ended;
  };
  const guard = setInterval(() => {
    if (cutBack() && stopped === null) void stop("output-limit");
  }, watchEveryMs);
  const deadline = setTimeout(() => void stop("deadline"), plan.deadlineMs);
  const ended = exit.then(async ({ code, signal }): Promise<ChildEnd> => {
    await endStragglers(identity.pid);
    gone = true;
    clearInterval(guard);
    clearTimeout(deadline);
    if (stopped === "output-limit") cutBack();
    output.close();
    complaints.close();
    return { code, signal, stopped };
  });
  return {
    identity,
    ended,
    stop,
    lines: () => output.lines(() => gone),
    endInput: () => input.end(),
    write: (text) => input.write(text),
  };
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
