import assert from "node:assert/strict";
import type { Scene, Story } from "@loopwork-tooling/browser";
import { operations } from "@loopwork/control-plane/operations";
import { type Inspector, openInspector } from "./inspect.ts";

/** The real service with a story in it, and the inspector in front. */
export type Stage = { readonly inspector: Inspector; readonly scene: Scene; readonly story: Story };

/**
 * A promise about `/mcp`, kept in front of a program that others wrote; `run` rejects with what
 * differs.
 */
export type InspectorCheck = {
  readonly id: string;
  readonly title: string;
  run(stage: Stage): Promise<void>;
};

const tools = operations.flatMap(({ name, tool, kind }) =>
  tool === null ? [] : [{ name, input: tool.input, kind }],
);

/** The list first, then a call of each tool that it names. */
export const inspectorChecks: readonly InspectorCheck[] = [
  {
    id: "inspector-list",
    title:
      "the inspector lists the operations of the table that are for agents, each with its input, and no other",
    async run({ inspector }) {
      const { tools: listed = [] } = await inspector.ask("--method", "tools/list", "--strict");
      assert.deepEqual(
        listed.map(({ name, inputSchema, annotations }) => ({
          name,
          input: inputSchema,
          kind: annotations?.readOnlyHint === true ? "read" : "write",
        })),
        tools,
      );
    },
  },
  ...tools.map(({ name }) => ({
    id: `inspector-call-${name}`,
    title: `the inspector calls ${name}, and is answered without an error`,
    run: async (stage: Stage) => called(name, await inputFor(name, stage), stage),
  })),
  {
    id: "inspector-refused",
    title: "an input that does not fit, a tool that is for people, and a missing token are refused",
    async run({ inspector, scene, story }) {
      const call = (name: string, ...given: readonly string[]): Promise<unknown> =>
        inspector.ask(
          "--method",
          "tools/call",
          "--tool-name",
          name,
          ...given.flatMap((each) => ["--tool-arg", each]),
        );
      await assert.rejects(call("show-delivery", "id=../etc"), /LOOP_E_INPUT/);
      await assert.rejects(
        call("control-work-item", `ref=${scene.refOf(story.done)}`, "verb=cleanup"),
        /LOOP_E_INPUT|verb/,
      );
      await assert.rejects(call("restart"), /not found|no tool of this name/i);
      const stranger = openInspector(`${scene.url}mcp`, "0".repeat(64));
      await assert.rejects(stranger.ask("--method", "tools/list"), /auth_required/);
      stranger.close();
    },
  },
];

async function called(
  name: string,
  input: Readonly<Record<string, string>>,
  { inspector }: Stage,
): Promise<void> {
  const given = Object.entries(input).flatMap(([field, value]) => [
    "--tool-arg",
    `${field}=${value}`,
  ]);
  const result = await inspector.ask("--method", "tools/call", "--tool-name", name, ...given);
  assert.notEqual(result.isError, true, JSON.stringify(result));
  const expected = operations.find((operation) => operation.name === name)?.output["required"];
  assert.ok(
    Array.isArray(expected) && expected.length > 0,
    "the document names what an answer has",
  );
  const { structuredContent: answer = {} } = result;
  const told = expected.map(String).filter((field) => answer[field] !== undefined);
  assert.deepEqual(
    told,
    expected.map(String).filter((field) => !isAnyones(name, field)),
    "each part of the answer is there, but what anybody may have written",
  );
}

/** Whether a part of a tool's answer is marked as written by anybody, and so kept from agents. */
function isAnyones(name: string, field: string): boolean {
  const properties: unknown = operations.find((operation) => operation.name === name)?.output[
    "properties"
  ];
  const schema: unknown = Reflect.get(Object(properties), field);
  const alternatives: unknown = Reflect.get(Object(schema), "anyOf");
  const schemas: readonly unknown[] = [
    schema,
    ...(Array.isArray(alternatives) ? alternatives : []),
  ];
  return schemas.some((each) => Reflect.get(Object(each), "x-written-by-anyone") === true);
}

/** What each tool needs to have something to tell. */
async function inputFor(
  name: string,
  { scene, story }: Stage,
): Promise<Readonly<Record<string, string>>> {
  if (name === "control-work-item") return { ref: scene.refOf(story.paused), verb: "resume" };
  if (name.endsWith("-delivery")) return { id: await anyDelivery(scene) };
  if (/^(show-work-item|show-timeline|list-sessions|list-learnings)$/.test(name))
    return { ref: scene.refOf(story.done) };
  return {};
}

async function anyDelivery(scene: Scene): Promise<string> {
  return (
    /"id":"([^"]{1,128})"/.exec(JSON.stringify(await scene.ask("/deliveries?limit=1")))?.[1] ?? ""
  );
}
