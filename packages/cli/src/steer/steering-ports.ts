import type { Account, HarnessId, Ref } from "@loopwork/core/ports";
import type { LoadedConfig } from "../configuration/load-config.ts";
import type { Ports } from "../ports/command-ports.ts";

/**
 * What steering needs, whoever steers: the command line makes it for one command, the service for
 * as long as it runs.
 */
export type SteeringPorts = Pick<
  Ports,
  "clock" | "ids" | "policy" | "store" | "locks" | "wake" | "shownItem"
> & {
  readonly config: () => Promise<Pick<LoadedConfig, "config" | "env">>;
  /**
   * Head of a pull request; `none` when the host has none of that number, null when it cannot be
   * asked.
   */
  readonly headOf: (pullRequest: Ref) => Promise<PullRequestHead | "none" | null>;
  /** Ends what still runs of a conversation between turns, such as the harness in its terminal. */
  readonly endConversation: (harness: HarnessId, sessionId: string) => Promise<void>;
  /** Asks that what was learned in a repository, named as `host/owner/name`, be consolidated. */
  readonly askForConsolidation: (repository: string) => Promise<void>;
  /** Who steers: what the deliveries and lines of the event log say of it. */
  readonly by: "cli" | "api";
};

export type PullRequestHead = {
  readonly headSha: string;
  readonly headBranch: string;
  readonly sameRepository: boolean;
  readonly author: Account | null;
};
