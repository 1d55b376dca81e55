import { describe, expect, test } from "vitest";
import { isLoopback } from "../../src/config/loopback.ts";
import { parseConfig } from "../../src/config/parse.ts";
import { checkRules, type EnvironmentFacts, plainFacts } from "../../src/config/rules.ts";
import { readSecret } from "../../src/config/secret-value.ts";

/** What the rules find in a file, as `level path`, on a machine with the given facts. */
function found(text: string, over: Partial<EnvironmentFacts> = {}): readonly string[] {
  const parsed = parseConfig(text, { file: "f" });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  const { errors, warnings } = checkRules(
    parsed.config,
    plainFacts(parsed.config, {
      set: parsed.set,
      variables: new Set(["LOOP_HOST_WEBHOOK_SECRET", "LOOP_HOST_TOKEN"]),
      ...over,
    }),
  );
  return [
    ...errors.map(({ path }) => `error ${path}`),
    ...warnings.map(({ path }) => `warning ${path}`),
  ];
}

const calm = "routing: {authorizedUsers: [alice], repositories: [acme/widgets]}\n";
const none = new Set<string>();
/** Put together here, so that nothing in the repository looks like a leak. */
const tokens = [`sk-${"a1B2".repeat(8)}`, `ghp_${"0aB9".repeat(9)}`] as const;

test("a usual configuration is silent", () => {
  expect(
    found(`${calm}webhooks: {hostWebhook: {enabled: true}}\npolling: {enabled: true}\n`),
  ).toEqual([]);
});

test("rules stand at the line of the key that they are about", () => {
  const parsed = parseConfig(`${calm}routing2: 1`, { file: "f" });
  expect(parsed.ok).toBe(false);
  const text = `${calm}instance:\n  scope: {mode: addressed}\n  name: default\n`;
  const again = parseConfig(text, { file: "f" });
  if (!again.ok) throw new Error("refused");
  expect(
    checkRules(again.config, plainFacts(again.config, { set: again.set })).errors,
  ).toMatchObject([{ path: "instance.name", line: 4, code: "LOOP_E_CONFIG_RULE" }]);
});

describe("R15 the receiver without a secret", () => {
  const on = (more: string): string => `${calm}webhooks: {hostWebhook: {enabled: true, ${more}}}\n`;
  test.each([
    ["loopback warns", "host: 127.0.0.1", none, ["warning webhooks.hostWebhook.secretEnv"]],
    [
      "another interface is refused",
      "host: 0.0.0.0",
      none,
      ["error webhooks.hostWebhook.secretEnv"],
    ],
    [
      "another interface with allowUnsigned warns",
      "host: 0.0.0.0, allowUnsigned: true",
      none,
      ["warning webhooks.hostWebhook.secretEnv"],
    ],
    [
      "another interface with the secret set is fine",
      "host: 0.0.0.0",
      new Set(["LOOP_HOST_WEBHOOK_SECRET"]),
      [],
    ],
    [
      "the secret under another name counts",
      "host: 0.0.0.0, secretEnv: MINE",
      new Set(["MINE"]),
      [],
    ],
  ])("%s", (_, more, variables, expected) => {
    expect(found(on(more), { variables: new Set([...variables, "LOOP_HOST_TOKEN"]) })).toEqual(
      expected,
    );
  });

  test("a receiver that a registered webhook leads to needs the secret, even on loopback and with allowUnsigned", () => {
    const url = "publicUrl: 'https://hooks.example.org/host-webhook'";
    for (const more of [url, `${url}, allowUnsigned: true`])
      expect(found(on(more), { variables: new Set(["LOOP_HOST_TOKEN"]) })).toEqual([
        "error webhooks.hostWebhook.secretEnv",
      ]);
    expect(found(on(url))).toEqual([]);
  });

  test("a secret that is set to something unusable is an error, whichever daemon runs", () => {
    const refused = { kind: "refused", why: "empty" } as const;
    const names = ["LOOP_HOST_WEBHOOK_SECRET", "OLD", "LOOP_HOST_TOKEN", "PG"];
    const text = `${calm}webhooks: {hostWebhook: {previousSecretEnv: OLD}}\ninstance: {name: a}\nstore: {urlEnv: PG}\n`;
    const off = { service: false, receiver: false, poller: false };
    const expected = [
      "webhooks.hostWebhook.secretEnv",
      "webhooks.hostWebhook.previousSecretEnv",
      "integrations.codeHost.tokenEnv",
      "store.urlEnv",
    ].map((path) => `error ${path}`);
    expect(
      found(text, {
        daemons: off,
        variables: new Set(["PG"]),
        secrets: new Map(names.map((name) => [name, refused])),
      }),
    ).toEqual(expected);
    expect(
      found(text, {
        daemons: off,
        variables: new Set(["PG"]),
        secrets: new Map(names.map((name) => [name, { kind: "unset" } as const])),
      }),
    ).toEqual([]);
  });

  test("a secret that can be guessed warns where a receiver runs", () => {
    const secrets = new Map([["LOOP_HOST_WEBHOOK_SECRET", readSecret("hunter2")]]);
    expect(found(on("host: 127.0.0.1"), { secrets })).toEqual([
      "warning webhooks.hostWebhook.secretEnv",
    ]);
    expect(found(calm, { secrets })).toEqual([]);
  });

  test("a receiver that does not run is not looked at, a foreground one is", () => {
    const off = `${calm}webhooks: {hostWebhook: {host: 0.0.0.0}}\n`;
    expect(found(off, { variables: none })).toEqual([]);
    expect(
      found(off, { variables: none, daemons: { service: false, receiver: true, poller: false } }),
    ).toEqual(["error webhooks.hostWebhook.secretEnv", "warning integrations.codeHost.tokenEnv"]);
  });

  test.each([
    ["127.0.0.1", true],
    ["127.8.9.1", true],
    ["localhost", true],
    ["::1", true],
    ["[::1]", true],
    ["0.0.0.0", false],
    ["::", false],
    ["127.0.0.1.evil.example", false],
    ["localhost.evil", false],
    ["10.0.0.1", false],
    ["127.10.20.30", true],
    ["2127.0.0.1", false],
    ["[::1", false],
    ["[::1x", false],
    ["x::1]", false],
  ])("%s loopback: %s", (host, expected) => expect(isLoopback(host)).toBe(expected));
});

test.each([
  [
    "R16 a rotation names two variables",
    "webhooks: {hostWebhook: {enabled: true, previousSecretEnv: LOOP_HOST_WEBHOOK_SECRET}}",
    {},
    ["error webhooks.hostWebhook.previousSecretEnv"],
  ],
  [
    "R16 a rotation without the old secret warns",
    "webhooks: {hostWebhook: {enabled: true, previousSecretEnv: OLD}}",
    {},
    ["warning webhooks.hostWebhook.previousSecretEnv"],
  ],
  [
    "an exposed control plane must be meant",
    "service: {host: 0.0.0.0}",
    {},
    ["error service.host"],
  ],
  [
    "an exposed control plane needs names",
    "service: {host: 0.0.0.0, exposed: true}",
    {},
    ["error service.allowedHosts"],
  ],
  [
    "an exposed control plane with names is fine",
    "service: {host: 0.0.0.0, exposed: true, allowedHosts: [loop.example]}",
    {},
    [],
  ],
  ["a disabled control plane is not looked at", "service: {enabled: false, host: 0.0.0.0}", {}, []],
  [
    "two daemons on one port",
    "service: {port: 8787}\nwebhooks: {hostWebhook: {enabled: true}}",
    {},
    ["error webhooks.hostWebhook.port"],
  ],
  [
    "deliveries at /health",
    "webhooks: {hostWebhook: {path: /health}}",
    {},
    ["error webhooks.hostWebhook.path"],
  ],
  [
    "events without issues",
    "webhooks: {hostWebhook: {events: [pull_request, issue_comment]}}",
    {},
    ["warning webhooks.hostWebhook.events"],
  ],
  [
    "events without pull_request",
    "webhooks: {hostWebhook: {events: [issues]}}",
    {},
    ["warning webhooks.hostWebhook.events"],
  ],
  [
    "quiet longer than the longest wait",
    "routing: {authorizedUsers: [a], repositories: [a/b], coalesce: {quietSeconds: 60}}",
    {},
    ["error routing.coalesce.maxSeconds"],
  ],
  [
    "two equal keywords",
    "routing: {authorizedUsers: [a], repositories: [a/b], control: {keywords: {stop: LOOP start}}}",
    {},
    ["error routing.control.keywords.stop"],
  ],
  [
    "a keyword inside of another",
    "routing: {authorizedUsers: [a], repositories: [a/b], control: {keywords: {start: loop}}}",
    {},
    ["stop", "pause", "resume", "cleanup", "add-collaborator", "remove-collaborator"].map(
      (verb) => `error routing.control.keywords.${verb}`,
    ),
  ],
  [
    "disabled keywords do not clash",
    'routing: {authorizedUsers: [a], repositories: [a/b], control: {keywords: {start: "", stop: ""}}}',
    {},
    [],
  ],
  ["a template that hides the words", "promptTemplate: Do it", {}, ["warning promptTemplate"]],
  [
    "a template with a slip",
    "promptTemplate: $payload_excerpts $payload_excerpt",
    {},
    ["warning promptTemplate"],
  ],
  [
    "a template whose slip hides the words",
    "promptTemplate: Do $payload_excerpts",
    {},
    ["warning promptTemplate", "warning promptTemplate"],
  ],
  ["a notification without a way", "notify: [{on: [held]}]", {}, ["error notify[0]"]],
  [
    "a notification with two ways",
    "notify: [{command: [x], url: 'https://x.example'}]",
    {},
    ["error notify[0]"],
  ],
  ["bypass", "harnesses: {A: {permissions: bypass}}", {}, ["warning harnesses.A.permissions"]],
  [
    "bypass by argument",
    "harnessArgs: [--dangerously-skip-permissions]",
    {},
    ["warning harnesses.A.args"],
  ],
  ["a word that is no permission mode", "harnessArgs: [bypassPermissions]", {}, []],
  [
    "the second of two permission modes",
    "harnessArgs: [--permission-mode, plan, --permission-mode, bypassPermissions]",
    {},
    ["warning harnesses.A.args"],
  ],
  [
    "bypass by permission mode",
    "harnessArgs: [--permission-mode, bypassPermissions]",
    {},
    ["warning harnesses.A.args"],
  ],
  [
    "a secret as argument",
    `harnessArgs: [--api-key, ${tokens[0]}]`,
    {},
    ["error harnesses.A.args"],
  ],
  [
    "a secret as variable",
    `harnesses: {B: {env: {KEY: ${tokens[1]}}}}`,
    {},
    ["error harnesses.B.env"],
  ],
  [
    "W12 the workspace root is the root",
    "routing: {authorizedUsers: [a], repositories: [a/b], workspace: {root: /}}",
    {},
    ["error routing.workspace.root"],
  ],
  [
    "W12 the workspace root is the home folder",
    "routing: {authorizedUsers: [a], repositories: [a/b], workspace: {root: '~'}}",
    {},
    ["error routing.workspace.root"],
  ],
  [
    "W12 the workspace root holds the home folder",
    "routing: {authorizedUsers: [a], repositories: [a/b], workspace: {root: /home}}",
    { configDir: "/srv" },
    ["error routing.workspace.root"],
  ],
  [
    "W12 the workspace root holds the state root",
    "routing: {authorizedUsers: [a], repositories: [a/b], workspace: {root: '~/.loop'}}",
    {},
    ["error routing.workspace.root"],
  ],
  [
    "a workspace root of its own",
    "routing: {authorizedUsers: [a], repositories: [a/b], workspace: {root: '~/.loop/workspaces'}}",
    {},
    [],
  ],
  [
    "scope addressed without a name",
    "instance: {scope: {mode: addressed}}",
    {},
    ["error instance.name"],
  ],
  ["scope addressed with a name", "instance: {name: build-1, scope: {mode: addressed}}", {}, []],
  [
    "a shared store without a name",
    "store: {urlEnv: PG}",
    { variables: new Set(["PG"]) },
    ["error instance.name"],
  ],
  [
    "a shared store without its variable",
    "instance: {name: b}\nstore: {urlEnv: PG}",
    {},
    ["error store.urlEnv"],
  ],
  [
    "two stores",
    "instance: {name: b}\nstore: {urlEnv: PG, url: 'sqlite:x.db'}",
    { variables: new Set(["PG"]) },
    ["error store.url"],
  ],
  [
    "a shared store",
    "instance: {name: b}\nstore: {urlEnv: PG}",
    { variables: new Set(["LOOP_HOST_WEBHOOK_SECRET", "LOOP_HOST_TOKEN", "PG"]) },
    [],
  ],
  [
    "keys of the graph without a graph",
    "critics: [{name: a, command: [x]}]\nrouting: {authorizedUsers: [a], repositories: [a/b], runner: tmux, workspace: {root: '~/.loop/workspaces'}, graph: {hooks: [{node: a, command: [x]}]}}",
    {},
    ["routing.graph.hooks", "critics"].map((path) => `warning ${path}`),
  ],
  [
    "a budget of dollars that turns in terminals never use",
    "routing: {authorizedUsers: [a], repositories: [a/b], runner: tmux, budget: {usd: 5}, workspace: {root: '~/.loop/workspaces'}}",
    {},
    ["warning routing.budget.usd"],
  ],
  [
    "turns in terminals",
    "routing: {authorizedUsers: [a], repositories: [a/b], runner: tmux, workspace: {root: '~/.loop/workspaces'}}",
    {},
    [],
  ],
  [
    "a poller without a token",
    "polling: {enabled: true}",
    { variables: none },
    ["warning integrations.codeHost.tokenEnv"],
  ],
  ["C02 a clock in 1970", "", { now: 86_400_000 }, ["warning "]],
] as const)("%s", (_, text, over, expected) => {
  const full = text.includes("routing:") ? text : `${calm}${text}`;
  expect(found(full, over)).toEqual(expected);
});

test("nobody may steer: warned; nothing to listen to: warned for the receiver, refused for the poller", () => {
  expect(found("")).toEqual(["warning routing.authorizedUsers"]);
  expect(found("webhooks: {hostWebhook: {enabled: true}}")).toEqual([
    "warning routing.authorizedUsers",
    "warning routing.repositories",
  ]);
  expect(found("polling: {enabled: true}")).toEqual([
    "error routing.repositories",
    "warning routing.authorizedUsers",
  ]);
});

test("findings about secrets do not show them", () => {
  const parsed = parseConfig(`harnesses: {A: {args: [${tokens[0]}], env: {K: ${tokens[1]}}}}`, {
    file: "f",
  });
  if (!parsed.ok) throw new Error("refused");
  expect(JSON.stringify(checkRules(parsed.config, plainFacts(parsed.config)).errors)).not.toMatch(
    /a1B2|0aB9/,
  );
});

test.each(["--settings", "--settings={}", "--settings=/home/ada/mine.json"])(
  "%s in the arguments of harness A is an error: it would replace the sandbox's settings",
  (arg) => {
    expect(found(`${calm}harnesses: {A: {args: [${JSON.stringify(arg)}, x]}}`)).toEqual([
      "error harnesses.A.args",
    ]);
    expect(found(`${calm}harnessArgs: [${JSON.stringify(arg)}, x]`)).toEqual([
      "error harnesses.A.args",
    ]);
    expect(found(`${calm}harnesses: {A: {args: ["--model", x]}}`)).toEqual([]);
  },
);
