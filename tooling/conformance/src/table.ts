import { rowsOf } from "./markdown.ts";

/** One requirement as `docs/conformance.md` has it. `tests` are written `path › name`. */
export type Requirement = {
  readonly name: string;
  readonly section: string;
  readonly owner: string;
  readonly state: string;
  readonly tests: readonly string[];
};

/** Every section of the specification that holds requirements. */
export const sections: readonly string[] = [
  "1",
  "2.1",
  "2.2",
  "2.3",
  "2.4",
  "3.1",
  "3.2",
  "3.3",
  "3.4",
  "4.1",
  "4.2",
  "4.3",
  "4.4",
  "5",
  "6.1",
  "6.2",
  "6.3",
  "6.4",
  "6.5",
  "6.6",
  "7",
  "8",
  "9",
];

/** The issues that the work was cut into. */
export const owners: readonly string[] = [
  "1. The main job, end to end, on real input",
  "2. Routing, control and authority, complete; code-host client and poller",
  "3. Workspaces, trust, attachable sessions, and harness B",
  "4. Control plane: REST, /mcp, dashboard, events; service life",
  "5. Many machines on PostgreSQL",
  "6. The plugin for both harnesses, hooks, process graph, critics, manifest",
  "7. Learnings that stay true",
  "8. Proof and polish: limits, faults, packages, documents",
];

/** Rows of the table of requirements: those with five cells. */
export function requirementsOf(page: string): readonly Requirement[] {
  return rowsOf(page).flatMap(([name, section, owner, state, tests, ...more]) => {
    if (
      name === undefined ||
      section === undefined ||
      owner === undefined ||
      state === undefined ||
      tests === undefined ||
      more.length > 0
    )
      return [];
    return [
      {
        name,
        section,
        owner,
        state,
        tests:
          tests === ""
            ? []
            : tests.split("<br>").map((test) => test.trim().replace(/^`/, "").replace(/`$/, "")),
      },
    ];
  });
}

/**
 * Everything that is wrong with the table. `read` gives the text of a file of the repository, or
 * null.
 */
export function faultsOf(
  requirements: readonly Requirement[],
  read: (path: string) => string | null,
): readonly string[] {
  const missing = sections
    .filter(
      (section) =>
        !requirements.some(
          (row) => row.section === section || row.section.startsWith(`${section}.`),
        ),
    )
    .map((section) => `section ${section} has no row`);
  const names = requirements.map(({ name, section }) => `${section} ${name}`);
  const twice = names
    .filter((name, at) => names.indexOf(name) !== at)
    .map((name) => `${name}: stands there twice`);
  return [
    ...missing,
    ...twice,
    ...requirements.flatMap((row) =>
      faultsOfRow(row, read).map((fault) => `${row.section} ${row.name}: ${fault}`),
    ),
  ];
}

function faultsOfRow(row: Requirement, read: (path: string) => string | null): readonly string[] {
  const owner = owners.includes(row.owner) ? [] : [`${row.owner} owns nothing`];
  const section = sections.some(
    (known) => row.section === known || row.section.startsWith(`${known}.`),
  )
    ? []
    : [`there is no section ${row.section}`];
  const state = row.state === "done" || row.state === "open" ? [] : [`${row.state} is no state`];
  const proof = row.state === "done" && row.tests.length === 0 ? ["done, and no test says so"] : [];
  return [
    ...owner,
    ...section,
    ...state,
    ...proof,
    ...row.tests.flatMap((test) => faultOfTest(test, read)),
  ];
}

function faultOfTest(test: string, read: (path: string) => string | null): readonly string[] {
  const [path = "", name = "", ...more] = test.split(" › ");
  if (name === "" || more.length > 0) return [`${test} is not written as path › name`];
  const text = read(path);
  if (text === null) return [`there is no file ${path}`];
  return titlesOf(text).has(name) ? [] : [`${path} has no test called ${JSON.stringify(name)}`];
}

/**
 * Names of tests in a source, and of the rows of data that tests are made from, as they are written
 * there: what stands in quotes behind `test(`, `it(`, `describe(` or the brackets of `each`, behind
 * `name:` or `title:`, as an element of a row, and behind the id of a row or check.
 */
export function titlesOf(source: string): ReadonlySet<string> {
  const lead =
    /(?:\b(?:test|it|describe)(?:\.[a-zA-Z]{1,20}){0,3}\(|\)\(|\bname: |\btitle: |\bwhat: |\[|\b(?:row|check)\(\s{0,20}"[A-Za-z0-9-]{1,30}",|\b(?:name|title|what):)\s{0,20}/
      .source;
  const literal = /("(?:[^"\\\n]|\\.){8,300}"|`(?:[^`\\\n]|\\.){8,300}`|'(?:[^'\\\n]|\\.){8,300}')/
    .source;
  return new Set(
    [...source.matchAll(new RegExp(lead + literal, "g"))].map((match) => unquoted(match[1] ?? "")),
  );
}

function unquoted(literal: string): string {
  return literal.slice(1, -1).replaceAll('\\"', '"').replaceAll("\\`", "`");
}
