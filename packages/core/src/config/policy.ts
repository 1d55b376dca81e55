import { loginSet } from "../accounts/account.ts";
import { foldName } from "../accounts/fold-name.ts";
import type { Policy } from "../decide/policy.ts";
import type { DispatchSettings } from "../dispatch/settings.ts";
import { toRefText } from "../work-item/ref.ts";
import type { Config } from "./schema.ts";

/** Label that chooses harness B for an item. */
export const harnessBLabel = "loop: harness-b";

/** The part of the configuration that deciding depends on. */
export function policyOf(config: Config): Policy {
  const { routing, instance } = config;
  const defaultHost = config.integrations.codeHost.host.toLowerCase();
  return {
    enabled: routing.enabled,
    events: new Set(config.webhooks.hostWebhook.events),
    repositories: new Set(routing.repositories.map(foldName)),
    autoExecuteLabel: routing.autoExecuteLabel,
    harnessBLabel,
    defaultHarness: routing.defaultHarness,
    spawnOnUnmatched: routing.spawnOnUnmatched,
    requireStartCommand: routing.control.requireStartCommand,
    authorizedUsers: loginSet(routing.authorizedUsers),
    keywords: routing.control.keywords,
    instance: {
      name: instance.name,
      scope: instance.scope.mode,
      workItems: new Set(
        instance.scope.workItems.flatMap((ref) => toRefText(ref, defaultHost) ?? []),
      ),
    },
    ciWakeOn: routing.ci.wakeOn,
    ownActivity: routing.ownActivity,
    trustForkBranches: routing.trustForkBranches,
    defaultHost,
  };
}

/** The part of the configuration that dispatching turns depends on. */
export function settingsOf(config: Config): DispatchSettings {
  const { routing } = config;
  return {
    coalesce: {
      quietSeconds: routing.coalesce.quietSeconds,
      maxSeconds: routing.coalesce.maxSeconds,
      maxPromptChars: 32_000,
    },
    retry: {
      maxTries: 8,
      firstDelayMs: 15_000,
      longestDelayMs: 900_000,
      usageLimitMs: 900_000,
      sessionBusyMs: 30_000,
    },
    breaker: { turns: routing.loopBreaker.turns, windowMinutes: routing.loopBreaker.windowMinutes },
    budget: {
      turns: routing.budget.turns,
      usd: routing.budget.usd,
      minutes: routing.budget.minutes,
    },
    maxConcurrentTurns: routing.maxConcurrentTurns,
    turnTimeoutMs: routing.turnTimeoutSeconds * 1000,
  };
}
