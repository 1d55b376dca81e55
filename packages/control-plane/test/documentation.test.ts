import { expect, test } from "vitest";
import { rootRoutes } from "../src/http/root-routes.ts";
import { operations } from "../src/operations/index.ts";
import type { JsonSchema, Operation } from "../src/operations/operation.ts";

const cell = (text: string): string => text.replaceAll("|", "\\|");

/**
 * The reference as a page; `vitest run --project control-plane test/documentation -u` writes it
 * anew after a change of an operation.
 */
function page(): string {
  return [
    "# Control plane: every operation over REST and MCP",
    "",
    "Made from the table in `packages/control-plane/src/operations`; a test fails when the two differ. Paths begin with `/api/v1`, and every request",
    "carries `Authorization: Bearer` with the content of `<state.root>/control-plane.token`. The schemas of inputs and answers stand in",
    "`GET /api/v1/openapi.json`. An operation that is a tool is called by its name at `/mcp`; a field that stands in the path over REST is a field like the others there.",
    "",
    "| operation | REST | what it does | fields | tool for agents | repeated |",
    "|---|---|---|---|---|---|",
    ...operations.map(rowOf),
    "",
    "Beside them:",
    "",
    "| path | what it answers |",
    "|---|---|",
    ...rootRoutes.map(
      ({ path, object }) => `| \`GET ${path}\` | ${cell(String(object["summary"]))} |`,
    ),
    "",
  ].join("\n");
}

function rowOf({
  name,
  summary,
  kind,
  destructive,
  idempotent,
  route,
  input,
  tool,
}: Operation): string {
  const agents =
    tool === null ? "no" : isNarrower(tool.input, input) ? "yes, with fewer values" : "yes";
  const again =
    kind === "read" ? "reads alone" : idempotent ? "changes nothing more" : "asks again";
  return `| \`${name}\` | \`${route.method.toUpperCase()} ${route.path}\` | ${cell(summary)}${destructive ? " (takes something away)" : ""} | ${fieldsOf(input)} | ${agents} | ${again} |`;
}

function fieldsOf({ properties, required }: JsonSchema): string {
  const names = Object.keys(Object(properties));
  return names
    .map((name) => `\`${name}\`${Array.isArray(required) && required.includes(name) ? "" : "?"}`)
    .join(", ");
}

function isNarrower(narrow: JsonSchema, whole: JsonSchema): boolean {
  return JSON.stringify(narrow) !== JSON.stringify(whole);
}

test("the page in docs is the table of operations", async () => {
  expect(operations.length).toBeGreaterThan(20);
  await expect(page()).toMatchFileSnapshot("../../../docs/control-plane.md");
});
