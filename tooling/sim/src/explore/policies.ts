import type { Policy } from "@loopwork/core";
import { policyOf } from "@loopwork/core/testing";

const scoped = (scope: Policy["instance"]["scope"]): Partial<Policy> => ({
  instance: { name: "default", scope, workItems: new Set() },
});

export type PolicyName =
  | "as it comes"
  | "started by activity"
  | "scope addressed"
  | "scope locked"
  | "spawning off";

/** The configurations under which a work item may be steered. */
export const policies: Readonly<Record<PolicyName, Policy>> = {
  "as it comes": policyOf(),
  "started by activity": policyOf({ requireStartCommand: false }),
  "scope addressed": policyOf(scoped("addressed")),
  "scope locked": policyOf(scoped("locked")),
  "spawning off": policyOf({ spawnOnUnmatched: "never" }),
};
