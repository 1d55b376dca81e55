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
    "# Control plane: REST and MCP",
    "",
    "Generated from `packages/control-plane/src/operations`; a test fails when the two differ.",
    "",
    "REST paths start with `/api/v1`. Every request needs `Authorization: Bearer` with the contents of",
    "`<state.root>/control-plane.token`. `GET /api/v1/openapi.json` has the schemas. At `/mcp`, a tool has",
    "the operation's name, and path parameters are ordinary fields.",
    "",
    "| operation | REST | what it does | fields | MCP tool | effect |",
    "|---|---|---|---|---|---|",
    ...operations.map(rowOf),
    "",
    "Other paths:",
    "",
    "| path | what it returns |",
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
  const agents = tool === null ? "no" : isNarrower(tool.input, input) ? "yes, fewer values" : "yes";
  const again = kind === "read" ? "read-only" : idempotent ? "idempotent" : "not idempotent";
  return `| \`${name}\` | \`${route.method.toUpperCase()} ${route.path}\` | ${cell(summary)}${destructive ? " (destructive)" : ""} | ${fieldsOf(input)} | ${agents} | ${again} |`;
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
