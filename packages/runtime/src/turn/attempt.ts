import { join } from "node:path";
import type {
  Attempt,
  ChildIdentity,
  HarnessSignal,
  Observed,
  RunningChild,
  TurnPlan,
  Turns,
} from "@loopwork/core/ports";
import type { RuntimeParts } from "../parts.ts";
import { createOutputWindow } from "./output-window.ts";

/**
 * Where one attempt keeps what its child wrote. `sandboxed`: the child must say that it runs in a
 * sandbox, or it is stopped.
 */
export type AttemptFiles = {
  readonly turnDir: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly sandboxed?: boolean;
};

export function attemptFiles(turnsDir: string, turnId: number, receipt: string): AttemptFiles {
  const turnDir = join(turnsDir, String(turnId));
  return {
    turnDir,
    stdout: join(turnDir, `${receipt}.out.jsonl`),
    stderr: join(turnDir, `${receipt}.err.txt`),
  };
}

export type AttemptLimits = { readonly deadlineMs: number; readonly maxOutputBytes: number };

/** What an attempt needs of the runtime. */
export type AttemptParts = Pick<RuntimeParts, "run" | "files" | "timers">;

/** What the runtime does while a child lives: records it, keeps the lease, answers requests. */
export type AttemptWatch = {
  /**
   * Writes the child's identity before anything is said to it. False: the lane is no longer ours.
   */
  recorded(child: ChildIdentity): Promise<boolean>;
  /**
   * Called with the living child, so that a stop can reach it; the result is told what it spends
   * and when it ended.
   */
  living(
    child: RunningChild,
    turnDir: string,
  ): { readonly spent: (usd: number) => void; readonly ended: () => Promise<void> };
};

export type AttemptEnd =
  | { readonly kind: "observed"; readonly observed: Observed }
  | { readonly kind: "fenced" }
  | {
      readonly kind: "not-spawned";
      readonly why: "no-directory" | "no-program";
      readonly detail: string;
    };

/** A harness that has said the end of its turn gets this long to exit before it is stopped. */
const exitAfterResultMs = 60_000;

/**
 * Runs one attempt of a turn. Order is what makes it exactly once: spawn with an empty standard
 * input → record the child → write the prompt → read until the result that names the receipt →
 * close the input → end. A daemon that dies before the prompt was written leaves a child that reads
 * an empty input and does nothing.
 */
export async function runAttempt(
  attempt: Attempt,
  plan: TurnPlan,
  workdir: string,
  files: AttemptFiles,
  limits: AttemptLimits,
  watch: AttemptWatch,
  parts: AttemptParts,
  turns: Pick<Turns, "readLine">,
): Promise<AttemptEnd> {
  if (!parts.files.exists(workdir))
    return {
      kind: "not-spawned",
      why: "no-directory",
      detail: `${workdir} does not exist any more`,
    };
  parts.files.makeFolder(files.turnDir);
  let child: RunningChild;
  try {
    child = await parts.run.spawn({
      argv: plan.argv,
      cwd: workdir,
      env: plan.env,
      stdoutFile: files.stdout,
      stderrFile: files.stderr,
      ...limits,
    });
  } catch (error) {
    if (hasCode(error, "ENOENT") || hasCode(error, "EACCES"))
      return {
        kind: "not-spawned",
        why: "no-program",
        detail: `${plan.argv[0]} could not be started: ${error instanceof Error ? error.message : ""}`,
      };
    throw error;
  }
  if (!(await isRecorded(child, watch))) return { kind: "fenced" };
  const alive = watch.living(child, files.turnDir);
  try {
    await child.write(plan.stdin);
    if (plan.closeInput === "after-write") child.endInput();
    return await readToEnd(child, attempt, files, alive.spent, parts, turns);
  } finally {
    await alive.ended(); // Also when this fails: whoever takes the child up answers its requests, and nobody beside.
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/**
 * A child that could not be recorded ends before anything is said to it: nobody would find it after
 * a crash.
 */
async function isRecorded(
  child: RunningChild,
  watch: Pick<AttemptWatch, "recorded">,
): Promise<boolean> {
  let recorded = false;
  try {
    recorded = await watch.recorded(child.identity);
  } finally {
    if (!recorded) await child.stop("asked", 0);
  }
  return recorded;
}

/** Waits for a child of an earlier life of ours and reads all that it wrote. */
export async function awaitAdopted(
  child: RunningChild,
  attempt: Attempt,
  files: AttemptFiles,
  watch: Pick<AttemptWatch, "living">,
  parts: AttemptParts,
  turns: Pick<Turns, "readLine">,
): Promise<Extract<AttemptEnd, { kind: "observed" }>> {
  const alive = watch.living(child, files.turnDir);
  try {
    return await readToEnd(child, attempt, files, alive.spent, parts, turns);
  } finally {
    await alive.ended();
  }
}

/** What a child that is gone has written, for evidence. */
export async function readLeftOutput(
  files: AttemptFiles,
  receipt: string,
  parts: Pick<AttemptParts, "files">,
  turns: Turns,
): Promise<{
  readonly stdout: readonly string[];
  readonly hasResult: boolean;
  readonly stderr: string;
}> {
  const window = createOutputWindow();
  let hasResult = false;
  if (parts.files.exists(files.stdout)) {
    for await (const line of parts.files.lines(files.stdout)) {
      const signal = turns.readLine(line);
      hasResult ||= signal?.kind === "result" && signal.receipts.includes(receipt);
      window.add(line, signal !== null);
    }
  }
  return { stdout: window.lines(), hasResult, stderr: await parts.files.tail(files.stderr) };
}

async function readToEnd(
  child: RunningChild,
  { receipt, harnessSessionId }: Attempt,
  files: AttemptFiles,
  spent: (usd: number) => void,
  parts: AttemptParts,
  turns: Pick<Turns, "readLine">,
): Promise<Extract<AttemptEnd, { kind: "observed" }>> {
  const window = createOutputWindow();
  const lacksSandbox = files.sandboxed === true ? watchForSandbox() : null;
  let lingering: (() => void) | undefined;
  for await (const line of child.lines()) {
    const signal = turns.readLine(line);
    window.add(line, signal !== null);
    if (lacksSandbox?.(signal) === true) void child.stop("asked", 0);
    if (signal?.kind === "spend") spent(signal.usd);
    if (signal?.kind === "result" && signal.receipts.includes(receipt)) {
      child.endInput();
      lingering ??= parts.timers.after(exitAfterResultMs, () => void child.stop("asked"));
    }
  }
  const end = await child.ended;
  lingering?.();
  return {
    kind: "observed",
    observed: {
      receipt,
      sessionId: harnessSessionId,
      end,
      stdout: window.lines(),
      stderr: await parts.files.tail(files.stderr),
      sandboxed: files.sandboxed === true,
    },
  };
}

/**
 * True once a turn that was to run in a sandbox says that it doesn't, or works without having said
 * so.
 */
function watchForSandbox(): (signal: HarnessSignal | null) => boolean {
  let isOn = false;
  return (signal) => {
    if (signal?.kind === "session") isOn = signal.sandboxed === true;
    const works = signal?.kind === "reached-model" && signal.receipt === null;
    return !isOn && (signal?.kind === "session" || works);
  };
}
