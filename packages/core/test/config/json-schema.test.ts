import { expect, test } from "vitest";
import { configJsonSchema } from "../../src/config/json-schema.ts";

const at = (path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (inner, key) =>
        typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined,
      configJsonSchema(),
    );
const of = (path: string): unknown =>
  at(
    path
      .split(".")
      .flatMap((key) => ["properties", key])
      .join("."),
  );

test("the JSON Schema says what it is", () => {
  expect(configJsonSchema()).toMatchObject({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "cli-config.yaml",
    description: "configuration of the command `loop`",
    type: ["object", "null"],
    additionalProperties: false,
  });
  expect(configJsonSchema()).not.toHaveProperty("required");
});

test.each<readonly [type: string, path: string, schema: unknown]>([
  [
    "true or false",
    "polling.enabled",
    { type: "boolean", default: false, description: "`start` brings up the poller" },
  ],
  [
    "a whole number",
    "polling.intervalSeconds",
    {
      type: "integer",
      minimum: 5,
      maximum: 86_400,
      default: 60,
      description: "seconds between two polls",
    },
  ],
  [
    "a whole number that may be unset",
    "routing.budget.turns",
    { type: ["integer", "null"], minimum: 1, maximum: 1_000_000, description: "turns" },
  ],
  [
    "a number that may be unset",
    "routing.budget.minutes",
    {
      type: ["number", "null"],
      minimum: 0.1,
      maximum: 1_000_000,
      description: "minutes of running turns",
    },
  ],
  [
    "text",
    "state.root",
    {
      type: "string",
      default: ".loop",
      description:
        "base of the state files; `.loop` in a git work tree means a folder of `~/.loop/state`, and any other path there is refused",
    },
  ],
  [
    "text that may be unset",
    "store.urlEnv",
    {
      type: ["string", "null"],
      description: "NAME of the variable that holds a `postgres://` URL",
    },
  ],
  [
    "one of some words",
    "logging.level",
    {
      enum: ["debug", "info", "warn", "error"],
      default: "info",
      description: "least level that is written",
    },
  ],
  [
    "one of some words that may be unset",
    "learnings.classifier.harness",
    {
      enum: ["A", "B", null],
      description: "harness that is asked; `routing.defaultHarness` when unset",
    },
  ],
  [
    "one of some words, where another one warns",
    "routing.interaction.mode",
    {
      type: "string",
      examples: ["work-item", "cli"],
      default: "work-item",
      description:
        "where a session takes its answers from: the work item's thread or the command line",
    },
  ],
  [
    "a list of text",
    "service.allowedHosts",
    {
      type: ["array", "null"],
      items: { type: "string" },
      default: [],
      description:
        "names under which an exposed control plane may be addressed; pages of https under them are its own",
    },
  ],
  [
    "free names",
    "harnesses.B.env",
    {
      type: ["object", "null"],
      additionalProperties: { type: ["string", "number", "boolean"] },
      default: {},
      description: "extra variables; secrets belong into `passEnv`",
    },
  ],
  [
    "the second place of a map",
    "webhooks.hostWebhook.routing",
    {
      $ref: "#/properties/routing",
      description:
        "another place for the keys of `routing`; the same key set differently in both is an error",
    },
  ],
  [
    "the second place of a key",
    "harnessArgs",
    {
      $ref: "#/properties/harnesses/properties/A/properties/args",
      description: "another place for the `args` of the default harness",
    },
  ],
  [
    "a map",
    "service.mcp",
    {
      type: ["object", "null"],
      additionalProperties: false,
      properties: {
        enabled: {
          type: "boolean",
          default: true,
          description: "`/mcp` is served by the control plane's process",
        },
      },
      description: "`/mcp`",
    },
  ],
  [
    "a list of maps, with a list of some words",
    "notify",
    {
      type: ["array", "null"],
      default: [],
      description: "who is told, once per change; either `command` or `url`",
      items: {
        type: "object",
        additionalProperties: false,
        properties: {
          on: {
            type: ["array", "null"],
            items: { enum: ["held", "uncertain", "waiting", "failed"] },
            default: ["held", "uncertain", "waiting", "failed"],
            description: "changes that are told",
          },
          command: {
            type: ["array", "null"],
            items: { type: "string" },
            default: [],
            description: "argv; the change stands on standard input as JSON",
          },
          url: {
            type: ["string", "null"],
            description: "URL that the change is posted to as JSON",
          },
          passEnv: {
            type: ["array", "null"],
            items: { type: "string" },
            default: [],
            description:
              "NAMES of variables that the command gets beside those that any program needs; no secret of loop's",
          },
          allowInsecureHttp: {
            type: "boolean",
            default: false,
            description: "allows an `http:` `url` on another machine",
          },
        },
      },
    },
  ],
])("the JSON Schema of %s, %s", (_, path, schema) => expect(of(path)).toStrictEqual(schema));

test("a key without which a map means nothing is required and has no default", () => {
  expect(at("properties.critics.items.required")).toEqual(["name"]);
  expect(at("properties.critics.items.properties.name")).toStrictEqual({
    type: "string",
    description: "name of the critic",
  });
  expect(at("properties.routing.properties.graph.properties.hooks.items.required")).toEqual([
    "node",
  ]);
});
