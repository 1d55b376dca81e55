import type { ChildProcess } from "node:child_process";
import type { StartedChild, StartPlan } from "../start-child.ts";
import { type BrokersChild, followChild } from "./brokers-child.ts";
import type { Asked, Said } from "./messages.ts";

/** One broker process from its start to its end. */
export type Life = {
  readonly lost: Promise<void>;
  /** Null when it ended before it was asked, which is not before its first word. While anybody waits our own process does not end. */
  start(plan: StartPlan): Promise<StartedChild | null>;
  /** Lets it go: it ends by itself, and what it started lives on. */
  leave(): void;
};

/** So many questions without an answer, and it counts as stuck. Questions are counted, not time: we may have been stopped ourselves. */
const mostUnanswered = 6;

/** Keeps up with a broker process; `pingEveryMs` is how often it is asked whether it still answers, while anything is expected of it. */
export function followLife(broker: ChildProcess, pingEveryMs: number): Life {
  const children = new Map<number, BrokersChild>();
  const ready = Promise.withResolvers<boolean>();
  const lost = Promise.withResolvers<void>();
  let state: "starting" | "serving" | "over" = "starting";
  let next = 0;
  let unanswered = 0;
  let waiting = 0;
  const send = (asked: Asked): void => void broker.send(asked, () => {}); // A channel that is closed has said so, or will.
  const waits = (more: 1 | -1): void => {
    waiting += more;
    if (waiting > 0) broker.channel?.ref();
    else broker.channel?.unref();
  };

  const alarm = setInterval(() => {
    if (state === "serving" && children.size === 0) return;
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
    for (const child of children.values()) child.lost();
    children.clear();
  }

  broker.on("message", (said: Said) => {
    unanswered = 0;
    if (said.kind === "ready") begin();
    if (said.kind === "ready" || said.kind === "pong") return;
    children.get(said.id)?.told(said);
    if (said.kind !== "exited" && said.kind !== "refused") return;
    children.delete(said.id);
    waits(-1);
  });
  broker.once("disconnect", end); // Comes when all that it said has been read.
  broker.on("error", end);
  broker.unref();
  broker.channel?.unref();

  return {
    lost: lost.promise,
    leave: () => void (broker.connected && broker.disconnect()),
    async start(plan) {
      waits(1);
      if (!(await ready.promise) || state === "over") return null;
      const id = (next += 1);
      const child = followChild(id, send);
      children.set(id, child);
      send({ kind: "start", id, plan });
      return await child.started;
    },
  };
}
