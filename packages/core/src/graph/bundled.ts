import type { GraphDefinition, GraphNode, Persona } from "./model.ts";

/**
 * The graphs that everybody has, as data: reading them as YAML takes as long as starting Node, at
 * every turn. `loop graph show --definition` prints them as an operator would write them
 * (bundled-text.ts).
 */
export const bundledDefinitions: readonly GraphDefinition[] = [
  inARow("work-item", [
    node(
      "intake",
      "Intake",
      ["pm"],
      "Read the item, its thread and what it links to. Say in your own words what is wanted, for whom, and how one would notice that it is done. Ask what you cannot find out yourself.",
      {
        produces: [
          {
            file: "intake.md",
            headings: ["What is wanted", "For whom", "How we know it is done", "Asked and assumed"],
          },
        ],
      },
    ),
    node(
      "requirements",
      "Requirements",
      ["pm"],
      "Write down what must be true when the work is done, each so that it can be checked, and what is left out on purpose.",
      {
        produces: [
          {
            file: "requirements.md",
            headings: ["Goal", "Requirements", "Out of scope", "Assumptions"],
          },
        ],
      },
    ),
    node(
      "design",
      "Design",
      ["design", "architect"],
      "Decide how the requirements are met: what people see, which parts change, which ways were weighed and why this one was taken.",
      {
        produces: [
          {
            file: "design.md",
            headings: [
              "Approach",
              "What people see",
              "Data and interfaces",
              "Alternatives",
              "Risks",
              "Proof",
            ],
          },
        ],
      },
    ),
    node(
      "test-plan",
      "Test plan",
      ["qa"],
      "Say for each requirement how it is tested, and what could go wrong that nobody asked about.",
      { produces: [{ file: "test-plan.md", headings: ["Cases", "Risks covered", "Not tested"] }] },
    ),
    node(
      "tasks",
      "Tasks",
      ["dev"],
      "Cut the work into steps of which each can be shown to work, in the order in which they are done.",
      { produces: [{ file: "tasks.md", headings: ["Steps", "Left for later"] }] },
    ),
    node(
      "implementation",
      "Implementation",
      ["dev"],
      "Do the steps. Test what you change, commit, push, open a pull request and record it with loop sessions link-pr. Keep the execution log: what was done, what turned out otherwise than planned.",
      { produces: [{ file: "execution-log.md", headings: ["Done", "Deviations"] }] },
    ),
    node(
      "verification",
      "Verification",
      ["qa"],
      "Run the test plan against what was built. Say for each case what you did and saw; what fails goes back before you go on.",
      {
        produces: [
          { file: "verification.md", headings: ["Results", "Beyond the plan", "Findings"] },
        ],
      },
    ),
    node(
      "review",
      "Review",
      ["architect"],
      "Read every pull request of the work item, in every repository, as somebody would who has to live with it. The critics judge it after your turn; answer each of their findings by a change or a reason.",
      {
        produces: [{ file: "review.md", headings: ["Summary", "Pull requests", "Findings"] }],
        critics: "all",
        scope: "work-item",
      },
    ),
    node(
      "human-approval",
      "Approval",
      ["pm"],
      "A person decides now. Answer what they ask on the thread, and change what they want changed.",
      { gate: "human" },
    ),
    node("complete", "Complete", [], "", { terminal: true }),
  ]),
  inARow("pull-request", [
    node(
      "implementation",
      "Implementation",
      ["dev"],
      "Do what the pull request's title and description ask, on its branch. Test what you change, commit and push. Keep the execution log.",
      { produces: [{ file: "execution-log.md", headings: ["Done", "Deviations"] }] },
    ),
    node(
      "verification",
      "Verification",
      ["qa"],
      "Test what the pull request promises, and what it might break. Say what you did and saw.",
      {
        produces: [
          { file: "verification.md", headings: ["Results", "Beyond the plan", "Findings"] },
        ],
      },
    ),
    node(
      "review",
      "Review",
      ["architect"],
      "Read the whole change. The critics judge it after your turn; answer each of their findings by a change or a reason.",
      {
        produces: [{ file: "review.md", headings: ["Summary", "Pull requests", "Findings"] }],
        critics: "all",
        scope: "work-item",
      },
    ),
    node(
      "human-approval",
      "Approval",
      ["pm"],
      "A person decides now. Answer what they ask on the thread, and change what they want changed.",
      { gate: "human" },
    ),
    node("complete", "Complete", [], "", { terminal: true }),
  ]),
];

function node(
  id: string,
  title: string,
  personas: readonly Persona[],
  task: string,
  more: Partial<GraphNode> = {},
): GraphNode {
  const { produces = [] } = more;
  return {
    id,
    title,
    personas,
    task,
    produces,
    gate: null,
    critics: [],
    scope: produces.length > 0 ? "node" : "work-item",
    optional: false,
    terminal: false,
    ...more,
  };
}

/**
 * One node after the other; what critics or a person reject is taken up where it was implemented.
 */
function inARow(name: string, nodes: readonly GraphNode[]): GraphDefinition {
  const ways = nodes
    .slice(1)
    .map(({ id }, at) => ({ from: nodes[at]?.id ?? "", to: id, when: "complete" as const }));
  const back = nodes
    .filter(({ gate, critics }) => gate !== null || critics === "all")
    .map(({ id }) => ({ from: id, to: "implementation", when: "rejected" as const }));
  return { name, nodes, edges: [...ways, ...back] };
}
