import { expect, test } from "vitest";
import { parseConfig } from "../../src/config/parse.ts";
import { formatProblem } from "../../src/config/problem.ts";

const file = "cli-config.yaml";

/** One key of each type of the table, and what can stand behind a key. */
const keys = [
  ["true or false", "polling.enabled"],
  ["a whole number", "service.port"],
  ["a whole number that may be unset", "routing.budget.turns"],
  ["a number", "routing.budget.usd"],
  ["text", "instance.name"],
  ["the name of a variable", "webhooks.hostWebhook.secretEnv"],
  ["the name of a variable that may be unset", "store.urlEnv"],
  ["one of some words", "logging.level"],
  ["one of some words that may be unset", "learnings.classifier.harness"],
  ["one of some words, where another one warns", "routing.interaction.mode"],
  ["a list of text", "routing.authorizedUsers"],
  ["a list of some words", "webhooks.hostWebhook.events"],
  ["free names", "harnesses.A.env"],
  ["a list of maps", "critics"],
  ["a map", "polling"],
] as const;
const values = [
  "{name: one, x: 1}",
  "[one]",
  "[[one]]",
  "[{name: one}]",
  "[5]",
  "[~]",
  "",
  "word",
  '"word"',
  "5",
  '"5"',
  "2.5",
  "true",
  "yes",
  '"B"',
] as const;

const yamlOf = (path: string, value: string): string =>
  path
    .split(".")
    .map((key, i, all) => `${"  ".repeat(i)}${key}:${i === all.length - 1 ? ` ${value}` : ""}\n`)
    .join("");
const at = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (inner, key) =>
        typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined,
      value,
    );

/** What comes of a value: itself as it is read, or the sentences. */
function answerOf(path: string, value: string): string {
  const parsed = parseConfig(yamlOf(path, value), { file });
  const said = [...(parsed.ok ? [] : parsed.errors), ...parsed.warnings].map((problem) =>
    formatProblem(problem, file).slice(file.length),
  );
  return [
    ...(parsed.ok
      ? [`is read as ${JSON.stringify(at(parsed.config, path)) ?? "nothing of its own"}`]
      : []),
    ...said,
  ].join("\n    ");
}

test("what every kind of key says to every kind of value stands in wrong-kinds.txt", async () => {
  const page = keys.map(([kind, path]) => {
    const alike = Map.groupBy(values, (value) => answerOf(path, value));
    return [
      `# ${kind}: ${path}`,
      ...[...alike].map(
        ([answer, given]) =>
          `  ${given.map((value) => (value === "" ? "(nothing)" : value)).join("   ")}\n    ${answer}`,
      ),
    ].join("\n");
  });
  await expect(`${page.join("\n\n")}\n`).toMatchFileSnapshot("wrong-kinds.txt");
});
