import type { Outcome } from "@loopwork/core/ports";
import type { Random } from "../random.ts";
import type { Scheduler } from "../scheduler.ts";
import type { Trace } from "../trace.ts";
import type { Process, Program } from "../world/machine.ts";
import type { Message, Transcripts } from "./transcripts.ts";
import { formatLine, parseInput } from "./turns.ts";

/** What may go wrong with a turn, and how often; shares from 0 to 1. */
export type HarnessTrouble = {
  /** The process is killed at some point of the turn. */
  readonly killed: number;
  /** The model's service answers with an error that passes. */
  readonly transient: number;
  readonly usageLimit: number;
  /** It hangs until it is stopped. */
  readonly hangs: number;
  /** Nobody is logged in: every turn is refused until somebody has seen to it. */
  readonly loggedOut: boolean;
  /** The conversation's file is gone when it is resumed. */
  readonly forgets: number;
};

export type HarnessOptions = {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly trace: Trace;
  readonly transcripts: Transcripts;
  readonly trouble: () => HarnessTrouble;
  /** What the agent does with its tools; calls back when it is through. */
  readonly work: (process: Process, message: Message, done: () => void) => void;
  /** Told of each message that reaches a conversation. */
  readonly onMessage: (message: Message, process: Process) => void;
};

/**
 * The simulated harness: one message a process.
 *
 *     waiting for input ──message──▶ on record ──tools──▶ acted ──reply──▶ end of turn on output ──input closed──▶ exit 0
 *            └──input closed: exit 0, nothing happened        (a kill may come between any two)
 *
 * A message whose receipt is on record and was acted on is not asked again; it says so and does
 * nothing.
 */
export function createHarness({
  scheduler,
  random,
  trace,
  transcripts,
  trouble,
  work,
  onMessage,
}: HarnessOptions): Program {
  const told = new Set<number>();
  const ended = new Set<number>();
  const end = (process: Process): void => {
    ended.add(process.identity.pid);
    if (!process.inputOpen()) scheduler.after(random.int(1, 50), () => process.exit(0, null));
  };
  const say = (process: Process, receipt: string, outcome: Outcome): void =>
    process.print(formatLine({ type: "result", receipt, outcome }));

  function receive(process: Process, mode: string, session: string, message: Message): void {
    if (mode === "resume" && transcripts.exists(session) && random.chance(trouble().forgets))
      transcripts.forget(session);
    const refusal = refusalOf(mode, transcripts.exists(session));
    if (refusal !== null) {
      process.print(formatLine({ type: "refusal", outcome: refusal }));
      process.exit(1, null);
      return;
    }
    const known = transcripts.find(session, message.receipt);
    if (known !== null && (known.acted || known.ends > 0 || known.failed !== null)) {
      process.print(formatLine({ type: "duplicate", receipt: message.receipt }));
      end(process);
      return;
    }
    if (known === null) transcripts.add(message);
    const asked = known ?? message;
    trace.say(`message ${asked.receipt.slice(0, 8)} to ${asked.lane}`, () => asked.text);
    process.print(formatLine({ type: "accepted", receipt: asked.receipt }));
    onMessage(asked, process);
    scheduler.after(random.int(20, 400), () => void (process.alive() && answer(process, asked)));
  }

  function answer(process: Process, message: Message): void {
    const { transient, usageLimit, hangs, loggedOut } = trouble();
    if (loggedOut) return fail(process, message, { kind: "login", detail: "please log in" });
    if (random.chance(hangs)) {
      message.acted = true;
      return;
    }
    if (random.chance(transient))
      return fail(process, message, { kind: "transient", status: 529, detail: "overloaded" });
    if (random.chance(usageLimit))
      return fail(process, message, { kind: "usage-limit", until: null, limit: "five-hour" });
    message.acted = true;
    work(process, message, () => {
      scheduler.after(random.int(20, 1_500), () => {
        if (!process.alive()) return;
        message.ends += 1;
        say(process, message.receipt, { kind: "done", denials: [], usd: 0.01, minutes: 0.05 });
        end(process);
      });
    });
  }

  function fail(process: Process, message: Message, outcome: Outcome): void {
    message.failed = outcome;
    say(process, message.receipt, outcome);
    end(process);
  }

  return {
    onInput(text, process) {
      told.add(process.identity.pid);
      const [, mode = "", session = ""] = process.plan.argv;
      const { receipt, prompt } = parseInput(text);
      const lane =
        /^Session of: (\S+)$/m.exec(prompt)?.[1] ?? /^Work item: (\S+)$/m.exec(prompt)?.[1] ?? "";
      const message: Message = {
        session,
        lane,
        receipt,
        text: prompt,
        continues: prompt.includes("You were interrupted"),
        at: scheduler.now(),
        acted: false,
        failed: null,
        ends: 0,
      };
      if (random.chance(trouble().killed))
        scheduler.after(random.int(0, 2_500), () => process.exit(null, "SIGKILL"));
      scheduler.after(
        random.int(5, 200),
        () => void (process.alive() && receive(process, mode, session, message)),
      );
    },
    onInputClosed(process) {
      const { pid } = process.identity;
      // What was said before is worked on to its end; who was told nothing goes.
      scheduler.after(
        random.int(1, 50),
        () => void ((ended.has(pid) || !told.has(pid)) && process.exit(0, null)),
      );
    },
    onTerm: (process) =>
      void scheduler.after(random.int(5, 2_000), () => process.exit(null, "SIGTERM")),
  };
}

function refusalOf(mode: string, exists: boolean): Outcome | null {
  if (mode === "start" && exists) return { kind: "session-id-taken" };
  return mode === "resume" && !exists ? { kind: "session-not-found" } : null;
}
