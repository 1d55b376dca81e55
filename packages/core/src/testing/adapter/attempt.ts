import type { HarnessSignal, TurnRequest, Turns } from "../../ports/harness.ts";
import type { Outcome, ReceiptEvidence } from "../../turn/outcome.ts";
import type { ChildEnd } from "../../ports/run-process.ts";
import type { AdapterStage, StagedChild } from "./stage.ts";

/** An attempt whose child lives. */
export type RunningAttempt = {
  readonly receipt: string;
  readonly child: StagedChild;
  /** Standard output so far. */
  readonly lines: readonly string[];
  /** Writes the message, as the runtime does once attempt and child are recorded. */
  send(): Promise<void>;
  /** Waits until the output has a line or signal that fits; rejects when the child ends first. */
  until(fits: (line: string, signal: HarnessSignal | null) => boolean): Promise<string>;
  kill(signal?: "SIGTERM" | "SIGKILL"): Promise<EndedAttempt>;
  /** Closes standard input once the harness is through with the receipt, and waits for the exit. */
  finish(): Promise<EndedAttempt>;
};

/** An attempt that is over, judged as the runtime would. */
export type EndedAttempt = {
  readonly receipt: string;
  readonly sessionId: string;
  readonly end: ChildEnd;
  readonly lines: readonly string[];
  readonly stderr: string;
  readonly outcome: Outcome;
  /** What a later life of the service finds out, from the output that was kept or without any. */
  evidence(output?: "kept" | "lost"): Promise<ReceiptEvidence>;
};

/** Starts an attempt and leaves it running, its message unwritten. */
export async function beginAttempt(
  turns: Turns,
  request: TurnRequest,
  start: AdapterStage["start"],
): Promise<RunningAttempt> {
  const plan = turns.plan(request);
  const child = await start(plan, request.workdir);
  const printed = follow(child);
  const { receipt, sessionId, workdir, turnDir } = request;
  const ended = async (): Promise<EndedAttempt> => {
    const end = await child.ended;
    await printed.read;
    const [lines, stderr] = [printed.lines, child.stderr()];
    const evidence: EndedAttempt["evidence"] = (output) =>
      turns.evidence({
        receipt,
        runner: turns.runner,
        sessionId,
        workdir,
        turnDir,
        stdout: output === "lost" ? [] : lines,
      });
    return {
      receipt,
      sessionId,
      end,
      lines,
      stderr,
      outcome: turns.outcome({ receipt, sessionId, end, stdout: lines, stderr }),
      evidence,
    };
  };
  const until: RunningAttempt["until"] = (fits) =>
    printed.until(
      (line) => fits(line, turns.readLine(line)),
      () => child.stderr(),
    );
  return {
    receipt,
    child,
    lines: printed.lines,
    until,
    async send() {
      await child.write(plan.stdin);
      if (plan.closeInput === "after-write") child.endInput();
    },
    kill(signal = "SIGKILL") {
      child.signal(signal);
      return ended();
    },
    async finish() {
      await until(
        (_line, signal) =>
          signal?.kind === "result" &&
          (signal.receipts.includes(receipt) || !turns.capabilities.receipts),
      ).catch(() => undefined);
      child.endInput();
      return ended();
    },
  };
}

/**
 * A whole attempt as the runtime makes it: spawn, write, wait for the end of turn, close, wait for
 * the exit.
 */
export async function runAttempt(
  turns: Turns,
  request: TurnRequest,
  start: AdapterStage["start"],
): Promise<EndedAttempt> {
  const begun = await beginAttempt(turns, request, start);
  await begun.send().catch(() => undefined); // A program that refuses at once may be gone before it reads; its outcome says why.
  return begun.finish();
}

type Output = {
  readonly lines: readonly string[];
  readonly read: Promise<void>;
  until(fits: (line: string) => boolean, stderr: () => string): Promise<string>;
};

/** Collects a child's lines and wakes whoever waits for one. */
function follow(child: StagedChild): Output {
  const lines: string[] = [];
  const waiting: (() => void)[] = [];
  const wake = (): void => waiting.splice(0).forEach((go) => go());
  let over = false;
  const read = (async () => {
    for await (const line of child.lines()) {
      if (line !== "") lines.push(line);
      wake();
    }
    over = true;
    wake();
  })();
  return {
    lines,
    read,
    async until(fits, stderr) {
      for (;;) {
        const found = lines.find((line) => fits(line));
        if (found !== undefined) return found;
        if (over)
          throw new Error(
            `the child ended before the line that was waited for; it said:\n${lines.join("\n").slice(0, 2000)}\n${stderr()}`,
          );
        await new Promise<void>((resolve) => void waiting.push(resolve));
      }
    },
  };
}
