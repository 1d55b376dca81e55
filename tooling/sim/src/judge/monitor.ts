import type { Attempt, Lease } from "@loopwork/core/ports";
import type { Message } from "../harness/transcripts.ts";
import type { Process } from "../world/machine.ts";
import type { World } from "../world/world.ts";

/** Watches while things happen, for what cannot be seen afterwards. */
export type Monitor = {
  /** A message reaches a conversation. */
  readonly message: (message: Message, process: Process) => void;
  /**
   * An attempt is written right now, the first thing that makes a turn happen; call the result once
   * it is known to have been.
   */
  begun(lease: Lease, attempt: Attempt): () => void;
  /** A child is watched, and ended after this many milliseconds. */
  watched(deadlineMs: number): void;
  violations(): readonly string[];
};

type AtWork = { readonly message: Message; readonly process: Process };

export function createMonitor(worldOf: () => World): Monitor {
  const violations: string[] = [];
  const began: AtWork[] = [];
  const told = new Map<string, Message>();

  /** One at a time in a lane, whoever started it, and the older one must have come to its end. */
  function alone({ message, process }: AtWork): void {
    const others = began.filter(
      (other) =>
        other.process.identity.pid !== process.identity.pid &&
        other.process.alive() &&
        other.message.ends === 0 &&
        other.message.failed === null,
    );
    for (const other of others) {
      if (other.message.lane === message.lane)
        violations.push(
          `two-turns-in-lane: ${message.lane} has receipts ${other.message.receipt} and ${message.receipt} at once`,
        );
      if (other.message.session === message.session)
        violations.push(`two-turns-in-session: ${message.session}`);
      if (other.process.plan.cwd === process.plan.cwd)
        violations.push(`two-turns-in-checkout: ${process.plan.cwd}`);
    }
  }

  /** A lane goes on in its conversation until that one was closed or lost. */
  function sameSession(message: Message): void {
    const before = told.get(message.lane);
    told.set(message.lane, message);
    if (before === undefined || before.session === message.session) return;
    const since = worldOf().data.events.findIndex(
      ({ kind, fields }) => kind === "session.opened" && fields["session"] === before.session,
    );
    const ended = worldOf()
      .data.events.slice(since)
      .some(
        ({ kind }) =>
          kind === "session.closed" || kind === "session.lost" || kind === "checkout.released",
      );
    if (!ended)
      violations.push(
        `two-sessions: ${message.lane} went from ${before.session} to ${message.session}, which nothing had ended`,
      );
  }

  return {
    message(message, process) {
      const now: AtWork = { message, process };
      alone(now);
      sameSession(message);
      began.push(now);
    },
    begun(lease, { child }) {
      const found: string[] = [];
      const tell = (): void => void violations.push(...found);
      if (child !== null) return tell;
      const { data } = worldOf();
      const lane = data.lanes.get(lease.lane);
      const control =
        lane === undefined ? undefined : data.items.get(lane.workItem)?.workItem?.control;
      if (control?.status !== "started")
        found.push(`delivered-while-${control?.status ?? "unknown"}: ${lease.lane}`);
      if (lane?.hold) found.push(`delivered-while-held: ${lease.lane} for ${lane.hold.reason}`);
      return tell;
    },
    watched(deadlineMs) {
      const most = worldOf().settings.config.routing.turnTimeoutSeconds * 1_000;
      if (deadlineMs > most)
        violations.push(`too-long: a child gets ${deadlineMs} ms, and a turn may take ${most} ms`);
    },
    violations: () => violations,
  };
}
