import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { defaultConfig, defaultOf } from "../../src/config/defaults.ts";
import { documentedKeys, effectiveKeys } from "../../src/config/document-keys.ts";
import { configJsonSchema } from "../../src/config/json-schema.ts";
import { parseConfig } from "../../src/config/parse.ts";
import { refusedKeys } from "../../src/config/refused-keys.ts";
import { configSchema, schemaKeys } from "../../src/config/schema.ts";

const file = "cli-config.yaml";

/**
 * Key, a value that differs from the default, default. `undefined` where the default is derived.
 */
const coreKeys: readonly (readonly [string, unknown, unknown])[] = [
  ["service.enabled", false, true],
  ["service.mcp.enabled", false, true],
  ["service.hostIngresses", false, true],
  ["polling.enabled", true, false],
  ["webhooks.hostWebhook.enabled", true, false],
  ["webhooks.hostWebhook.host", "0.0.0.0", "127.0.0.1"],
  ["webhooks.hostWebhook.port", 9000, 8787],
  ["webhooks.hostWebhook.path", "/hooks", "/host-webhook"],
  ["webhooks.hostWebhook.secretEnv", "MY_SECRET", "LOOP_HOST_WEBHOOK_SECRET"],
  ["webhooks.hostWebhook.pidfile", "run/hook.pid", null],
  [
    "webhooks.hostWebhook.events",
    ["issues"],
    [
      "issues",
      "issue_comment",
      "pull_request",
      "pull_request_review",
      "pull_request_review_comment",
      "workflow_run",
      "check_run",
      "check_suite",
      "status",
    ],
  ],
  ["state.root", "var/loop", ".loop"],
  ["env.file", "loop.env", null],
  ["routing.enabled", false, true],
  ["routing.spawnOnUnmatched", "never", "labeled"],
  ["routing.autoExecuteLabel", "go", "loop: auto-execute"],
  ["routing.authorizedUsers", ["alice"], []],
  ["routing.control.requireStartCommand", false, true],
  ["routing.control.keywords.start", "go on", "loop start"],
  ["routing.control.keywords.stop", "halt", "loop stop"],
  ["routing.control.keywords.pause", "wait", "loop pause"],
  ["routing.control.keywords.resume", "again", "loop resume"],
  ["routing.control.keywords.cleanup", "", "loop cleanup"],
  ["routing.control.keywords.add-collaborator", "let in", "loop add-collaborator"],
  ["routing.control.keywords.remove-collaborator", "let out", "loop remove-collaborator"],
  ["routing.interaction.mode", "cli", "work-item"],
  ["routing.workspace.root", "~/work", ""],
  ["routing.workspace.strategy", "clone", "worktree"],
  ["routing.workspace.keepCheckoutOnClose", true, false],
  ["workspace.defaultHost", "code.example", null],
  ["integrations.codeHost.host", "code.example", "github.com"],
  ["routing.harnessTrust.enabled", false, true],
  ["routing.harnessTrust.scope", "directory", "workspace-root"],
  ["promptTemplate", "Do $payload_excerpt", null],
  ["instance.name", "build-1", "default"],
  ["instance.scope.mode", "locked", "open"],
  ["instance.scope.workItems", ["host:acme/widgets#7"], []],
  ["routing.graph.specDir", "docs/specs", ""],
  ["routing.graph.deadlineSeconds", 60, 3600],
  ["routing.graph.hooks", [{ node: "design", command: ["make", "lint"], deadlineSeconds: 60 }], []],
  [
    "critics",
    [
      {
        name: "security",
        command: ["judge"],
        deadlineSeconds: 60,
        harness: "B",
        prompt: "look for holes",
        passEnv: ["SCANNER_LICENSE"],
      },
    ],
    [],
  ],
];

const furtherKeys: readonly (readonly [string, unknown, unknown])[] = [
  ["service.host", "::1", "127.0.0.1"],
  ["service.port", 5000, 4114],
  ["service.exposed", true, false],
  ["service.allowedHosts", ["loop.example"], []],
  ["service.tokenFile", "token", null],
  ["service.upgradeCommand", ["make", "upgrade"], []],
  ["polling.intervalSeconds", 90, 60],
  ["routing.repositories", ["acme/widgets"], []],
  ["webhooks.hostWebhook.maxBodyBytes", 2048, 26214400],
  ["webhooks.hostWebhook.previousSecretEnv", "OLD_SECRET", null],
  ["webhooks.hostWebhook.publicUrl", "https://hooks.example/host-webhook", null],
  ["webhooks.hostWebhook.allowUnsigned", true, false],
  ["webhooks.hostWebhook.dedupeBody", false, true],
  ["store.url", "sqlite:x.db", null],
  ["store.urlEnv", "STORE_URL", null],
  ["routing.runner", "tmux", "headless"],
  ["routing.spawnWorkdir", "repo", "."],
  ["routing.defaultHarness", "B", "A"],
  ["harnesses.A.command", "/opt/a", "claude"],
  ["harnesses.A.args", ["--x"], []],
  ["harnesses.A.env", { X: "1" }, {}],
  ["harnesses.A.passEnv", ["AWS_PROFILE"], []],
  ["harnesses.A.permissions", "bypass", "guarded"],
  [
    "harnesses.A.allowedTools",
    ["just"],
    [
      "npm",
      "pnpm",
      "yarn",
      "npx",
      "node",
      "make",
      "cargo",
      "go",
      "python",
      "pytest",
      "mvn",
      "gradle",
    ],
  ],
  ["harnesses.A.projectSettings", true, false],
  ["harnesses.A.sandbox", "required", "auto"],
  ["harnesses.A.sandboxDomains", ["packages.example.org"], []],
  [
    "harnesses.A.sandboxRead",
    ["~/.gitconfig", "/opt/tools"],
    [
      "~/.gitconfig",
      "~/.config/git/config",
      "~/.config/git/ignore",
      "~/.config/git/attributes",
      "~/.git-credentials",
      "~/.config/gh",
      "~/.local/bin",
      "~/.nvm",
      "~/.volta",
      "~/.fnm",
      "~/.local/share/fnm",
      "~/.local/share/mise",
      "~/.local/share/pnpm",
      "~/.asdf",
      "~/.bun/bin",
      "~/.deno/bin",
      "~/.cargo/bin",
      "~/.cargo/env",
      "~/.cargo/registry",
      "~/.cargo/git",
      "~/.rustup",
      "~/go/bin",
      "~/go/pkg",
      "~/.pyenv",
      "~/.local/share/uv/python",
      "~/.local/share/uv/tools",
      "~/.rbenv",
      "~/.sdkman",
    ],
  ],
  ["harnesses.A.sandboxWrite", ["~/.cache/build"], []],
  ["harnesses.A.sandboxExclude", ["docker *"], []],
  ["harnesses.B.command", "agent", "cursor-agent"],
  ["harnesses.B.args", ["--x"], []],
  ["harnesses.B.env", { X: "1" }, {}],
  ["harnesses.B.passEnv", ["AWS_PROFILE"], []],
  ["routing.maxConcurrentTurns", 2, 4],
  ["routing.turnTimeoutSeconds", 60, 3600],
  ["routing.loopBreaker.turns", 3, 12],
  ["routing.loopBreaker.windowMinutes", 5, 30],
  ["routing.budget.turns", 10, null],
  ["routing.budget.usd", 1.5, null],
  ["routing.budget.minutes", 20, null],
  ["routing.coalesce.quietSeconds", 1, 5],
  ["routing.coalesce.maxSeconds", 60, 30],
  ["routing.ownActivity", "wake", "ignore"],
  ["routing.trustForkBranches", true, false],
  ["routing.workspace.checkoutAnyHead", true, false],
  ["routing.ci.wakeOn", "all", "changes"],
  ["routing.graph.definition", "graphs.yaml", null],
  ["routing.workspace.pool", 2, 0],
  ["routing.workspace.salvageDays", 3, 14],
  ["integrations.codeHost.dialect", "gitea", "auto"],
  ["integrations.codeHost.apiBaseUrl", "https://code.example/api", null],
  ["integrations.codeHost.allowInsecureHttp", true, false],
  ["integrations.codeHost.tokenEnv", "CODE_TOKEN", "LOOP_HOST_TOKEN"],
  ["learnings.classifier.enabled", true, false],
  ["learnings.classifier.harness", "B", null],
  ["learnings.classifier.deadlineSeconds", 20, 60],
  [
    "notify",
    [{ on: ["held"], command: ["x"], url: null, passEnv: ["CHAT_TOKEN"], allowInsecureHttp: true }],
    [],
  ],
  ["retention.bodiesDays", 5, 30],
  ["retention.eventsDays", 5, 90],
  ["logging.level", "debug", "info"],
  ["logging.format", "json", "auto"],
];

const at = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (inner, key) =>
        typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined,
      value,
    );
const yamlOf = (path: string, value: unknown): string =>
  `${path.split(".").reduceRight<string>((inner, key) => `{${JSON.stringify(key)}: ${inner}}`, JSON.stringify(value))}\n`;

describe.each([
  ["receiver, routing and instance", coreKeys],
  ["services, budgets and retention", furtherKeys],
])("keys of %s", (_, rows) => {
  test.each(rows)("%s takes %j, default %j", (path, value, fallback) => {
    expect(at(defaultConfig, path)).toEqual(fallback);
    const parsed = parseConfig(yamlOf(path, value), { file });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    expect(at(parsed.config, path)).toEqual(value);
    expect(parsed.set.has(path)).toBe(true);
  });
});

describe("the table", () => {
  test("has no value that no row above checks, beside aliases and the twin keys of harness B", () => {
    const checked = new Set([...coreKeys, ...furtherKeys].map(([path]) => path));
    const unchecked = schemaKeys()
      .filter(({ node }) => node.type !== "object" && node.type !== "alias")
      .map(({ path }) => path.join("."))
      .filter((path) => !checked.has(path));
    expect(unchecked).toEqual([
      "harnesses.B.permissions",
      "harnesses.B.allowedTools",
      "harnesses.B.projectSettings",
    ]);
  });

  test("documents every key with a sentence", () => {
    for (const { path, doc, type } of documentedKeys())
      expect([path, doc.length > 3, type !== ""]).toEqual([path, true, true]);
  });

  test("refused keys are no keys", () => {
    const known = new Set(schemaKeys().map(({ path }) => path.join(".")));
    for (const path of Object.keys(refusedKeys)) {
      expect(known.has(path)).toBe(false);
      const parsed = parseConfig(yamlOf(path, "x"), { file });
      expect(parsed.ok || parsed.errors[0]?.code).toBe("LOOP_E_CONFIG_SECRET");
    }
  });

  test("its defaults pass its own checks when they are written into a file", () => {
    for (const { path, node } of schemaKeys()) {
      const value = defaultOf(node);
      if (node.type === "object" || node.type === "alias" || value === null) continue;
      const parsed = parseConfig(yamlOf(path.join("."), value), { file });
      expect([path.join("."), parsed.ok]).toEqual([path.join("."), true]);
    }
  });
});

test("the effective configuration names each key, its value and where it is set", () => {
  const parsed = parseConfig("polling: {enabled: true}\nharnessArgs: [--x]\n", { file });
  if (!parsed.ok) throw new Error("refused");
  const keys = effectiveKeys(parsed.config, parsed.set);
  expect(keys.filter(({ place }) => place !== null)).toEqual([
    { path: "polling.enabled", value: true, place: { line: 1, column: 20 } },
    { path: "harnesses.A.args", value: ["--x"], place: { line: 2, column: 14 } },
  ]);
  expect(keys.find(({ path }) => path === "service.port")).toEqual({
    path: "service.port",
    value: 4114,
    place: null,
  });
  expect(keys.every(({ value }) => value !== undefined)).toBe(true);
  expect(keys.map(({ path }) => path)).toEqual(
    documentedKeys()
      .filter(({ type }) => !type.startsWith("as "))
      .map(({ path }) => path),
  );
  expect([...parsed.set.keys()]).toEqual(["polling.enabled", "harnesses.A.args"]);
});

describe("the JSON Schema", () => {
  const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(configJsonSchema());

  test("accepts every value that the rows above use, and refuses unknown keys and wrong types", () => {
    for (const [path, value] of [...coreKeys, ...furtherKeys])
      expect([path, validate(JSON.parse(yamlOf(path, value)))]).toEqual([path, true]);
    expect(validate(JSON.parse(yamlOf("webhooks.hostWebhook.routing.enabled", false)))).toBe(true);
    expect(validate({ harnessArgs: ["--x"] })).toBe(true);
    expect(validate({ poling: {} })).toBe(false);
    expect(validate({ webhooks: { hostWebhook: { port: 65536 } } })).toBe(false);
    expect(validate({ critics: [{}] })).toBe(false);
  });

  test("is made of the table's keys", () => {
    expect(Object.keys(configSchema.keys)).toEqual(
      Object.keys(at(configJsonSchema(), "properties") as object),
    );
  });
});
