/**
 * What one look at the host has come to; `restUntil` is set when the host asks to wait, or will
 * soon.
 */
export type LookReport = { readonly restUntil: number | null };

/**
 * Polls until it is stopped:
 *
 *     polling ──done──▶ resting: the interval, or longer when the host asks for it ──▶ polling
 *        └─────────stop: what is under way is finished ─────────▶ stopped ◀──stop────────┘
 */
export type PollLoop = { readonly stop: () => Promise<void> };

export type PollLoopOptions<Report extends LookReport> = {
  readonly poll: () => Promise<Report>;
  /**
   * Milliseconds between the end of a poll and the next; asked each time, so that a changed
   * configuration counts.
   */
  readonly intervalMs: () => number;
  readonly now: () => number;
  readonly onReport: (report: Report) => Promise<void> | void;
  /** Told of what no poll should do; the loop goes on. */
  readonly onFault: (error: unknown) => void;
};

export function startPollLoop<Report extends LookReport>({
  poll,
  intervalMs,
  now,
  onReport,
  onFault,
}: PollLoopOptions<Report>): PollLoop {
  let stopped = false;
  let wake = (): void => {};
  const rest = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => (clearTimeout(timer), resolve());
    });
  const run = async (): Promise<void> => {
    while (!stopped) {
      let until: number | null = null;
      try {
        const report = await poll();
        until = report.restUntil;
        await onReport(report);
      } catch (error) {
        onFault(error);
      }
      if (!stopped)
        await rest(Math.max(intervalMs(), Math.min((until ?? 0) - now(), longestRestMs)));
    }
  };
  const running = run();
  return {
    async stop() {
      stopped = true;
      wake();
      await running;
    },
  };
}

/**
 * A clock that was put back, or a host that asks for days, is asked again after this, in
 * milliseconds.
 */
const longestRestMs = 60 * 60 * 1000;
