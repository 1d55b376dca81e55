import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type StartChild, startChild } from "../start-child.ts";
import { followLife, type Life } from "./life.ts";

/** Starts children from a small process of its own, so that a large one does not stand still while it forks (ADR 0125). */
export type Broker = {
  readonly start: StartChild;
  /** Lets the broker end. Children that live go on, as after our own end. */
  close(): void;
};

export type BrokerOptions = {
  /** Told in a sentence when a broker was lost, or could not be had. */
  readonly onLost?: (what: string) => void;
  /** Starts the process; for tests. */
  readonly launch?: () => ChildProcess;
  readonly pingEveryMs?: number;
};

const isSource = import.meta.url.endsWith(".ts");
const entry = fileURLToPath(new URL(isSource ? "./entry.ts" : "./entry.js", import.meta.url));

/**
 * A broker that is there from now on, and again after it was lost.
 *
 *     starting ──first word──▶ serving ──lost──▶ none ──next child──▶ starting
 *        └──ends without one──▶ none: whoever waited for it is started by ourselves, as nothing was asked of it
 */
export function createBroker({ onLost = () => {}, launch = launchBroker, pingEveryMs = 5_000 }: BrokerOptions = {}): Broker {
  let life: Life | null = null;
  let closed = false;

  function begin(): Life {
    const begun = followLife(launch(), pingEveryMs);
    void begun.lost.then(() => {
      if (life === begun) life = null;
      if (!closed) onLost("the process that starts children was lost; another is started with the next child");
    });
    return begun;
  }

  life = begin();
  return {
    async start(plan) {
      if (closed) return startChild(plan);
      life ??= begin();
      return (await life.start(plan)) ?? startChild(plan);
    },
    close() {
      closed = true;
      life?.leave();
    },
  };
}

/**
 * In a process group of its own, so that no signal to ours ends it, and without any variable of ours: each child is given
 * its own. It ends with our end of the channel.
 */
function launchBroker(): ChildProcess {
  const args = isSource ? ["--conditions=@loopwork/source", entry] : [entry];
  return spawn(process.execPath, args, { env: {}, cwd: "/", detached: true, stdio: ["ignore", "ignore", "ignore", "ipc"] });
}
