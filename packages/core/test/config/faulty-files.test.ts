import { expect, test } from "vitest";
import { parseConfig } from "../../src/config/parse.ts";
import { formatProblem } from "../../src/config/problem.ts";

const file = "cli-config.yaml";
const dashes = (n: number): string => "- ".repeat(n);
const levels = (n: number): string =>
  Array.from({ length: n }, (_, i) => `${" ".repeat(i)}a:`).join("\n");
/** Put together here, so that nothing in the repository looks like a leak. */
const secret = `ghp_${"0aB9".repeat(9)}`;

/** Files that are refused, each under the promise that it shows. */
const faulty: readonly (readonly [promise: string, text: string])[] = [
  ["a file of one character too many is not parsed", `#${"x".repeat(131_072)}`],
  ["257 open brackets are not parsed", `a: ${"[".repeat(257)}`],
  ["257 open braces are not parsed", `a:\n  ${"{".repeat(257)}`],
  ["brackets with blanks between count as much", `a: ${"[ ".repeat(257)}`],
  [
    "brackets count over lines, and the line of the one too many is named",
    `a:\n${"[\n".repeat(257)}`,
  ],
  [
    "brackets closed in a text beforehand do not make room for one more",
    `a: "]}]}"\nb: ${"[".repeat(257)}`,
  ],
  [
    "256 brackets are left to the parser, which has bounds of its own",
    `a: ${"[".repeat(256)}${"]".repeat(256)}`,
  ],
  ["many lists beside each other are not deep", `polling: [${"[],".repeat(300)}]`],
  ["many maps beside each other are not deep", `polling: [${"{},".repeat(300)}]`],
  ["33 dashes that begin a line are not parsed", `\n${dashes(33)}a`],
  ["33 question marks that begin a line are not parsed", `${"? ".repeat(33)}a`],
  ["33 dashes with tabs between are not parsed", `${"-\t".repeat(33)}a`],
  ["32 dashes are as deep as a file may be", `${dashes(32)}a`],
  ["a ruler of dashes in a comment is not deep", `# ${"-".repeat(70)}\npolling: 1`],
  ["a ruler of dashes in a value is not deep", `polling: ${"-".repeat(70)}`],
  ["32 levels of indentation are as deep as a file may be", levels(32)],
  ["33 levels of indentation are refused", levels(33)],
  ["a tab as indentation", "polling:\n\tenabled: true"],
  ["a second document", "polling: {}\n---\nrouting: {}"],
  [
    "what the parser says is on one line of at most 160 characters",
    `%YAML ${"1".repeat(300)}\n---\na: 1`,
  ],
  ["a quote that is never closed", 'polling:\n  enabled: "true\n'],
  ["two values behind one key", "polling: 'a' b"],
  ["several faults of syntax are told together", "polling: 'a' b\nrouting: 'c' d"],
  ["an alias of nothing, by its name, which is escaped", "routing: {runner: *nob\u202eody}"],
  ["an alias of itself", "routing: &r\n  control: *r"],
  ["a tag, by its name", "polling:\n  enabled: !!bool true"],
  ["a tag in a list", "critics: [{name: a}, !x {name: b}]"],
  ["a key that stands there twice, at the top", "polling: {}\npolling: {}"],
  [
    "a key that stands there twice, deep in a list",
    "critics:\n  - name: a\n  - name: b\n    name: c",
  ],
  ["a key that is a list", "polling:\n  ? [enabled]\n  : true"],
  ["a list in place of the file", "- polling"],
  ["a word in place of the file", "polling"],
  [
    "several faults of one line, from left to right, though the second place of a key is looked at last",
    "{ webhooks: { hostWebhook: { routing: { enabled: true }, prt: 1 } }, routing: { enabled: false }, poling: 1 }",
  ],
  [
    "several faults of several lines, from top to bottom",
    "webhooks:\n  hostWebhook:\n    routing: { runner: tmux }\nrouting: { runner: headless }\npoling: 1",
  ],
  ["a map of many keys is told with twelve of them", "routing: on"],
  [
    "warnings stand beside errors, in order",
    "routing: { interaction: { mode: tui }, runner: tmuxx }\nwebhooks: { hostWebhook: { routing: { interaction: { mode: c-li } } } }",
  ],
  [
    "an unknown word far from all others",
    "routing: { interaction: { mode: telepathy }, runner: butler }",
  ],
  [
    "an unknown key is shown with at most 60 characters, and its path with at most 200",
    `polling: { ${"long".repeat(60)}: 1 }`,
  ],
  ["a key of 60 characters is shown whole", `polling: { ${"k".repeat(60)}: 1 }`],
  [
    "every key for a secret",
    "webhooks: { hostWebhook: { secret: x } }\nintegrations: { codeHost: { token: x } }\nservice: { token: x }",
  ],
  [
    "a number below its bounds and one above",
    "service: { port: 0 }\nwebhooks: { hostWebhook: { port: 65536, maxBodyBytes: -1 } }",
  ],
  [
    "a number that is not written in decimal digits",
    "service: { port: 0x1f }\nrouting: { budget: { usd: 1e3, turns: .inf } }",
  ],
  ["a quoted word that is no number", 'service: { port: "81x" }'],
  [
    "a text that is no text is shown with at most 40 characters",
    `instance: { name: ${"9".repeat(50)} }\nrouting: { authorizedUsers: [${"8".repeat(50)}] }`,
  ],
  [
    "an event that is near another, and one that is not",
    "webhooks: { hostWebhook: { events: [issue, carrier_pigeon] } }",
  ],
  ["a choice in another case", "logging: { level: INFO }"],
  [
    "a variable's name and value that are none",
    `harnesses: { A: { env: { "A B": x, ${"C-".repeat(40)}: x, D: [x], E: ~, F: "a\\0b" } } }`,
  ],
  [
    "a variable's name of 128 characters is one, of 129 is none",
    `harnesses: { A: { env: { ${"a".repeat(128)}: "\\0", ${"b".repeat(129)}: x } } }`,
  ],
  [
    "a secret in a list of names is not shown",
    `harnesses: { A: { passEnv: [GOOD_NAME, ${secret}] } }`,
  ],
  [
    "a secret in place of a URL is not shown",
    "integrations: { codeHost: { apiBaseUrl: 'https://me:pass@host.example' } }",
  ],
  [
    "a map without what it must have, and one with another fault as well",
    "critics: [{ command: [x] }, { name: a }, { comand: [x] }]",
  ],
  [
    "a second fault of a list does not hide what is missing in another item",
    "critics: [{ name: 5 }, { harness: A }]",
  ],
  [
    "the arguments of the default harness, set in two places",
    "harnessArgs: [--x]\nrouting: { defaultHarness: B }\nharnesses: { B: { args: [--y] } }",
  ],
];

/** The first lines of a file, the beginnings of long ones, and what is said about it. */
function answerOf(text: string): string {
  const parsed = parseConfig(text, { file });
  const said = [...(parsed.ok ? [] : parsed.errors), ...parsed.warnings].map(
    (problem) => `  ${formatProblem(problem, file)}`,
  );
  const shown = text
    .replaceAll(secret, "(a secret)")
    .replaceAll("\u202e", "\\u202e")
    .split("\n")
    .slice(0, 8)
    .map((line) => `  | ${line.length > 110 ? `${line.slice(0, 110)}…` : line}`.trimEnd());
  return [...shown, ...(parsed.ok ? ["  (accepted)"] : []), ...said].join("\n");
}

test("what is said about faulty files stands in faulty-files.txt", async () => {
  const page = faulty.map(([promise, text]) => `# ${promise}\n${answerOf(text)}`).join("\n\n");
  await expect(`${page}\n`).toMatchFileSnapshot("faulty-files.txt");
});

test("of many faults of syntax the first twenty are told", () => {
  const parsed = parseConfig("- 'a' b\n".repeat(25), { file });
  expect(parsed.ok ? 0 : parsed.errors.length).toBe(20);
});

test("a file holds 10,000 values, and no more", () => {
  const said = [9_997, 9_998]
    .map((items) => parseConfig(`a: [${"x,".repeat(items)}]`, { file }))
    .flatMap((parsed) => (parsed.ok ? [] : parsed.errors.map(({ code }) => code)));
  expect(said).toEqual(["LOOP_E_CONFIG_UNKNOWN_KEY", "LOOP_E_CONFIG_ALIAS"]);
});

test("a file of 131,072 characters is read", () =>
  expect(parseConfig(`#${"x".repeat(131_071)}`, { file }).ok).toBe(true));
