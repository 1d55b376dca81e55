import type { Finding, Rule } from "../rules.ts";
import type { Config } from "../schema.ts";

/**
 * Rules about the process graph, its hooks and critics. What names nodes is checked where the graph
 * is read.
 */
export const graphRules: readonly Rule[] = [
  specDirInside,
  commandsThere,
  criticsNamedOnce,
  harnessUnused,
  withoutGraph,
];

/**
 * Artifacts belong to the checkout: another folder would be shared by every work item and every
 * repository.
 */
function specDirInside({ routing }: Config): readonly Finding[] {
  const { specDir } = routing.graph;
  const inside =
    specDir === "" ||
    (!specDir.startsWith("/") &&
      !specDir.startsWith("~") &&
      !specDir.split("/").some((part) => part === ".." || part === ".git"));
  return inside
    ? []
    : [
        {
          level: "error",
          path: "routing.graph.specDir",
          message: "the folder does not lie inside of the checkout",
          hint: "name it relative to the checkout, such as docs/specs",
        },
      ];
}

function commandsThere({ routing, critics }: Config): readonly Finding[] {
  const hooks = routing.graph.hooks.flatMap(({ command }, i): readonly Finding[] =>
    command.length > 0
      ? []
      : [
          {
            level: "error",
            path: `routing.graph.hooks[${i}]`,
            message: "the hook has no command",
            hint: "write its argv: `command: [npm, test]`",
          },
        ],
  );
  return [
    ...hooks,
    ...critics.flatMap(({ command, prompt }, i): readonly Finding[] =>
      command.length > 0 || prompt !== null
        ? []
        : [
            {
              level: "error",
              path: `critics[${i}]`,
              message: "the critic has neither a command nor a prompt",
              hint: "write its argv as `command`, or as `prompt` what a harness shall look for",
            },
          ],
    ),
  ];
}

function criticsNamedOnce({ critics }: Config): readonly Finding[] {
  return critics.flatMap(({ name }, i): readonly Finding[] =>
    critics.findIndex((each) => each.name === name) === i
      ? []
      : [
          {
            level: "error",
            path: `critics[${i}].name`,
            message: "another critic has that name",
            hint: "give each critic a name of its own",
          },
        ],
  );
}

/** Who names a harness must not believe that it judges: a command judges by itself. */
function harnessUnused({ critics }: Config): readonly Finding[] {
  return critics.flatMap(({ command, harness }, i): readonly Finding[] =>
    command.length === 0 || harness === null
      ? []
      : [
          {
            level: "warning",
            path: `critics[${i}].harness`,
            message: "has no effect beside a command",
            hint: "remove it, or remove `command` and write as `prompt` what the harness shall look for",
          },
        ],
  );
}

/** Who sets one of these must not wait for something to happen. */
function withoutGraph({ routing, critics }: Config): readonly Finding[] {
  if (routing.graph.specDir !== "") return [];
  const set: readonly (readonly [path: string, isSet: boolean])[] = [
    ["routing.graph.hooks", routing.graph.hooks.length > 0],
    ["routing.graph.definition", routing.graph.definition !== null],
    ["critics", critics.length > 0],
  ];
  return set
    .filter(([, isSet]) => isSet)
    .map(([path]): Finding => ({
      level: "warning",
      path,
      message: "has no effect while there is no graph",
      hint: "name the folder of the artifacts in `routing.graph.specDir`",
    }));
}
