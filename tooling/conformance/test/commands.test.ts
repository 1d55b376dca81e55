import { dirname } from "node:path";
import { expect, test } from "vitest";
import { defaultWords } from "@loopwork/core";
import { parseConfig } from "@loopwork/core/config";
import {
  commandLinesOf,
  commandLinesOfSource,
  faultOfLine,
  knownCommands,
} from "../src/commands.ts";
import { blocksOf } from "../src/markdown.ts";
import { filesOf, pages, textOf } from "../src/repository.ts";

const commands = knownCommands();
const scriptsOf = (file: string): readonly string[] =>
  Object.keys(Object(JSON.parse(textOf(file) ?? "{}")).scripts ?? {});
/** Names of scripts; those of a tool with its folder before them. */
const scripts = new Set([
  ...scriptsOf("package.json"),
  ...filesOf("tooling/*/package.json").flatMap((file) =>
    scriptsOf(file).map((name) => `${dirname(file)} ${name}`),
  ),
]);

/** What people type in threads; a page may name each like a command. */
const keywords = Object.values(defaultWords.keywords);

/**
 * Pages that record decisions speak of what is to come as well; `docs/reasons.md` quotes the
 * program.
 */
const checked = pages().filter(
  (page) =>
    !page.startsWith("docs/adr/") && page !== "docs/reasons.md" && page !== "docs/conformance.md",
);

test.each(checked)("%s names only commands, options and scripts that there are", (page) => {
  const lines = commandLinesOf(textOf(page) ?? "").filter(
    (line) => !keywords.some((keyword) => line === keyword || line.startsWith(`${keyword} @`)),
  );
  expect(lines.flatMap((line) => faultOfLine(line, commands, scripts) ?? [])).toEqual([]);
});

test.each(checked)("%s shows only configurations that are valid", (page) => {
  for (const { language, text } of blocksOf(textOf(page) ?? "")) {
    if (language !== "yaml") continue;
    const parsed = parseConfig(text, { file: page });
    expect(parsed.ok ? [] : parsed.errors).toEqual([]);
  }
});

test("commands are found within lists, after variables, in pipes and over several lines", () => {
  const page =
    '1. First\n\n   ```sh\n   LOOP_X=1 loop dance --a \\\n     --b\n   loop sing | loop hop && sudo loop jump\n   ```\n\n`X="a b" loop run`\n\n    loop lie          is not a command\n';
  expect(commandLinesOf(page).map((line) => line.replaceAll(/\s+/g, " "))).toEqual([
    "loop dance --a --b",
    "loop sing",
    "loop hop",
    "loop jump",
    "loop lie",
    "loop run",
  ]);
});

test.each(checked)(
  "%s has no block of a language that nobody looks at, and its JSON parses",
  (page) => {
    for (const { language, text, line } of blocksOf(textOf(page) ?? "")) {
      expect(["sh", "text", "yaml", "json", "ts", "js", "nginx"], `${page}:${line}`).toContain(
        language.split(" ")[0],
      );
      if (language === "json") expect(() => void JSON.parse(text), `${page}:${line}`).not.toThrow();
    }
  },
);

test("the program names only commands, options and scripts that there are, in its hints and in the reasons of loop why", () => {
  const named = filesOf("packages/*/src/**/*.ts").flatMap((file) =>
    commandLinesOfSource(textOf(file) ?? "").map((line) => ({ file, line })),
  );
  expect(named.length).toBeGreaterThan(40);
  const isKeyword = (line: string): boolean =>
    keywords.some((keyword) => line === keyword || line.startsWith(`${keyword} @`));
  expect(
    named.flatMap(({ file, line }) =>
      isKeyword(line)
        ? []
        : [faultOfLine(line, commands, scripts)].flatMap((fault) =>
            fault === null ? [] : [`${file}: ${fault}`],
          ),
    ),
  ).toEqual([]);
  expect(
    commandLinesOfSource('  fail("no", "try `loop dance` first"); // `loop sing`\n  // `loop hop`'),
  ).toEqual(["loop dance", "loop sing"]);
});

test("the table of commands is read, with the options of each", () => {
  expect(commands.length).toBeGreaterThan(20);
  expect(commands.find(({ name }) => name === "init")?.options.has("--repository")).toBe(true);
  expect(
    commands.find(({ name }) => name === "sessions link-pr")?.options.has("--pull-request"),
  ).toBe(true);
});

test.each([
  ["loop dance", "there is no command: loop dance"],
  ["loop start --quickly", "loop start has no --quickly: loop start --quickly"],
  ["npm run nothing", "there is no script: npm run nothing"],
  ["npm run --prefix tooling/sim nothing", "there is no script: npm run tooling/sim nothing"],
])("the check can fail: %s", (line, fault) =>
  expect(faultOfLine(line, commands, scripts)).toBe(fault),
);

test.each([
  "loop",
  "loop --help",
  "loop why host:a/b#7",
  "loop sessions list --all --json",
  "npm run -s faults -- --kills 9",
  "npm start -- --once",
  "npm run -s --prefix tooling/evals fuzz:markdown -- --seed 1",
  "npm install -g x",
  "ls",
])("%s is fine", (line) => expect(faultOfLine(line, commands, scripts)).toBeNull());
