import { readFileSync } from "node:fs";
import type { ChildEnd, HarnessSignal, Outcome, ReceiptEvidence, RunningChild } from "@loopwork/core/ports";
import type { HarnessA } from "@loopwork/harness-a";
import { signalGroup } from "./processes.ts";

/** An attempt that is over, as the runtime would see it. */
export type Ended = { readonly receipt: string; readonly sessionId: string; readonly end: ChildEnd; readonly lines: readonly string[]; readonly stderr: string; readonly outcome: Outcome; readonly evidence: () => Promise<ReceiptEvidence> };

/** An attempt whose child lives. */
export type Running = {
  readonly receipt: string;
  readonly child: RunningChild;
  readonly lines: readonly string[];
  send(): Promise<void>;
  /** Waits until the output has a signal or line that fits; rejects when the child ends first. */
  until(fits: (line: string, signal: HarnessSignal | null) => boolean): Promise<string>;
  kill(signal?: NodeJS.Signals): Promise<Ended>;
  /** Closes standard input once the harness is through with the receipt, and waits for the exit. */
  finish(): Promise<Ended>;
};

type Parts = { readonly turns: HarnessA["turns"]; readonly ids: { readonly receipt: string; readonly sessionId: string }; readonly plan: { readonly stdin: string }; readonly child: RunningChild; readonly stdoutFile: string; readonly stderrFile: string; readonly trace: { readonly workdir: string; readonly turnDir: string } };

/** Follows the output of an attempt's child. */
export function running({ turns, ids, plan, child, stdoutFile, stderrFile, trace }: Parts): Running {
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const wake = (): void => waiting.forEach((go) => go());
  let over = false;
  const reading = (async () => {
    for await (const line of child.lines()) {
      lines.push(line);
      wake();
    }
    over = true;
    wake();
  })();
  const ended = async (): Promise<Ended> => {
    const end = await child.ended;
    await reading;
    const stderr = readFileSync(stderrFile, "utf8");
    const stdout = readFileSync(stdoutFile, "utf8").split("\n").filter(Boolean);
    return { ...ids, end, lines: stdout, stderr, outcome: turns.outcome({ receipt: ids.receipt, end, stdout, stderr }), evidence: () => turns.evidence({ ...ids, ...trace, stdout }) };
  };
  const until: Running["until"] = async (fits) => {
    for (let seen = 0; ; ) {
      for (; seen < lines.length; seen += 1) {
        const line = lines[seen] ?? "";
        if (fits(line, turns.readLine(line))) return line;
      }
      if (over) throw new Error(`the child ended before the line that was waited for; it said:\n${lines.join("\n").slice(0, 2000)}\n${readFileSync(stderrFile, "utf8")}`);
      await new Promise<void>((resolve) => {
        const go = (): void => {
          waiting.delete(go);
          resolve();
        };
        waiting.add(go);
      });
    }
  };
  return {
    receipt: ids.receipt,
    child,
    lines,
    send: () => child.write(plan.stdin),
    until,
    async kill(signal = "SIGKILL") {
      signalGroup(child.identity.pid, signal);
      return ended();
    },
    async finish() {
      await until((_line, signal) => signal?.kind === "result" && signal.receipts.includes(ids.receipt)).catch(() => "");
      child.endInput();
      return ended();
    },
  };
}
