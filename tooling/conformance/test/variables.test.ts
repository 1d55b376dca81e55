import { expect, test } from "vitest";
import { filesOf, pages, textOf } from "../src/repository.ts";
import { knownVariables, namedByConfiguration, variablesIn } from "../src/variables.ts";

const known = knownVariables();
const texts = [
  ...pages().filter((page) => !page.startsWith("docs/adr/")),
  ...filesOf("examples/**/*.{yaml,yml,service,timer,env}"),
  ...filesOf(".github/workflows/*.yml"),
  ".ci/run",
];

/** Variables that a text names and nothing reads. */
function unknownIn(text: string): readonly string[] {
  const named = namedByConfiguration(text);
  return [...variablesIn(text)].filter((name) => !known.has(name) && !named.has(name));
}

test("the variables that the program reads are found", () => {
  for (const name of ["LOOP_CONFIG", "LOOP_HOST_TOKEN", "LOOP_STORE_URL", "LOOP_CI_NODE"])
    expect(known).toContain(name);
});

test.each(texts)(
  "%s names only variables that something reads, or that its own configuration names",
  (path) => expect(unknownIn(textOf(path) ?? "")).toEqual([]),
);

test("the check can fail: a variable that nobody reads; a code of an error is none, and a configuration may name its own", () => {
  expect(
    unknownIn(
      "LOOP_NO_SUCH LOOP_E_USAGE LOOP_W_SMALL\n```yaml\nstore: { urlEnv: LOOP_OWN_URL }\n```\n`LOOP_OWN_URL`",
    ),
  ).toEqual(["LOOP_NO_SUCH"]);
});
