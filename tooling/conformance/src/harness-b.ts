import type { AnySchema } from "ajv/dist/2020.js";

/**
 * Rules for what harness B reads, written from its official schemas (cursor/plugins,
 * schemas/*.schema.json) and its page about hooks. They are closed as those are: a key that only
 * the other harness knows is a fault.
 */
const text = { type: "string", minLength: 1 };
const name = { type: "string", pattern: "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$" };
const person = closed({ name: text, email: { type: "string", pattern: "^[^@\\s]+@[^@\\s]+$" } }, [
  "name",
]);
const paths = { anyOf: [text, { type: "array", items: text }] };
const address = { type: "string", pattern: "^https?://" };
const clients = { type: "object", additionalProperties: text };

export const pluginManifest: AnySchema = closed(
  {
    name,
    displayName: text,
    description: text,
    version: { type: "string", pattern: "^\\d+\\.\\d+\\.\\d+" },
    minClientVersions: clients,
    author: person,
    publisher: text,
    homepage: address,
    repository: address,
    license: text,
    logo: text,
    keywords: { type: "array", items: text },
    category: text,
    tags: { type: "array", items: text },
    commands: paths,
    agents: paths,
    skills: paths,
    rules: paths,
    hooks: { anyOf: [text, { type: "object" }] },
    variables: { type: "object" },
    mcpServers: {},
  },
  ["name"],
);

const entry = closed({ name, source: text, description: text, minClientVersions: clients }, [
  "name",
  "source",
]);
export const marketplace: AnySchema = closed(
  {
    name,
    owner: person,
    metadata: { type: "object" },
    plugins: { type: "array", minItems: 1, items: entry },
  },
  ["name", "owner", "plugins"],
);

const events = [
  ...[
    "beforeShellExecution",
    "afterShellExecution",
    "beforeMCPExecution",
    "afterMCPExecution",
    "beforeReadFile",
    "afterFileEdit",
    "beforeTabFileRead",
    "afterTabFileEdit",
  ],
  ...[
    "stop",
    "beforeSubmitPrompt",
    "afterAgentResponse",
    "afterAgentThought",
    "sessionStart",
    "sessionEnd",
    "preCompact",
    "subagentStart",
    "subagentStop",
  ],
  ...["preToolUse", "postToolUse", "postToolUseFailure", "workspaceOpen"],
];
const hook = closed(
  {
    command: text,
    type: text,
    timeout: { type: "number", exclusiveMinimum: 0 },
    matcher: text,
    loop_limit: { type: ["integer", "null"] },
    failClosed: { type: "boolean" },
  },
  ["command"],
);
export const hooksFile: AnySchema = closed(
  {
    version: { const: 1 },
    hooks: closed(
      Object.fromEntries(events.map((event) => [event, { type: "array", items: hook }])),
    ),
  },
  ["version", "hooks"],
);

export const rule: AnySchema = closed(
  { description: text, globs: paths, alwaysApply: { type: "boolean" } },
  ["description"],
);

function closed(
  properties: Readonly<Record<string, unknown>>,
  required: readonly string[] = [],
): AnySchema {
  return { type: "object", additionalProperties: false, properties, required };
}
