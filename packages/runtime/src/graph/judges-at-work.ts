import { join } from "node:path";
import type { ChildIdentity, RunningChild, RunProcess, Turn } from "@loopwork/core/ports";
import { eventLine } from "../event-line.ts";
import type { RuntimeParts } from "../parts.ts";
import type { ActiveTurns } from "../active-turns.ts";

/** Why hooks and critics were ended before they had come to anything. */
export type CalledOff = "stopped" | "shutdown" | "deadline";

/** Hooks and critics of one turn, as they run. */
export type JudgesAtWork = {
  /** Starts their programs; none any more once they were called off. */
  readonly run: RunProcess;
  calledOff(): CalledOff | null;
  over(): void;
};

const graceMs = 2_000;

/**
 * States: running → (a stop of the work or of the service, or the deadline of all of them together:
 * what runs is ended with its group, and nothing else begins) → over. What runs is on record in a
 * file, so that the next life ends what a daemon left that was killed.
 */
export function judgesAtWork(
  turn: Turn,
  deadlineMs: number,
  living: ActiveTurns,
  parts: RuntimeParts,
): JudgesAtWork {
  const note = noteOf(turn, parts);
  let why: CalledOff | null = null;
  let child: RunningChild | null = null;
  const callOff = async (cause: CalledOff): Promise<void> => {
    why ??= cause;
    await child?.stop(cause === "stopped" ? "asked" : cause, graceMs);
  };
  const forgetDeadline = parts.timers.after(deadlineMs, () => void callOff("deadline"));
  const { forget } = living.add({
    endpoint: turn.lane,
    workItem: turn.workItem,
    since: parts.clock.now(),
    judges: true,
    child: { stop: (cause) => callOff(cause === "shutdown" ? cause : "stopped") },
  });
  const run: RunProcess = {
    ...parts.run,
    async spawn(plan) {
      if (why !== null) throw new Error("hooks and critics were called off");
      const begun = await parts.run.spawn(plan);
      parts.files.writeNote(note, noteText(begun.identity));
      child = begun;
      void begun.ended.then(() => (child = child === begun ? null : child));
      if (why !== null) void callOff(why); // While it began.
      return begun;
    },
  };
  return {
    run,
    calledOff: () => why,
    over() {
      forgetDeadline();
      forget();
      parts.files.removeNote(note);
    },
  };
}

/**
 * Ends what a daemon that was killed left running of the turn's hooks and critics; they run anew,
 * and the log says so.
 */
export async function endLeftJudges(turn: Turn, parts: RuntimeParts): Promise<void> {
  const note = noteOf(turn, parts);
  const left = readNote(note, parts.files);
  if (left === null) return;
  const output = { stdoutFile: `${note}.out`, stderrFile: `${note}.err` };
  await parts.run
    .adopt(left, {
      ...output,
      deadlineMs: parts.settings().config.routing.turnTimeoutSeconds * 1000,
      maxOutputBytes: 1,
    })
    ?.stop("shutdown", graceMs);
  parts.files.removeNote(note);
  const node = (await parts.store.items.load(turn.workItem)).workItem?.graph?.node ?? "";
  const detail =
    "the service was killed while they ran; what was left of them was ended, and they run again";
  await parts.store.events.append([
    eventLine(parts, "graph.judged", {
      level: "warn",
      workItem: turn.workItem,
      reason: "called-off",
      fields: { node, what: "hooks and critics", detail },
    }),
  ]);
}

/** Beside the turn's own folder, which belongs to whoever works in the turn. */
function noteOf({ id }: Turn, { settings }: Pick<RuntimeParts, "settings">): string {
  return join(settings().turnsDir, `${id}.judges.json`);
}

function noteText({ pid, startTime }: ChildIdentity): string {
  return JSON.stringify({ pid, startTime });
}

/**
 * Null where nothing was left; half a note, of a machine that lost its power, leaves nothing that
 * runs.
 */
function readNote(
  file: string,
  files: Pick<RuntimeParts["files"], "readNote">,
): ChildIdentity | null {
  try {
    const { pid, startTime }: Readonly<Record<string, unknown>> = Object(
      JSON.parse(files.readNote(file) ?? "null"),
    );
    return typeof pid === "number" && pid > 1 && typeof startTime === "string"
      ? { pid, startTime }
      : null;
  } catch {
    return null;
  }
}
