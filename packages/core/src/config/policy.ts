import type { ControlVerb, HostEventName } from "../event/event.ts";
import type { HarnessId } from "./harness.ts";
import type { RefText } from "../ref/ref.ts";

/** The part of the configuration that deciding depends on; `policyOf` in config makes it. */
export type Policy = {
  readonly enabled: boolean;
  readonly events: ReadonlySet<HostEventName>;
  /** Lower-case `owner/name`; empty means every repository. */
  readonly repositories: ReadonlySet<string>;
  readonly autoExecuteLabel: string;
  readonly harnessBLabel: string;
  readonly defaultHarness: HarnessId;
  readonly spawnOnUnmatched: "labeled" | "never";
  readonly requireStartCommand: boolean;
  /** Lower-case logins. */
  readonly authorizedUsers: ReadonlySet<string>;
  /** Text of each keyword, `""` where it is disabled. */
  readonly keywords: Readonly<Record<ControlVerb, string>>;
  readonly instance: {
    readonly name: string;
    readonly scope: "open" | "addressed" | "locked";
    readonly workItems: ReadonlySet<RefText>;
  };
  readonly ciWakeOn: "changes" | "all" | "never";
  readonly ownActivity: "ignore" | "wake";
  readonly trustForkBranches: boolean;
  /** Domain of the default host in lower case. */
  readonly defaultHost: string;
};
