import { expect, test } from "vitest";
import { readScreen } from "../../src/terminal/screen.ts";

const rule = `\u001b[38;5;244m${"─".repeat(60)}\u001b[39m`;
const box = (...lines: readonly string[]): readonly string[] => [
  "● said before",
  "",
  rule,
  ...lines,
  rule,
  "  ⏵⏵ accept edits on (shift+tab to cycle)",
  "",
];

// Recorded from version 2.1.329.
test.each([
  ["nothing", ["❯ "], ""],
  ["nothing, with the cursor in it", ["❯\u00a0\u001b[7m \u001b[0m"], ""],
  [
    "a proposal of the harness is dim, but for the character under the cursor",
    ["❯\u00a0\u001b[7mR\u001b[0;2mesend your message to try again\u001b[0m"],
    "",
  ],
  ["typed text", ["❯\u00a0half a thought\u001b[7m \u001b[0m"], "half a thought"],
  [
    "typed text with the cursor in front of it",
    ["❯\u00a0\u001b[7mh\u001b[0malf a thought"],
    "half a thought",
  ],
  ["several lines", ["❯\u00a0one", "  two"], "one\n  two"],
  [
    "a paste as a mark",
    ["❯\u00a0Loop turn x: do it.[Pasted text #4 +8 lines]"],
    "Loop turn x: do it.[Pasted text #4 +8 lines]",
  ],
  [
    "colours whose numbers look like attributes",
    ["❯\u00a0\u001b[38;5;2mgreen\u001b[48;2;7;2;1m words\u001b[0m"],
    "green words",
  ],
])("the input line holds %s", (_what, lines, text) => {
  expect(readScreen(box(...lines))).toEqual({ kind: "input", text });
});

test("a question about trust", () => {
  expect(
    readScreen([
      rule,
      " Accessing workspace:",
      " /some/folder",
      " ❯ No, exit",
      "   Yes, I trust this folder",
    ]),
  ).toEqual({ kind: "trust" });
});

test.each([
  [
    "a dialog for a permission",
    [rule, " Bash command", " Do you want to proceed?", " ❯ 1. Yes", "   2. No"],
    "Bash command Do you want to proceed? ❯ 1. Yes 2. No",
  ],
  ["an empty screen", ["", ""], ""],
  [
    "what was said, without an input line",
    ["❯ an old message", "● an answer"],
    "❯ an old message ● an answer",
  ],
  ["another mark than that of messages, such as a shell's", [rule, "! ls", rule], "! ls"],
])("nothing can be written into %s", (_what, lines, words) => {
  expect(readScreen(lines)).toEqual({ kind: "other", words });
});
