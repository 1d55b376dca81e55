import type { PollReport, RepositoryReport } from "@loopwork/codehost/poller";
import { eventLine, type Runtime } from "@loopwork/runtime";
import type { Unwind } from "@loopwork/runtime/unwind";
import type { StartedConfig } from "../configuration/load-config.ts";
import { hostOptions, systemClock } from "./open.ts";

/** The poller of this process over the same store and dispatcher that webhooks use. */
export type Poller = {
  /** Polls once; false when not a single repository could be read. */
  pollOnce(): Promise<boolean>;
  /** Polls again and again until `unwind` runs. */
  start(unwind: Unwind): void;
};

/**
 * Token and addresses are those of the code host's client; what is polled, and how often, is read
 * anew for each poll.
 */
export async function openPoller(
  loaded: StartedConfig,
  { parts, dispatcher }: Runtime,
): Promise<Poller> {
  const { createPoll, startPollLoop } = await import("@loopwork/codehost/poller");
  const poll = createPoll(hostOptions(loaded), {
    inbox: parts.store,
    cursors: parts.store.cursors,
    items: () => parts.store.items.list(),
    settings: () => ({
      repositories: parts.settings().config.routing.repositories,
      autoExecuteLabel: parts.settings().policy.autoExecuteLabel,
    }),
    now: systemClock.now,
    knownAs: (repository) => parts.names.known(repository),
  });
  const failing = new Map<string, string>();
  const tell = async (report: PollReport): Promise<void> => {
    if (report.repositories.some(({ stored }) => stored > 0)) dispatcher.poke();
    for (const each of report.repositories) await tellChange(each, failing, parts);
    if (report.restUntil !== null)
      parts.log(
        "warn",
        `the code host allows no more requests for now: polling goes on at ${new Date(report.restUntil).toISOString()}`,
      );
  };
  return {
    async pollOnce() {
      const report = await poll();
      await tell(report);
      return report.repositories.some(({ failure }) => failure === null);
    },
    start(unwind) {
      const loop = startPollLoop({
        poll,
        intervalMs: () => parts.settings().config.polling.intervalSeconds * 1_000,
        now: systemClock.now,
        onReport: tell,
        onFault: (error) =>
          parts.log(
            "error",
            `the poller met a fault: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
          ),
      });
      unwind.defer("poller", () => loop.stop());
    },
  };
}

/**
 * A failure is told when it begins, when it becomes another one, and when it ends; not at each
 * poll.
 */
async function tellChange(
  { repository, failure }: RepositoryReport,
  failing: Map<string, string>,
  parts: Runtime["parts"],
): Promise<void> {
  const before = failing.get(repository) ?? null;
  if ((failure?.code ?? null) === before) return;
  if (failure === null) failing.delete(repository);
  else failing.set(repository, failure.code);
  if (failure === null) parts.log("info", `${repository} can be polled again`);
  else parts.log("warn", `${repository} cannot be polled: ${failure.message}`);
  const line =
    failure === null
      ? eventLine(parts, "poll.recovered", { fields: { repository } })
      : eventLine(parts, "poll.failed", {
          level: "warn",
          reason: failure.code,
          fields: { repository, message: failure.message },
        });
  await parts.store.events.append([line]);
}
