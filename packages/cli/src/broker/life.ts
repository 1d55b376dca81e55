import type { ChildProcess } from "node:child_process";
import type { StartedChild, StartPlan } from "../processes/start-child.ts";
import { GitLost, type GitPlan, LoopError } from "@loopwork/core/ports";
import type { Ran, TmuxCommand } from "../terminal/run-tmux.ts";
import { type Answer, followAnswer } from "./answer.ts";
import { followChild } from "./brokers-child.ts";
import { type Asked, isLast, type Said } from "./messages.ts";

/** One broker process from its start to its end. */
export type Life = {
  readonly lost: Promise<void>;
  /**
   * Null when it ended before it was asked, which is not before its first word. While anybody waits
   * our own process does not end.
   */
  start(plan: StartPlan): Promise<StartedChild | null>;
  /** The same for what it runs to its end. */
  runGit(plan: GitPlan): Promise<Uint8Array | null>;
  runTmux(command: TmuxCommand): Promise<Ran | "silent" | null>;
  /** Lets it go: it ends by itself, and what it started lives on. */
  leave(): void;
};

/**
 * So many questions without an answer, and it counts as stuck. Questions are counted, not time: we
 * may have been stopped ourselves.
 */
const mostUnanswered = 6;

/**
 * Keeps up with a broker process; `pingEveryMs` is how often it is asked whether it still answers,
 * while anything is expected of it.
 */
export function followLife(broker: ChildProcess, pingEveryMs: number): Life {
  const asked = new Map<number, Pick<Answer<unknown>, "told" | "lost">>();
  const ready = Promise.withResolvers<boolean>();
  const lost = Promise.withResolvers<void>();
  let state: "starting" | "serving" | "over" = "starting";
  let next = 0;
  let unanswered = 0;
  let waiting = 0;
  const send = (what: Asked): void => void broker.send(what, () => {}); // A channel that is closed has said so, or will.
  const waits = (more: 1 | -1): void => {
    waiting += more;
    if (waiting > 0) broker.channel?.ref();
    else broker.channel?.unref();
  };

  const alarm = setInterval(() => {
    if (state === "serving" && asked.size === 0) return;
    if (unanswered >= mostUnanswered) broker.kill("SIGKILL");
    unanswered += 1;
    if (state === "serving") send({ kind: "ping" });
  }, pingEveryMs).unref();

  function begin(): void {
    state = "serving";
    ready.resolve(true);
  }

  function end(): void {
    state = "over";
    clearInterval(alarm);
    broker.kill("SIGKILL"); // One that closed its channel alone is of no more use.
    ready.resolve(false);
    lost.resolve();
    for (const each of asked.values()) each.lost();
    asked.clear();
  }

  /** Null when it ended before it could be asked. */
  async function ask<E extends Pick<Answer<unknown>, "told" | "lost">>(
    follow: (id: number) => E,
    what: (id: number) => Asked,
  ): Promise<E | null> {
    waits(1);
    if (!(await ready.promise) || state === "over") return null;
    const id = (next += 1);
    const each = follow(id);
    asked.set(id, each);
    send(what(id));
    return each;
  }

  broker.on("message", (said: Said) => {
    unanswered = 0;
    if (said.kind === "ready") begin();
    if (said.kind === "ready" || said.kind === "pong") return;
    asked.get(said.id)?.told(said);
    if (!isLast(said)) return;
    asked.delete(said.id);
    waits(-1);
  });
  broker.once("disconnect", end); // Comes when all that it said has been read.
  broker.on("error", end);
  broker.unref();
  broker.channel?.unref();

  return {
    lost: lost.promise,
    leave: () => void (broker.connected && broker.disconnect()),
    start: async (plan) =>
      (
        await ask(
          (id) => followChild(id, send),
          (id) => ({ kind: "start", id, plan }),
        )
      )?.started ?? null,
    runGit: async (plan) =>
      (
        await ask(
          () =>
            followAnswer(
              (said) => (said.kind === "git-printed" ? said.printed : null),
              () => new GitLost(),
            ),
          (id) => ({ kind: "git", id, plan }),
        )
      )?.answer ?? null,
    runTmux: async (command) =>
      (
        await ask(
          () => followAnswer((said) => (said.kind === "tmux-ran" ? said.ran : null), unknownEnd),
          (id) => ({ kind: "tmux", id, command }),
        )
      )?.answer ?? null,
  };
}

function unknownEnd(): LoopError {
  return new LoopError(
    "LOOP_E_BROKER",
    "the process that calls tmux ended before it said what came of it",
    "nothing to do: another is started, and the work is taken up again",
  );
}
