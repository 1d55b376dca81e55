import { expect, test } from "vitest";
import { defaultConfig } from "../../src/config/defaults.ts";
import { parseConfig } from "../../src/config/parse.ts";
import { changedPowerfulKeys, powerOf } from "../../src/config/power.ts";
import { schemaKeys } from "../../src/config/schema.ts";

const valueKeys = schemaKeys()
  .filter(({ node }) => node.type !== "object" && node.type !== "alias")
  .map(({ path, node }) => ({ path: path.join("."), node }));

test("every key that holds arguments of a program counts as one that can run a program", () => {
  const argumentsOf = valueKeys.filter(
    ({ node }) =>
      (node.type === "list" && node.form === "argument") ||
      (node.type === "records" && "command" in node.keys) ||
      (node.type === "map" && node.form === "argument"),
  );
  expect(argumentsOf.length).toBeGreaterThan(5);
  for (const { path } of argumentsOf) expect([path, powerOf(path)]).toEqual([path, "program"]);
});

test("every key that names a variable or an address outside of the receiver counts as one that can send a secret, or more", () => {
  const named = valueKeys.filter(
    ({ path, node }) =>
      !path.startsWith("webhooks.") &&
      ((node.type === "string" && (node.form === "variable" || node.form === "web-url")) ||
        (node.type === "list" && node.form === "variable")),
  );
  expect(named.length).toBeGreaterThan(4);
  for (const { path } of named) expect([path, powerOf(path)]).toEqual([path, "secret"]);
});

test("a key that nobody looked at counts as one that opens something", () => {
  expect(powerOf("some.new.key")).toBe("access");
  expect(powerOf("harnesses.A.somethingNew")).toBe("program");
});

test("changed keys come with both values, those that can run a program first", () => {
  const parsed = parseConfig(
    "polling: { intervalSeconds: 90 }\nintegrations: { codeHost: { apiBaseUrl: 'https://other.example/api' } }\nharnesses: { A: { command: ./agent.sh } }\n",
    { file: "cli-config.yaml" },
  );
  if (!parsed.ok) throw new Error("not parsed");
  expect(changedPowerfulKeys(defaultConfig, parsed.config)).toEqual([
    { path: "harnesses.A.command", power: "program", before: "claude", value: "./agent.sh" },
    {
      path: "integrations.codeHost.apiBaseUrl",
      power: "secret",
      before: null,
      value: "https://other.example/api",
    },
    { path: "polling.intervalSeconds", power: "none", before: 60, value: 90 },
  ]);
  expect(changedPowerfulKeys(parsed.config, parsed.config)).toEqual([]);
});

test("an alias and an anchor change what they stand for", () => {
  const read = (text: string): typeof defaultConfig => {
    const parsed = parseConfig(text, { file: "cli-config.yaml" });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    return parsed.config;
  };
  const changed = changedPowerfulKeys(
    read("promptTemplate: &x Do\n"),
    read(
      "promptTemplate: &x ./evil.sh\nharnesses: { A: { command: *x } }\nharnessArgs: [--verbose]\n",
    ),
  );
  expect(changed.map(({ path }) => path)).toEqual(
    expect.arrayContaining(["harnesses.A.command", "harnesses.A.args", "promptTemplate"]),
  );
});

test("keys that choose what git of a session runs in, or what its graph runs, count as ones that can run a program", () => {
  const chosen = [
    "routing.workspace.root",
    "routing.spawnWorkdir",
    "routing.graph.definition",
    "routing.graph.hooks",
  ];
  for (const path of chosen) expect([path, powerOf(path)]).toEqual([path, "program"]);
});
