import { LoopError } from "@loopwork/core";
import { expect, test } from "vitest";
import { errorBlocks, shownError } from "../../src/output/error.ts";
import { renderHuman } from "../../src/output/human.ts";
import { ago, parseSince } from "../../src/output/time.ts";

const plain = { color: false, width: 80 };

test("A06 control characters out of data are shown, not obeyed", () => {
  expect(renderHuman([{ kind: "line", text: "a\u001b[31mred\rb\u0000" }], plain)).toBe("a\\x1b[31mred\\x0db\\x00\n");
});

test("tables line up and say when they are empty", () => {
  expect(renderHuman([{ kind: "table", columns: ["a", "long name"], rows: [["x", "1"], ["longer", "2"]], empty: "" }], plain)).toBe("A       LONG NAME\nx       1\nlonger  2\n");
  expect(renderHuman([{ kind: "table", columns: ["a"], rows: [], empty: "nothing here" }], plain)).toBe("nothing here\n");
});

test("an error of ours shows code and hint; a bug is one line that asks to be reported", () => {
  expect(renderHuman(errorBlocks(shownError(new LoopError("LOOP_E_REF", "that is no reference", "write host:o/r#1"))), plain)).toBe("that is no reference (LOOP_E_REF)\n→ write host:o/r#1\n");
  const bug = renderHuman(errorBlocks(shownError(new TypeError("x is undefined"))), plain);
  expect(bug).toContain("LOOP_E_BUG");
  expect(bug).not.toContain("    at ");
});

test("times are said as people say them", () => {
  expect([ago(0, 30_000), ago(0, 600_000), ago(7_200_000, 0)]).toEqual(["30 s ago", "10 min ago", "in 2 h"]);
  expect([parseSince("2h", 10_000_000), parseSince("1970-01-01", 5), parseSince("soon", 5)]).toEqual([2_800_000, 0, null]);
});
