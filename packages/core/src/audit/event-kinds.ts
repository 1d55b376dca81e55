/** Kinds of lines in the event log: a closed list (docs/specification.md#event-log). */
export const eventKinds = [
  "delivery.accepted",
  "delivery.duplicate",
  "delivery.ignored",
  "delivery.recovered",
  "delivery.lost",
  "delivery.decided",
  "turn.queued",
  "turn.started",
  "turn.done",
  "turn.failed",
  "turn.uncertain",
  "turn.dropped",
  "turn.retried",
  "turn.denied-tools",
  "lane.held",
  "lane.opened",
  "session.opened",
  "session.registered",
  "session.asked",
  "session.lost",
  "session.closed",
  "effect.stuck",
  "effect.retried",
  "effect.dropped",
  "checkout.prepared",
  "checkout.released",
  "checkout.hardened",
  "checkout.restored",
  "workspace.trusted",
  "sandbox.off",
  "workspace.trust-failed",
  "pull-request.linked",
  "learnings.consolidated",
  "graph.moved",
  "graph.answered",
  "graph.not-taken",
  "graph.waived",
  "graph.judged",
  "graph.waits",
  "work-item.adopted",
  "work-item.imported",
  "instance.drained",
  "actor.forgotten",
  "repository.renamed",
  "repository.recreated",
  "host.posted",
  "host.failed",
  "host.silent",
  "host.answering",
  "audit.failed",
  "audit.recovered",
  "poll.failed",
  "poll.recovered",
  "canary.answered",
  "config.loaded",
  "config.rejected",
  "daemon.started",
  "daemon.stopped",
  "daemon.warning",
] as const;

export type EventKind = (typeof eventKinds)[number];
export type EventLevel = "debug" | "info" | "warn" | "error";

/** One line of the event log. Absent parts are null so that every line has the same keys. */
export type EventLine = {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly kind: EventKind;
  readonly level: EventLevel;
  readonly instance: string;
  readonly workItem: string | null;
  readonly delivery: string | null;
  readonly reason: string | null;
  readonly fields: Readonly<Record<string, string | number | boolean | null>>;
};

/** A line in the log; `id` grows. */
export type StoredEvent = EventLine & { readonly id: number };
