import { describe, expect, test } from "vitest";
import { parseConfig } from "../../src/config/parse.ts";
import { checkRules, plainFacts } from "../../src/config/rules.ts";

/** What the rules say about the graph, as `level path: message`. */
function said(yaml: string): readonly string[] {
  const parsed = parseConfig(yaml, { file: "cli-config.yaml" });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  const { errors, warnings } = checkRules(parsed.config, plainFacts(parsed.config));
  const found = [...errors, ...warnings].filter(
    ({ path }) => path.startsWith("routing.graph") || path.startsWith("critics"),
  );
  return found.map(
    ({ code, path, message }) =>
      `${code.startsWith("LOOP_E") ? "error" : "warning"} ${path}: ${message}`,
  );
}

describe("the folder of the artifacts", () => {
  for (const specDir of ["/specs", "~/specs", "..", "docs/../../specs", ".git/specs"]) {
    test(`does not lie outside of the checkout: ${specDir}`, () =>
      expect(said(`routing: { graph: { specDir: ${JSON.stringify(specDir)} } }`)).toEqual([
        "error routing.graph.specDir: the folder does not lie inside of the checkout",
      ]));
  }
  test("lies inside of it, also in a hidden folder", () =>
    expect(said("routing: { graph: { specDir: .specs/items } }")).toEqual([]));
});

describe("hooks and critics", () => {
  test("need something to run", () => {
    expect(
      said(
        "routing: { graph: { specDir: specs, hooks: [{ node: design }] } }\ncritics: [{ name: one }]",
      ),
    ).toEqual([
      "error routing.graph.hooks[0]: the hook has no command",
      "error critics[0]: the critic has neither a command nor a prompt",
    ]);
    expect(
      said(
        "routing: { graph: { specDir: specs, hooks: [{ node: design, command: [make] }] } }\ncritics: [{ name: one, command: [judge], prompt: look }, { name: two, command: [judge] }]",
      ),
    ).toEqual([]);
  });

  test("a prompt alone is enough, and a harness beside a command is warned of", () => {
    expect(
      said(
        "routing: { graph: { specDir: specs } }\ncritics: [{ name: one, prompt: look }, { name: two, prompt: look, harness: B }]",
      ),
    ).toEqual([]);
    expect(
      said(
        "routing: { graph: { specDir: specs } }\ncritics: [{ name: one, command: [judge], harness: A }]",
      ),
    ).toEqual(["warning critics[0].harness: has no effect beside a command"]);
  });

  test("have a name each", () => {
    expect(
      said(
        "routing: { graph: { specDir: specs } }\ncritics: [{ name: one, command: [x] }, { name: one, command: [y] }]",
      ),
    ).toEqual(["error critics[1].name: another critic has that name"]);
  });

  test("warn where no graph asks for them", () => {
    expect(
      said(
        "routing: { graph: { definition: graphs.yaml } }\ncritics: [{ name: one, command: [x] }]",
      ),
    ).toEqual([
      "warning routing.graph.definition: has no effect while there is no graph",
      "warning critics: has no effect while there is no graph",
    ]);
  });
});
