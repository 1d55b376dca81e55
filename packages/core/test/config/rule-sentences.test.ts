import { expect, test } from "vitest";
import { parseConfig } from "../../src/config/parse.ts";
import { formatProblem } from "../../src/config/problem.ts";
import { checkRules, type EnvironmentFacts, plainFacts } from "../../src/config/rules.ts";
import { graphRules } from "../../src/config/rules/graph.ts";
import { harnessRules } from "../../src/config/rules/harness.ts";
import { instanceRules } from "../../src/config/rules/instance.ts";
import { networkRules } from "../../src/config/rules/network.ts";
import { routingRules } from "../../src/config/rules/routing.ts";

const file = "cli-config.yaml";
/** Put together here, so that nothing in the repository looks like a leak. */
const tokens = [`sk-${"a1B2".repeat(8)}`, `ghp_${"0aB9".repeat(9)}`] as const;
const calm = { authorizedUsers: ["alice"], repositories: ["acme/widgets"] };
const noVariables = { variables: new Set<string>() };

type Row = readonly [promise: string, text: string, over?: Partial<EnvironmentFacts>];

/**
 * Configurations, written on one line each, and what the machine is like where that matters.
 * `routing` is a calm one where none is given.
 */
const rows: readonly Row[] = [
  ["a usual one is silent", "webhooks: {hostWebhook: {enabled: true}}; polling: {enabled: true}"],
  ["no secret, loopback", "webhooks: {hostWebhook: {enabled: true, secretEnv: MINE}}"],
  [
    "no secret, another interface",
    "webhooks: {hostWebhook: {enabled: true, secretEnv: MINE, host: 0.0.0.0}}",
  ],
  [
    "no secret, another interface, insisted",
    "webhooks: {hostWebhook: {enabled: true, secretEnv: MINE, host: 0.0.0.0, allowUnsigned: true}}",
  ],
  [
    "a rotation with both variables is silent",
    "webhooks: {hostWebhook: {enabled: true, previousSecretEnv: OLD}}",
    { variables: new Set(["OLD", "LOOP_HOST_WEBHOOK_SECRET", "LOOP_HOST_TOKEN"]) },
  ],
  [
    "a rotation without the old secret",
    "webhooks: {hostWebhook: {enabled: true, previousSecretEnv: OLD}}",
  ],
  [
    "a rotation from a secret to itself",
    "webhooks: {hostWebhook: {enabled: true, previousSecretEnv: LOOP_HOST_WEBHOOK_SECRET}}",
  ],
  [
    "a rotation of a receiver that does not run is silent",
    "webhooks: {hostWebhook: {previousSecretEnv: OLD}}",
  ],
  ["a control plane for others that nobody meant", "service: {host: 10.0.0.1}"],
  ["a control plane for others without names", "service: {host: 10.0.0.1, exposed: true}"],
  [
    "a control plane for others with a name is silent",
    "service: {host: 10.0.0.1, exposed: true, allowedHosts: [loop.example]}",
  ],
  [
    "two daemons on one port",
    "service: {port: 9000}; webhooks: {hostWebhook: {enabled: true, port: 9000}}",
  ],
  ["one port, one daemon: silent", "service: {port: 9000}; webhooks: {hostWebhook: {port: 9000}}"],
  [
    "one port, the other daemon: silent",
    "service: {port: 9000, enabled: false}; webhooks: {hostWebhook: {enabled: true, port: 9000}}",
  ],
  ["deliveries where probes are answered", "webhooks: {hostWebhook: {path: /health}}"],
  ["deliveries at a doubled slash", "webhooks: {hostWebhook: {path: /a//b}}"],
  ["deliveries at a path that climbs", "webhooks: {hostWebhook: {path: /a/../b}}"],
  [
    "deliveries at a path with two dots in a word are silent",
    "webhooks: {hostWebhook: {path: /a..b}}",
  ],
  ["events without issues", "webhooks: {hostWebhook: {events: [pull_request]}}"],
  ["events without both", "webhooks: {hostWebhook: {events: [status]}}"],
  [
    "nobody may steer, and anything is listened to",
    "routing: {}; webhooks: {hostWebhook: {enabled: true}}",
  ],
  ["nobody may steer what is off: silent", "routing: {enabled: false}"],
  ["nothing to poll", "routing: {authorizedUsers: [a]}; polling: {enabled: true}"],
  [
    "equal keywords in another case, and one inside of another",
    "routing: {authorizedUsers: [a], repositories: [a/b], control: {keywords: {start: go, stop: GO, pause: go slowly}}}",
  ],
  [
    "keywords that only share letters are silent",
    "routing: {authorizedUsers: [a], repositories: [a/b], control: {keywords: {start: go, stop: gone}}}",
  ],
  [
    "quiet longer than the longest wait",
    "routing: {authorizedUsers: [a], repositories: [a/b], coalesce: {quietSeconds: 60}}",
  ],
  [
    "quiet as long as the longest wait is silent",
    "routing: {authorizedUsers: [a], repositories: [a/b], coalesce: {quietSeconds: 30}}",
  ],
  ["a template with a slip and without the words", "promptTemplate: Do $payload_excerpts and $x"],
  ["a template without the words", "promptTemplate: Do $event"],
  [
    "a template with every word is silent",
    "promptTemplate: $work_item $event $action $repository $delivery_id $payload_excerpt $interaction_directive",
  ],
  [
    "notifications: no way, two ways, one way each",
    "notify: [{on: [held]}, {command: [x], url: 'https://x.example'}, {command: [x]}, {url: 'https://x.example'}]",
  ],
  [
    "a token over plain HTTP",
    "integrations: {codeHost: {apiBaseUrl: 'http://code.example:3000/api/v1'}}",
  ],
  [
    "a token over plain HTTP, insisted",
    "integrations: {codeHost: {apiBaseUrl: 'http://10.0.0.7/api', allowInsecureHttp: true}}",
  ],
  [
    "a token over plain HTTP within this machine is silent",
    "integrations: {codeHost: {apiBaseUrl: 'http://[::1]:3000/api/v1'}}",
  ],
  [
    "a name that begins like this machine's is another machine",
    "integrations: {codeHost: {apiBaseUrl: 'http://127.0.0.1.example/api'}}",
  ],
  [
    "notifications over plain HTTP: to another machine, insisted, within this one",
    "notify: [{url: 'http://chat.example/hooks/x'}, {url: 'http://chat.example/hooks/x', allowInsecureHttp: true}, {url: 'http://localhost:9/x'}]",
  ],
  ["bypass of one harness", "harnesses: {B: {permissions: bypass}}"],
  ["bypass by a flag", "harnesses: {B: {args: [-f]}}"],
  ["bypass by another flag", "harnessArgs: [--permission-mode=bypassPermissions]"],
  ["bypass by two words", "harnessArgs: [--permission-mode, bypassPermissions]"],
  ["the second word alone is silent", "harnessArgs: [bypassPermissions, --permission-mode, plan]"],
  [
    "secrets among arguments and variables, by their places",
    `harnesses: {A: {args: [--key, ${tokens[0]}], env: {PLAIN: x, KEY: ${tokens[1]}}}}`,
  ],
  [
    "critics and notifications that are given a secret of loop's, and one that is given another",
    "routing: {authorizedUsers: [a], repositories: [a/b], graph: {specDir: s}}; critics: [{name: c, command: [x], passEnv: [LOOP_HOST_TOKEN, OTHER]}]; notify: [{command: [x], passEnv: [LOOP_HOST_WEBHOOK_SECRET, OTHER]}]",
  ],
  [
    "a notification that is given a copy of a secret",
    "routing: {authorizedUsers: [a], repositories: [a/b]}; notify: [{command: [x], passEnv: [AUTH]}]",
    { copies: [{ name: "AUTH", of: "LOOP_HOST_TOKEN" }] },
  ],
  [
    "a secret under another name, which sessions do not get",
    "routing: {authorizedUsers: [a], repositories: [a/b]}",
    { copies: [{ name: "GH_TOKEN", of: "LOOP_HOST_TOKEN" }] },
  ],
  [
    "a secret under another name that is passed on purpose is silent",
    "harnesses: {A: {passEnv: [GH_TOKEN]}}",
    { copies: [{ name: "GH_TOKEN", of: "LOOP_HOST_TOKEN" }] },
  ],
  [
    "options that Cursor does not have",
    "harnesses: {B: {allowedTools: [npm], projectSettings: true}}",
  ],
  ["a program without a name", 'harnesses: {A: {command: ""}, B: {command: "  "}}'],
  [
    "a workspace root that is all",
    "routing: {authorizedUsers: [a], repositories: [a/b], workspace: {root: /}}",
  ],
  [
    "a workspace root that is the home folder",
    "routing: {authorizedUsers: [a], repositories: [a/b], workspace: {root: '~'}, graph: {}}; state: {root: /var/loop}",
  ],
  [
    "a workspace root around the home folder",
    "routing: {authorizedUsers: [a], repositories: [a/b], workspace: {root: /home}}; state: {root: /var/loop}",
  ],
  [
    "a workspace root around the state root",
    "routing: {authorizedUsers: [a], repositories: [a/b], workspace: {root: /var}}; state: {root: /var/loop}",
  ],
  [
    "a workspace root that is the state root",
    "routing: {authorizedUsers: [a], repositories: [a/b], workspace: {root: /var/loop}}; state: {root: /var/loop}",
  ],
  [
    "a workspace root whose name begins like the state root is silent",
    "routing: {authorizedUsers: [a], repositories: [a/b], workspace: {root: /var/lo}}; state: {root: /var/loop}",
  ],
  [
    "a workspace root inside of the state root is silent",
    "routing: {authorizedUsers: [a], repositories: [a/b], workspace: {root: '~/.loop/workspaces'}}",
  ],
  [
    "dollars that turns in terminals never use",
    "routing: {authorizedUsers: [a], repositories: [a/b], runner: tmux, budget: {usd: 5}}",
  ],
  [
    "dollars of headless turns are silent",
    "routing: {authorizedUsers: [a], repositories: [a/b], budget: {usd: 5}}",
  ],
  ["scope addressed without a name", "instance: {scope: {mode: addressed}}"],
  ["a shared store without a name and without its variable", "store: {urlEnv: PG}"],
  [
    "a shared store with a name and its variable is silent",
    "store: {urlEnv: PG}; instance: {name: b}",
    { variables: new Set(["PG"]) },
  ],
  ["two stores", "instance: {name: b}; store: {urlEnv: PG, url: 'sqlite:x.db'}"],
  ["a poller without a token", "polling: {enabled: true}", noVariables],
  [
    "a receiver without a token and without a secret",
    "webhooks: {hostWebhook: {enabled: true}}",
    noVariables,
  ],
  ["a clock one millisecond before 2024", "", { now: 1_704_067_199_999 }],
  ["a clock at the beginning of 2024 is silent", "", { now: 1_704_067_200_000 }],
  [
    "artifacts outside of the checkout",
    "routing: {authorizedUsers: [a], repositories: [a/b], graph: {specDir: ../specs}}",
  ],
  [
    "hooks and critics without anything to run",
    "routing: {authorizedUsers: [a], repositories: [a/b], graph: {specDir: specs, hooks: [{node: design}, {node: x, command: [y]}]}}; critics: [{name: one}]",
  ],
  [
    "two critics of one name, and a harness that judges nothing",
    "routing: {authorizedUsers: [a], repositories: [a/b], graph: {specDir: specs}}; critics: [{name: one, command: [x]}, {name: one, command: [y], harness: A}]",
  ],
  [
    "parts of the graph without a graph",
    "routing: {authorizedUsers: [a], repositories: [a/b], graph: {definition: x.yaml, hooks: [{node: x, command: [y]}]}}; critics: [{name: one, prompt: look}]",
  ],
];

function said(text: string, over: Partial<EnvironmentFacts> = {}): readonly string[] {
  const yaml = `${text.replaceAll("; ", "\n")}\n${text.includes("routing:") ? "" : `routing: ${JSON.stringify(calm)}\n`}`;
  const parsed = parseConfig(yaml, { file });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  const facts = plainFacts(parsed.config, {
    set: parsed.set,
    variables: new Set(["LOOP_HOST_WEBHOOK_SECRET", "LOOP_HOST_TOKEN"]),
    ...over,
  });
  const { errors, warnings } = checkRules(parsed.config, facts);
  const findings = [
    ...networkRules,
    ...routingRules,
    ...harnessRules,
    ...instanceRules,
    ...graphRules,
  ].flatMap((rule) => rule(parsed.config, facts));
  expect(findings).toHaveLength(errors.length + warnings.length);
  return [...errors, ...warnings].map((problem) => `  ${formatProblem(problem, file)}`);
}

test("what the rules say stands in rule-sentences.txt", async () => {
  const page = rows.map(([promise, text, over]) => {
    const shown = tokens.reduce((left, token) => left.replaceAll(token, "(a secret)"), text);
    return [`# ${promise}`, ...(text === "" ? [] : [`  | ${shown}`]), ...said(text, over)].join(
      "\n",
    );
  });
  await expect(`${page.join("\n\n")}\n`).toMatchFileSnapshot("rule-sentences.txt");
});

test("what is promised to be silent is", () => {
  const loud = rows
    .filter(([promise]) => promise.endsWith("silent"))
    .filter(([, text, over]) => said(text, over).length > 0);
  expect(loud).toEqual([]);
});
