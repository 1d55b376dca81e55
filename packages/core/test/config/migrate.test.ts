import { describe, expect, test } from "vitest";
import { migrateConfig } from "../../src/config/migrate.ts";
import { parseConfig } from "../../src/config/parse.ts";
import { removedKeys } from "../../src/config/removed.ts";
import { schemaKeys } from "../../src/config/schema.ts";

const file = "cli-config.yaml";
const configOf = (text: string): unknown => {
  const parsed = parseConfig(text, { file });
  return parsed.ok ? parsed.config : parsed.errors;
};
const lines = (...text: readonly string[]): string => `${text.join("\n")}\n`;

describe("keys that were renamed go to their place of today", () => {
  test("with their values and the words beside them; everything else stays as it was written", () => {
    const old = lines(
      "# Ours.",
      "routing:",
      "  # The one that works here.",
      "  harness: B # since spring",
      "  repositories: [ octo/shop ]",
      "  instance: build-1",
      "",
      "polling: { enabled: true }   # no public address",
    );
    expect(migrateConfig(old)).toEqual({
      moved: [
        { from: "routing.harness", to: "routing.defaultHarness", line: 4 },
        { from: "routing.instance", to: "instance.name", line: 6 },
      ],
      text: lines(
        "# Ours.",
        "routing:",
        "  # The one that works here.",
        "  defaultHarness: B # since spring",
        "  repositories: [ octo/shop ]",
        "",
        "polling: { enabled: true } # no public address",
        "instance:",
        "  name: build-1",
      ),
    });
  });

  test("arguments go to the harness that they were for", () => {
    expect(migrateConfig(lines("routing: { harness: B, harnessArgs: [--fast] }")).text).toBe(
      lines("routing: { defaultHarness: B }", "harnesses:", "  B:", "    args: [ --fast ]"),
    );
    expect(parseConfig(migrateConfig(lines("harnessArgs: [--fast]")).text, { file })).toMatchObject(
      { ok: true, config: { harnesses: { A: { args: ["--fast"] } } } },
    );
  });

  test("one label of several is one label; several are left to a person", () => {
    expect(migrateConfig(lines("routing:", "  autoExecuteLabels: [agent]")).text).toBe(
      lines("routing:", "  autoExecuteLabel: agent"),
    );
    const two = lines("routing:", "  autoExecuteLabels: [agent, robot]");
    expect(migrateConfig(two)).toEqual({ moved: [], text: two });
  });

  test("the second place of `routing` is joined with the first", () => {
    const old = lines(
      "routing: { repositories: [octo/shop], control: { requireStartCommand: true } }",
      "webhooks:",
      "  hostWebhook:",
      "    enabled: true",
      "    routing:",
      "      authorizedUsers: [ada]",
      "      repositories: [octo/shop]",
      "      control: { keywords: { stop: halt } }",
    );
    const { text, moved } = migrateConfig(old);
    expect(moved.map(({ from, to }) => `${from} > ${to}`)).toEqual([
      "webhooks.hostWebhook.routing.authorizedUsers > routing.authorizedUsers",
      "webhooks.hostWebhook.routing.repositories > routing.repositories",
      "webhooks.hostWebhook.routing.control.keywords > routing.control.keywords",
    ]);
    expect(text).not.toMatch(/^ {4}routing/m);
    expect(parseConfig(text, { file })).toMatchObject({ ok: true, config: configOf(old) });
  });
});

describe("what only a person can do is left where it is", () => {
  test.each([
    ["a secret", "webhooks: { hostWebhook: { secret: hunter2hunter2 } }\n"],
    ["two values for one key", "routing: { instance: one }\ninstance: { name: two }\n"],
    [
      "two values for one key, one of them in its second place",
      "routing: { autoExecuteLabel: one }\nwebhooks: { hostWebhook: { routing: { autoExecuteLabel: two } } }\n",
    ],
    ["a map in place of a value", "routing: { harness: { name: A } }\nrouting2: {}\n"],
    ["what is no YAML", "routing: [\n"],
    [
      "a key whose new place is below something else than a map",
      "routing: { instance: one }\ninstance: on\n",
    ],
    [
      "one whose new place is two levels below it",
      "routing: { harnessArgs: [--fast] }\nharnesses: A\n",
    ],
    ["a key that stands there twice", "routing: { instance: one }\npolling: {}\npolling: {}\n"],
    [
      "values that are written once and meant twice",
      "routing: &all { harness: A }\nwebhooks: { hostWebhook: { routing: *all } }\n",
    ],
  ])("%s", (_, text) => {
    const migrated = migrateConfig(text);
    expect(migrated).toEqual({ moved: [], text });
    expect(parseConfig(migrated.text, { file }).ok).toBe(false);
  });

  test("a new place below a key without a value is one", () => {
    expect(migrateConfig("instance:\nrouting: { instance: one, enabled: true }\n").text).toBe(
      "instance:\n  name: one\nrouting: { enabled: true }\n",
    );
  });

  test("two like maps are one, whatever the order of their keys, and long lines stay whole", () => {
    const long = `# ${"word ".repeat(40)}end\n`;
    const hooks = "routing: { graph: { hooks: [ { node: a, command: [ x ] } ] } }\n";
    expect(
      migrateConfig(
        `${long}${hooks}webhooks: { hostWebhook: { enabled: true, routing: { graph: { hooks: [{ command: [x], node: a }] } } } }\n`,
      ).text,
    ).toBe(`${long}${hooks}webhooks: { hostWebhook: { enabled: true } }\n`);
    const text = `"${"word ".repeat(40)}"`;
    expect(migrateConfig(`promptTemplate: ${text}\nrouting: { instance: one }\n`).text).toContain(
      `promptTemplate: ${text}\n`,
    );
  });

  test("one of two like values goes", () => {
    expect(migrateConfig("routing: { instance: one }\ninstance: { name: one }\n").text).toBe(
      "instance: { name: one }\n",
    );
  });
});

test("a configuration of today is not touched, not even its blanks", () => {
  const text = "routing:   {repositories:   [octo/shop]}\n\n\n# end";
  expect(migrateConfig(text)).toEqual({ moved: [], text });
  expect(migrateConfig("")).toEqual({ moved: [], text: "" });
});

test("every removed key with a place of today is moved there, and twice comes to the same as once", () => {
  const places = new Set(schemaKeys().map(({ path }) => path.join(".")));
  for (const [from, { to, hint }] of Object.entries(removedKeys)) {
    if (to === null) continue;
    expect(places.has(to.replace("{default}", "A"))).toBe(true);
    expect(hint).toContain(to.replace("{default}", "A"));
    const value =
      from === "routing.harness"
        ? "A"
        : from === "routing.promptTemplate"
          ? "do $work_item"
          : to.endsWith("Label") || to.endsWith(".name")
            ? "word"
            : "[word]";
    const [first, ...rest] = from.split(".").toReversed();
    const old = `${rest.reduce((inner, key) => `{ ${key}: ${inner} }`, `{ ${first ?? ""}: ${from.endsWith("Labels") ? "[word]" : value} }`).slice(2, -2)}\n`;
    const { text, moved } = migrateConfig(old);
    expect(moved.map((each) => each.from)).toEqual([from]);
    expect([text, parseConfig(text, { file })]).toEqual([
      text,
      expect.objectContaining({ ok: true }),
    ]);
    expect(migrateConfig(text)).toEqual({ moved: [], text });
  }
});
