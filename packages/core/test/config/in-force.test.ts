import { describe, expect, test } from "vitest";
import { defaultConfig } from "../../src/config/defaults.ts";
import { effectiveKeys } from "../../src/config/document-keys.ts";
import { changedKeys, inForce, takesEffect } from "../../src/config/in-force.ts";
import { parseConfig } from "../../src/config/parse.ts";
import { type Config, configSchema, schemaKeys } from "../../src/config/schema.ts";

const keys = effectiveKeys(defaultConfig, new Map()).map(({ path }) => path);

/** A configuration in which one key alone has another value than the default. */
function changed(path: string): Config {
  const value = others[path] ?? otherValue(path);
  const parsed = parseConfig(
    JSON.stringify(path.split(".").reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)),
    { file: "cli-config.yaml" },
  );
  if (!parsed.ok) throw new Error(`${path}: ${JSON.stringify(parsed.errors)}`);
  return parsed.config;
}

/** Where the form of a value matters. */
const others: Readonly<Record<string, unknown>> = {
  "store.url": "sqlite:/elsewhere/loop.db",
  "harnesses.A.sandboxDomains": ["packages.example"],
  "integrations.codeHost.apiBaseUrl": "https://code.example/api",
  "routing.repositories": ["acme/widgets"],
  "instance.scope.workItems": ["host:acme/widgets#1"],
  "service.allowedHosts": ["loop.example"],
  "webhooks.hostWebhook.path": "/other",
  "webhooks.hostWebhook.publicUrl": "https://loop.example",
  "webhooks.hostWebhook.events": ["issues"],
  "routing.graph.hooks": [{ node: "build", command: ["x"] }],
  critics: [{ name: "careful", command: ["x"] }],
  notify: [{ command: ["x"] }],
  promptTemplate: "Do $work_item",
  "workspace.defaultHost": "code.example",
  "integrations.codeHost.host": "code.example",
  "service.host": "127.0.0.2",
  "webhooks.hostWebhook.host": "127.0.0.2",
};

function otherValue(path: string): unknown {
  const node = schemaKeys(configSchema).find(({ path: at }) => at.join(".") === path)?.node;
  switch (node?.type) {
    case "boolean":
      return !node.default;
    case "integer":
    case "number":
      return node.default === node.max ? node.min : node.max;
    case "enum":
      return node.values.find((value) => value !== node.default);
    case "string":
      return "OTHER-1"
        .replace("-", node.form === "variable" ? "_" : "-")
        .replace(/^OTHER/, node.form === "instance-name" ? "other" : "OTHER");
    case "list":
      return ["OTHER_1"];
    case "map":
      return { OTHER: "1" };
    default:
      return undefined;
  }
}

describe("when a changed key takes effect", () => {
  test("is said of every key, and of no other", () => {
    for (const path of keys) expect(["next-use", "restart"], path).toContain(takesEffect(path));
    expect(() => takesEffect("routing.nothing")).toThrow("does not say when");
  });

  test.each(keys)("%s: a running service has the new value exactly where that is said", (path) => {
    const after = changed(path);
    expect(changedKeys(defaultConfig, after)).toEqual([{ path, takesEffect: takesEffect(path) }]);
    const seen = changedKeys(defaultConfig, inForce(after, defaultConfig)).map((key) => key.path);
    expect(seen).toEqual(takesEffect(path) === "next-use" ? [path] : []);
  });
});
