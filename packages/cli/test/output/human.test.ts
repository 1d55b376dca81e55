import { escapeHidden, LoopError } from "@loopwork/core/ports";
import { expect, test } from "vitest";
import { errorBlocks, shownError } from "../../src/output/error.ts";
import { renderHuman } from "../../src/output/human.ts";
import { renderJson } from "../../src/output/json.ts";
import { formatRecords } from "../../src/steer/records-file.ts";
import { parse } from "yaml";
import { ago, parseSince } from "../../src/output/time.ts";

const plain = { color: false, width: 80 };

// A control character, a C1 one that begins a sequence by itself, line ends, a mark that turns the
// direction, and blanks nobody sees.
const hostile = "a\u001b[31mred\r\u009b2J\n\u2028b\u202ec\u200bd\u3164e\u0000";
const shown = "a\\u001b[31mred\\r\\u009b2J\\n\\u2028b\\u202ec\\u200bd\\u3164e\\u0000";

test.each([
  ["a line", { kind: "line", text: hostile }, `${shown}\n`],
  ["a heading", { kind: "heading", text: hostile }, `\n${shown}\n`],
  ["a field", { kind: "fields", rows: [["title", hostile]] }, `Title  ${shown}\n`],
  [
    "a cell",
    { kind: "table", columns: ["a", "b"], rows: [[hostile, "1"]], empty: "" },
    `${"A".padEnd(shown.length)}  B\n${shown}  1\n`,
  ],
  [
    "a text of several lines",
    { kind: "verbatim", text: hostile },
    `${shown.replace("\\n", "\n")}\n`,
  ],
] as const)(
  "A06 what doesn't print, or would steer the terminal, is shown escaped in %s",
  (_what, block, text) => {
    expect(renderHuman([block], plain)).toBe(text);
  },
);

test("A06 JSON escapes what doesn't print, and means the same", () => {
  const json = renderJson({ title: hostile }, true);
  expect(json).toBe(`{"title":"${shown}"}\n`);
  expect(JSON.parse(json)).toEqual({ title: hostile });
});

test("an exported record escapes what doesn't print, and is read as it was", () => {
  const text = formatRecords([{ workItem: { title: hostile } }] as unknown as Parameters<
    typeof formatRecords
  >[0]);
  expect(escapeHidden(text)).toBe(text);
  expect(parse(text)).toEqual([{ workItem: { title: hostile } }]);
});

test("tables line up and say when they are empty", () => {
  expect(
    renderHuman(
      [
        {
          kind: "table",
          columns: ["a", "long name"],
          rows: [
            ["x", "1"],
            ["longer", "2"],
          ],
          empty: "",
        },
      ],
      plain,
    ),
  ).toBe("A       LONG NAME\nx       1\nlonger  2\n");
  expect(
    renderHuman([{ kind: "table", columns: ["a"], rows: [], empty: "nothing here" }], plain),
  ).toBe("nothing here\n");
});

test("an error of ours shows code and hint; a bug is one line that asks to be reported", () => {
  expect(
    renderHuman(
      errorBlocks(
        shownError(new LoopError("LOOP_E_REF", "that is no reference", "write host:o/r#1")),
      ),
      plain,
    ),
  ).toBe("that is no reference (LOOP_E_REF)\n→ write host:o/r#1\n");
  const bug = renderHuman(errorBlocks(shownError(new TypeError("x is undefined"))), plain);
  expect(bug).toContain("LOOP_E_BUG");
  expect(bug).not.toContain("    at ");
});

test("times are said as people say them", () => {
  expect([ago(0, 30_000), ago(0, 600_000), ago(7_200_000, 0)]).toEqual([
    "30 s ago",
    "10 min ago",
    "in 2 h",
  ]);
  expect([
    parseSince("2h", 10_000_000),
    parseSince("1970-01-01", 5),
    parseSince("soon", 5),
  ]).toEqual([2_800_000, 0, null]);
});
