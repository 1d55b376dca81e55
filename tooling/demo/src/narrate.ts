import type { StoryEvent } from "./loop.ts";
import type { Teller } from "./teller.ts";

/** Tells each event as it comes, and lets the story wait for one. */
export type Narration = {
  /**
   * The next event of the kind after the last one waited for; rejects when it does not come within
   * `timeoutMs`.
   */
  until(
    kind: string,
    accepts?: (event: StoryEvent) => boolean,
    timeoutMs?: number,
  ): Promise<StoryEvent>;
  /** The newest event of the kind so far. */
  seen(kind: string): Promise<StoryEvent | undefined>;
  stop(): void;
};

export function narrate(events: AsyncIterable<StoryEvent>, teller: Teller): Narration {
  const all: StoryEvent[] = [];
  let cursor = 0;
  let stopped = false;
  let wake: () => void = () => {};
  const reading = (async () => {
    for await (const event of events) {
      if (stopped) return;
      all.push(event);
      const told = sentenceOf(event);
      if (told !== null) teller.line(told);
      wake();
    }
  })();
  reading.catch(() => {});

  async function until(
    kind: string,
    accepts: (event: StoryEvent) => boolean = () => true,
    timeoutMs = 30_000,
  ): Promise<StoryEvent> {
    const end = performance.now() + timeoutMs;
    for (;;) {
      while (cursor < all.length) {
        const event = all[cursor++];
        if (event !== undefined && event.kind === kind && accepts(event)) return event;
        if (event?.kind === "turn.failed" || event?.kind === "turn.uncertain")
          throw new Error(`the turn ended as ${event.kind}: ${event.reason ?? ""}`);
      }
      if (performance.now() > end) throw new Error(`no ${kind} within ${timeoutMs / 1000} s`);
      await Promise.race([
        new Promise<void>((resolve) => (wake = resolve)),
        new Promise((resolve) => setTimeout(resolve, 200)),
      ]);
    }
  }
  return {
    until,
    seen: (kind) => Promise.resolve(all.findLast((event) => event.kind === kind)),
    stop: () => void (stopped = true),
  };
}

function sentenceOf({ kind, reason, workItem, fields }: StoryEvent): string | null {
  const of = (name: string): string => String(fields[name] ?? "");
  switch (kind) {
    case "delivery.decided":
      return `webhook ${of("event")} ${of("action")} by @${of("actor")}: verified, stored, decided: ${of("verdict")} (${reason ?? ""})`;
    case "checkout.prepared":
      return `checkout of its own: ${of("workdir")} at ${of("head").slice(0, 10)}`;
    case "workspace.trusted":
      return "the harness trusts that folder now, and nothing wider than the workspaces";
    case "session.opened":
      return `session ${of("session")} of ${workItem ?? ""} opened with harness ${of("harness")}`;
    case "pull-request.linked":
      return `pull request #${of("number") === "" ? of("pullRequest") : of("number")} recorded against ${workItem ?? ""}`;
    case "turn.done":
      return `turn ${of("turn")} done: the harness named our receipt as finished`;
    case "turn.denied-tools":
      return `the session was not allowed: ${of("input")}`;
    case "host.posted":
      return "said something on the thread, in the service's marked voice";
    case "session.closed":
      return `session of ${of("endpoint")} closed`;
    case "checkout.released":
      return "checkout released; nothing uncommitted was lost";
    case "host.failed":
    case "lane.held":
    case "turn.retried":
    case "workspace.trust-failed":
      return `${kind}: ${reason ?? ""} ${of("detail")}`;
    default:
      return null;
  }
}
