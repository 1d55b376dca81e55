import { proseOf, rowsOf } from "./markdown.ts";

/**
 * One requirement as `docs/conformance.md` has it. `section` is a heading of
 * `docs/specification.md`; `tests` are written `path › name`.
 */
export type Requirement = {
  readonly name: string;
  readonly section: string;
  readonly state: string;
  readonly tests: readonly string[];
};

/** Headings of a specification below its title. */
export function sectionsOf(specification: string): readonly string[] {
  return [...proseOf(specification).matchAll(/^#{2,6} (.{1,200})$/gm)].map(
    ([, heading = ""]) => heading,
  );
}

/** Sections of the specification that only explain, so that no test can show them. */
export const explanations: readonly string[] = [];

/** Rows of the table of requirements: those with four cells. */
export function requirementsOf(page: string): readonly Requirement[] {
  return rowsOf(page).flatMap(([link, name, state, tests, ...more]) => {
    if (
      link === undefined ||
      name === undefined ||
      state === undefined ||
      tests === undefined ||
      more.length > 0
    )
      return [];
    return [
      {
        name,
        section: /^\[(.{1,200})\]\(specification\.md#/.exec(link)?.[1] ?? link,
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
 * Everything that is wrong with the table. `sections` are those of the specification; `read` gives
 * the text of a file of the repository, or null.
 */
export function faultsOf(
  requirements: readonly Requirement[],
  sections: readonly string[],
  read: (path: string) => string | null,
): readonly string[] {
  const missing = sections
    .filter((section) => !explanations.includes(section))
    .filter((section) => !requirements.some((row) => row.section === section))
    .map((section) => `section ${section} has no row`);
  const names = requirements.map(({ name, section }) => `${section} ${name}`);
  const twice = names
    .filter((name, at) => names.indexOf(name) !== at)
    .map((name) => `${name}: stands there twice`);
  return [
    ...missing,
    ...twice,
    ...requirements.flatMap((row) =>
      faultsOfRow(row, sections, read).map((fault) => `${row.section} ${row.name}: ${fault}`),
    ),
  ];
}

function faultsOfRow(
  row: Requirement,
  sections: readonly string[],
  read: (path: string) => string | null,
): readonly string[] {
  const section = sections.includes(row.section) ? [] : [`there is no section ${row.section}`];
  const state = row.state === "done" || row.state === "open" ? [] : [`${row.state} is no state`];
  const proof = row.state === "done" && row.tests.length === 0 ? ["done, and no test says so"] : [];
  return [...section, ...state, ...proof, ...row.tests.flatMap((test) => faultOfTest(test, read))];
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
