import { expect, test } from "vitest";
import { defaultConfig } from "../../src/config/defaults.ts";
import { policyOf, settingsOf } from "../../src/config/derive-policy.ts";
import { parseConfig } from "../../src/config/parse.ts";

test("every key that deciding reads reaches the policy, in the case in which it is compared", () => {
  const parsed = parseConfig(
    `
routing:
  enabled: false
  spawnOnUnmatched: never
  repositories: [Acme/Widgets]
  autoExecuteLabel: go
  authorizedUsers: [Alice, "Bot[bot]"]
  defaultHarness: B
  ownActivity: wake
  trustForkBranches: true
  ci: {wakeOn: never}
  control: {requireStartCommand: false, keywords: {start: go on, stop: ""}}
webhooks: {hostWebhook: {events: [issues, pull_request]}}
instance: {name: build-1, scope: {mode: locked, workItems: ["host:Acme/Widgets#7", "host:code.example/acme/x#1", "host:other.example/acme/x#1"]}}
integrations: {codeHost: {host: Code.Example}}
`,
    { file: "f" },
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  const policy = policyOf(parsed.config);
  expect({
    ...policy,
    events: [...policy.events],
    repositories: [...policy.repositories],
    authorizedUsers: [...policy.authorizedUsers],
    instance: { ...policy.instance, workItems: [...policy.instance.workItems] },
  }).toEqual({
    enabled: false,
    events: ["issues", "pull_request"],
    repositories: ["acme/widgets"],
    autoExecuteLabel: "go",
    harnessBLabel: "loop: harness-b",
    defaultHarness: "B",
    spawnOnUnmatched: "never",
    requireStartCommand: false,
    authorizedUsers: ["alice", "bot[bot]"],
    keywords: {
      start: "go on",
      stop: "",
      pause: "loop pause",
      resume: "loop resume",
      cleanup: "loop cleanup",
      "add-collaborator": "loop add-collaborator",
      "remove-collaborator": "loop remove-collaborator",
    },
    instance: {
      name: "build-1",
      scope: "locked",
      workItems: ["host:acme/widgets#7", "host:acme/x#1", "host:other.example/acme/x#1"],
    },
    ciWakeOn: "never",
    ownActivity: "wake",
    trustForkBranches: true,
    defaultHost: "code.example",
  });
});

test("every key that dispatching reads reaches the settings", () => {
  const parsed = parseConfig(
    "routing: {maxConcurrentTurns: 2, turnTimeoutSeconds: 60, loopBreaker: {turns: 3, windowMinutes: 5}, budget: {turns: 9, usd: 1.5, minutes: 20}, coalesce: {quietSeconds: 1, maxSeconds: 2}}",
    { file: "f" },
  );
  if (!parsed.ok) throw new Error("refused");
  expect(settingsOf(parsed.config)).toMatchObject({
    coalesce: { quietSeconds: 1, maxSeconds: 2, maxPromptChars: 32_000 },
    breaker: { turns: 3, windowMinutes: 5 },
    budget: { turns: 9, usd: 1.5, minutes: 20 },
    maxConcurrentTurns: 2,
    turnTimeoutMs: 60_000,
  });
  expect(settingsOf(defaultConfig).budget).toEqual({ turns: null, usd: null, minutes: null });
});
