import type { ChildProcess } from "node:child_process";
import type { RunGit } from "@loopwork/core/ports";
import { type StartChild, startChild } from "../processes/start-child.ts";
import { type RunTmux, runTmux } from "../terminal/run-tmux.ts";
import { followLife, type Life } from "./life.ts";

/**
 * Starts children from a small process of its own, so that a large one does not stand still while
 * it forks (ADR 0021).
 */
export type Broker = {
  readonly start: StartChild;
  readonly runGit: RunGit;
  readonly runTmux: RunTmux;
  /** Lets the broker end. Children that live go on, as after our own end. */
  close(): void;
};

export type BrokerOptions = {
  /** Runs git where there is no broker. */
  readonly runGit: RunGit;
  /** Told in a sentence when a broker was lost, or could not be had. */
  readonly onLost?: (what: string) => void;
  /**
   * Starts the process: a program that serves as one (`serveBroker`), with a channel that carries
   * bytes.
   */
  readonly launch: () => ChildProcess;
  readonly pingEveryMs?: number;
};

/**
 * A broker that is there from now on, and again after it was lost.
 *
 *     starting ──first word──▶ serving ──lost──▶ none ──next child──▶ starting
 *        └──ends without one──▶ none: what waited for it is started by ourselves, as nothing was asked of it
 */
export function createBroker({
  runGit,
  onLost = () => {},
  launch,
  pingEveryMs = 5_000,
}: BrokerOptions): Broker {
  let life: Life | null = null;
  let closed = false;

  function begin(): Life {
    const begun = followLife(launch(), pingEveryMs);
    void begun.lost.then(() => {
      if (life === begun) life = null;
      if (!closed)
        onLost("the process that starts children was lost; another is started with the next child");
    });
    return begun;
  }

  /** By a broker where one can be had, else by ourselves. */
  async function ask<A>(
    byBroker: (life: Life) => Promise<A | null>,
    byUs: () => Promise<A>,
  ): Promise<A> {
    if (closed) return byUs();
    life ??= begin();
    return (await byBroker(life)) ?? byUs();
  }

  life = begin();
  return {
    start: (plan) =>
      ask(
        (broker) => broker.start(plan),
        () => startChild(plan),
      ),
    runGit: (plan) =>
      ask(
        (broker) => broker.runGit(plan),
        () => runGit(plan),
      ),
    runTmux: (command) =>
      ask(
        (broker) => broker.runTmux(command),
        () => runTmux(command),
      ),
    close() {
      closed = true;
      life?.leave();
    },
  };
}
